import type { ReportData } from "./json.ts";
import { linesOf } from "./lines.ts";
import { examplesOf } from "./summary.ts";
import { oneLine, visible } from "./text.ts";

/** Escapes the message of a GitHub Actions workflow command. */
export const escapeMessage = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** Escapes one of its properties, which ends at a comma or two colons. */
export const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/**
 * Workflow commands that show the result, each cause of a failure and each fault of the run in a
 * GitHub Actions job.
 */
export function toAnnotations(report: ReportData): string {
  const { verdict, summary, exitCode, requirements, faults, baseline } = report;
  const annotation = (kind: "error" | "warning" | "notice", title: string, message: string) =>
    `::${kind} title=${escapeProperty(oneLine(title))}::${escapeMessage(visible(message))}\n`;
  const musts = new Set(requirements.filter(({ level }) => level === "MUST").map(({ id }) => id));
  return [
    annotation(exitCode === 0 ? "notice" : "error", verdict, summary),
    ...[...faults, ...baseline].map((fault) => annotation("error", verdict, fault)),
    ...examplesOf(report).map(({ title, requirements: ids, first }) => {
      const lines = linesOf(first, report, { without: ["request", "in", "before", "again"] }).map(
        (line) => line.join(": "),
      );
      const tail =
        ids.length > 1 ? [`${ids.length - 1} more requirements fail for the same cause`] : [];
      return annotation(
        ids.some((id) => musts.has(id)) ? "error" : "warning",
        title,
        [...lines, ...tail].join("\n"),
      );
    }),
  ].join("");
}

import type { ReportData } from "./json.ts";
import { findingsOf, MOST_CAUSES } from "./summary.ts";
import { linesOf, oneLine, visible } from "./text.ts";

/** Escapes the message of a GitHub Actions workflow command. */
export const escapeMessage = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** Escapes one of its properties, which ends at a comma or two colons. */
export const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** Workflow commands that show the result, each cause of a failure and each fault of the run in a GitHub Actions job. */
export function toAnnotations(report: ReportData): string {
  const annotation = (kind: "error" | "warning" | "notice", title: string, message: string) =>
    `::${kind} title=${escapeProperty(oneLine(title))}::${escapeMessage(visible(message))}\n`;
  const { verdict, summary, causes, exitCode, requirements } = report;
  const faults = [...report.faults, ...report.baseline];
  const musts = new Set(requirements.filter(({ level }) => level === "MUST").map(({ id }) => id));
  const found = causes.slice(0, MOST_CAUSES).map((cause) => {
    const { title, requirements: own } = cause;
    const [first] = findingsOf(cause, report);
    const lines = first ? linesOf(first, report).filter(([name]) => name !== "request" && name !== "again") : [];
    const more = own.length > 1 ? [`${own.length - 1} more requirements fail for the same cause`] : [];
    const text = [...lines.map(([name, one]) => `${name}: ${one}`), ...more].join("\n");
    return annotation(own.some((id) => musts.has(id)) ? "error" : "warning", title, text);
  });
  const result = annotation(exitCode === 0 ? "notice" : "error", verdict, summary);
  return [result, ...faults.map((fault) => annotation("error", verdict, fault)), ...found].join("");
}

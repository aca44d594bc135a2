import { causesOf } from "./causes.ts";
import { visible } from "./exchange-text.ts";
import type { Report } from "./report.ts";
import { baselineLines } from "./summary.ts";

/** Escapes the message of a GitHub Actions workflow command. */
export const escapeMessage = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** Escapes one of its properties, which ends at a comma or two colons. */
export const escapeProperty = (text: string): string =>
  escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

const annotation = (title: string, message: string): string =>
  `::error title=${escapeProperty(visible(title))}::${escapeMessage(visible(message))}\n`;

/** Workflow commands that show each cause of a failure, and each fault of the run, in a GitHub Actions job. */
export function toAnnotations(report: Report): string {
  const causes = causesOf(report).map(({ title, failures: [{ check, requirement, failure }, ...more] }) => {
    const others = more.length > 0 ? `\n${more.length} more checks failed for the same cause.` : "";
    const found = `expected ${failure.expected}\ngot ${failure.actual}`;
    return annotation(title, `${check}: ${requirement.sentence}\n${found}\n${failure.rerun}${others}`);
  });
  const faults = [...report.faults, ...baselineLines(report)].map((line) => annotation(report.verdict, line));
  return [...faults, ...causes].join("");
}

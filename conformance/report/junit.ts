import type { ReportData, ReportedRequirement } from "./json.ts";
import { isAbout, linesOf, padded, sourceOf, wholeText } from "./lines.ts";
import { clauseHead, clauseRows, factsOf, outcomeText } from "./summary.ts";
import { type Inside, markup, oneLine } from "./text.ts";

/** Maximum characters of a body; the JSON and the HTML report have more. */
const SHOWN = 300;
/** Findings of one requirement that are shown. */
const MOST = 3;

/**
 * JUnit XML: a test case for each requirement, whose class begins with the target; faults of the
 * run are cases of their own.
 */
export function toJUnit(report: ReportData): string {
  const { counts, run, suite, faults, baseline, requirements } = report;
  const place = placeOf(report.target.url);
  const clauses = clauseRows(report).map(([id, ...cells]) => {
    const named = cells.flatMap((cell, index) =>
      cell === "" ? [] : [`${clauseHead[index + 1]}: ${cell}`],
    );
    return [`Clause ${id}`, named.join(", ")] as const;
  });
  const cases = [
    ...faults.map((fault) =>
      testCase(place, `run: ${fault}`, outcome("error", fault, "fault of the run")),
    ),
    ...baseline.map((entry) =>
      testCase(place, `known failures: ${entry}`, outcome("failure", entry, "baseline")),
    ),
    ...requirements.map((reportedRequirement) =>
      testCase(
        `${place} ${reportedRequirement.id.split("/", 1)[0]}`,
        reportedRequirement.id,
        outcomeOf(reportedRequirement, report),
      ),
    ),
  ];
  const [failures, errors] = [counts.failed + baseline.length, counts.incomplete + faults.length];
  const skipped = counts["not selected"] + counts.known;
  const counted = markup`failures="${failures}" errors="${errors}" skipped="${skipped}"`;
  const times = markup`time="${(run.durationMs / 1000).toFixed(3)}" timestamp="${run.startedAt}"`;
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${suite.name}">
<testsuite name="${suite.name} ${place}" tests="${cases.length}" ${counted} ${times}>
<properties>
${[["Result", report.summary] as const, ...factsOf(report), ...clauses].map(property)}
</properties>
${cases}
</testsuite>
</testsuites>
`.text;
}

/** Host, port and path: of two targets no case has the same class and name. */
function placeOf(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}${pathname.replace(/\/$/, "")}`;
}

const property = ([name, value]: readonly [string, string]) =>
  markup`<property name="${oneLine(name)}" value="${oneLine(value)}"/>`;

function testCase(classname: string, name: string, inside: Inside) {
  const end = inside === "" ? markup`/>` : markup`>\n${inside}\n</testcase>`;
  return markup`<testcase classname="${oneLine(classname)}" name="${oneLine(name)}"${end}`;
}

const outcome = (kind: "failure" | "error", message: string, type: string, text = "") =>
  markup`<${kind} message="${oneLine(message)}" type="${type}">${text}</${kind}>`;

function outcomeOf(requirement: ReportedRequirement, report: ReportData): Inside {
  const { id, outcome: result, reason, level, sentence, findings } = requirement;
  if (result === "passed") return "";
  if (result === "incomplete") return outcome("error", reason ?? result, result);
  if (result !== "failed")
    return markup`<skipped message="${oneLine(`${outcomeText(result)}: ${reason}`)}"/>`;
  const shownFindings = report.findings.filter((finding) => isAbout(finding, id)).slice(0, MOST);
  const lines = shownFindings.map((finding) =>
    linesOf(finding, report, { without: ["request", "in", "rule"] }),
  );
  const sides = (lines[0] ?? []).filter(([name]) => /^(?:expected|got|differs)$/.test(name));
  const texts = shownFindings.map((finding, index) =>
    [...(lines[index] ?? []).map(padded), "", wholeText(finding, SHOWN)].join("\n"),
  );
  const tail = findings > MOST ? [`and ${findings - MOST} more`] : [];
  const text = [`${sentence}\n${sourceOf(requirement, report)}`, ...texts, ...tail].join("\n\n");
  return outcome("failure", sides.map((line) => line.join(" ")).join("; "), level, text);
}

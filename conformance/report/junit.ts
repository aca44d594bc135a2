import { escapeAttribute, escapeMarkup } from "./html-parts.ts";
import type { ReportData, ReportedRequirement } from "./json.ts";
import { clauseHead, clauseRows, factsOf } from "./summary.ts";
import { linesOf, oneLine, sourceOf, visible, wholeText } from "./text.ts";

/** Maximum characters of a body; the JSON and the HTML report have more. */
const SHOWN = 300;
/** Findings of one requirement that are shown. */
const MOST = 3;

/** JUnit XML: a test case for each requirement, whose class begins with the target; faults of the run are cases of their own. */
export function toJUnit(report: ReportData): string {
  const { counts, run, suite, faults, baseline, requirements, summary } = report;
  const place = placeOf(report.target.url);
  const properties = [
    ["Result", summary],
    ...factsOf(report),
    ...clauseRows(report).map(([id, ...cells]) => [
      `Clause ${id}`,
      cells
        .map((cell, at) => (cell === "" ? "" : `${clauseHead[at + 1]}: ${cell}`))
        .filter(Boolean)
        .join(", "),
    ]),
  ];
  const numbers = attributes({
    name: `${suite.name} ${place}`,
    tests: `${requirements.length + faults.length + baseline.length}`,
    failures: `${counts.failed + baseline.length}`,
    errors: `${counts.incomplete + faults.length}`,
    skipped: `${counts["not selected"] + counts.known}`,
    time: (run.durationMs / 1000).toFixed(3),
    timestamp: run.startedAt,
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: suite.name })}>`,
    `<testsuite${numbers}>`,
    "<properties>",
    ...properties.map(([name = "", value = ""]) => `<property${attributes({ name, value })}/>`),
    "</properties>",
    ...faults.map((message) =>
      testCase(place, `run: ${message}`, `<error${attributes({ message, type: "fault of the run" })}/>`),
    ),
    ...baseline.map((message) =>
      testCase(place, `known failures: ${message}`, `<failure${attributes({ message, type: "baseline" })}/>`),
    ),
    ...requirements.map((one) => testCase(`${place} ${one.id.split("/", 1)[0]}`, one.id, outcomeOf(one, report))),
    "</testsuite>",
    "</testsuites>\n",
  ].join("\n");
}

/** Host, port and path: of two targets no case has the same class and name. */
function placeOf(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}${pathname.replace(/\/$/, "")}`;
}

function testCase(classname: string, name: string, inside: string): string {
  const head = `<testcase${attributes({ classname, name })}`;
  return inside === "" ? `${head}/>` : `${head}>\n${inside}\n</testcase>`;
}

function outcomeOf(requirement: ReportedRequirement, report: ReportData): string {
  const { id, outcome, reason, level, sentence, findings } = requirement;
  switch (outcome) {
    case "passed":
      return "";
    case "known":
    case "not selected":
      return `<skipped${attributes({ message: `${outcome}: ${reason}` })}/>`;
    case "incomplete":
      return `<error${attributes({ message: reason ?? outcome, type: outcome })}/>`;
    case "failed": {
      const own = report.findings.filter((one) => one.requirement === id);
      const [first] = own;
      const sides = (first ? linesOf(first, report) : []).filter(([name]) => /^(?:expected|got|differs)$/.test(name));
      const message = sides.map(([name, text]) => `${name} ${text}`).join("; ");
      const texts = own.slice(0, MOST).map((finding) => {
        const lines = linesOf(finding, report).filter(([name]) => name !== "request" && name !== "rule");
        return [...lines.map(([name, text]) => `${name.padEnd(9)} ${text}`), ...["", wholeText(finding, SHOWN)]].join(
          "\n",
        );
      });
      const more = findings > MOST ? [`and ${findings - MOST} more`] : [];
      const text = [`${sentence}\n${sourceOf(requirement, report)}`, ...texts, ...more].map(visible).join("\n\n");
      return `<failure${attributes({ message, type: level })}>${escapeMarkup(text)}</failure>`;
    }
  }
}

function attributes(given: Readonly<Record<string, string>>): string {
  return Object.entries(given)
    .map(([name, value]) => ` ${name}="${escapeAttribute(oneLine(value))}"`)
    .join("");
}

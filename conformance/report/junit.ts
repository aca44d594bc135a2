import { escapeAttribute, escapeMarkup } from "./escape.ts";
import { exchangeText, visible } from "./exchange-text.ts";
import type { CheckResult, Report } from "./report.ts";
import { baselineLines, facts, levelsOf, notRun, sourceOf } from "./summary.ts";

/** Maximum characters of a body; the JSON and the HTML report have all of it. */
const SHOWN = 300;

/** JUnit XML: a test case for each check, with its area as the class; faults and a wrong baseline are cases of their own. */
export function toJUnit(report: Report): string {
  const { counts, run, suite } = report;
  const faults = report.faults.map((fault) => runCase("run", fault, "error"));
  const baseline = baselineLines(report).map((line) => runCase("baseline", line, "failure"));
  const cases = [...faults, ...baseline, ...report.results.map(testCase)];
  const numbers = attributes({
    name: suite.name,
    tests: String(cases.length),
    failures: String(counts.failed + baseline.length),
    errors: String(counts.incomplete + faults.length),
    skipped: String(counts["not selected"] + counts.known),
    time: time(run.durationMs),
    timestamp: run.startedAt,
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: suite.name })}>`,
    `<testsuite${numbers}>`,
    `<properties>\n${properties(report)}\n</properties>`,
    ...cases,
    "</testsuite>",
    "</testsuites>\n",
  ].join("\n");
}

function properties(report: Report): string {
  const levels = levelsOf(report).map((line) => ["Level", line] as const);
  const rows = report.clauses.map(({ clause, title, ...row }) => {
    const { requirements, judged, passed, failed } = row;
    const value = `${title}: ${requirements} requirements, ${judged} judged, ${passed} passed, ${failed} failed`;
    return [`Clause ${clause}`, value] as const;
  });
  const groups = notRun(report).map(({ title, checks }) => ["Did not run", `${checks.length} ${title}`] as const);
  const untried = report.excluded.map(
    ({ requirement, reason }) => ["Not testable", `${requirement}: ${reason}`] as const,
  );
  return [...facts(report), ["Verdict", report.verdict] as const, ...levels, ...rows, ...groups, ...untried]
    .map(([name, value]) => `<property${attributes({ name, value })}/>`)
    .join("\n");
}

function testCase(result: CheckResult): string {
  const [area = result.check] = result.check.split("/", 1);
  const head = `<testcase${attributes({ classname: area, name: result.check, time: time(result.durationMs) })}`;
  const inside = outcome(result);
  return inside === "" ? `${head}/>` : `${head}>\n${inside}\n</testcase>`;
}

function outcome({ outcome, reason, failure, requirement }: CheckResult): string {
  switch (outcome) {
    case "passed":
      return "";
    case "known":
    case "not selected":
      return `<skipped${attributes({ message: reason === null ? outcome : `${outcome}: ${reason}` })}/>`;
    case "incomplete":
      return `<error${attributes({ message: reason ?? outcome, type: outcome })}/>`;
    case "failed": {
      const message = failure ? visible(`expected ${failure.expected}; got ${failure.actual}`) : "failed";
      const guilty = failure?.exchanges[failure.guilty];
      const lines = failure ? [...(guilty ? [exchangeText(guilty, SHOWN)] : []), failure.curl, failure.rerun] : [];
      const text = [`${requirement.level}: ${requirement.sentence}`, sourceOf(requirement), message, ...lines].join(
        "\n\n",
      );
      return `<failure${attributes({ message, type: requirement.level })}>${escapeMarkup(text)}</failure>`;
    }
  }
}

function runCase(name: string, message: string, element: "error" | "failure"): string {
  const head = attributes({ classname: "conformance", name: `${name}: ${message}`, time: "0.000" });
  return `<testcase${head}>\n<${element}${attributes({ message, type: name })}/>\n</testcase>`;
}

function attributes(given: Readonly<Record<string, string>>): string {
  return Object.entries(given)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join("");
}

function time(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

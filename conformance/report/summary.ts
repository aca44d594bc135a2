import type { Requirement } from "../oracle/contract.ts";
import type {
  Cause,
  Counts,
  Outcome,
  RecordedCounts,
  ReportData,
  ReportedFinding,
  ReportedRequirement,
} from "./json.ts";
import { counted, oneLine } from "./text.ts";

/** Texts about a run that all reports share. */

/** Outcomes, the worst first. */
const OUTCOMES = ["failed", "incomplete", "known", "passed", "not selected"] as const satisfies readonly Outcome[];
export const LEVELS = ["MUST", "SHOULD", "MAY"] as const satisfies readonly Requirement["level"][];

export function countsOf(requirements: readonly Pick<ReportedRequirement, "outcome">[]): Counts {
  const count = (wanted: Outcome) => requirements.filter(({ outcome }) => outcome === wanted).length;
  return {
    failed: count("failed"),
    incomplete: count("incomplete"),
    known: count("known"),
    passed: count("passed"),
    "not selected": count("not selected"),
  };
}

/** `3 failed, 80 passed`: outcomes that occurred, the worst first. */
export const countsText = (counts: Counts): string =>
  OUTCOMES.filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcome === "known" ? "known to fail" : outcome}`)
    .join(", ") || "none";

/** The verdict, counts, what limits it most, what is missing to check the rest, and the seed. */
export function summaryOf(report: Omit<ReportData, "summary" | "causes">): string {
  const { verdict, faults, run, counts, limit, missing, requirements, recorded } = report;
  const seed = `seed ${run.seed}`;
  // Nothing was checked: the reason is everything to report.
  if (verdict === "unreachable" || verdict === "preflight failed")
    return `${verdict}: ${oneLine(faults.join("; "))}; ${seed}`;
  const ofAll = `${counted(requirements.length, "requirement")}: ${countsText(counts)}`;
  if (recorded) return `${verdict}: ${[...recordedTexts(recorded), ofAll].join("; ")}`;
  const { sent, planned } = run.cases;
  const keys = missing.keys.length > 0 ? [`keys (${missing.keys.join(", ")})`] : [];
  const rest = [...missing.options, ...keys].join(", ");
  const parts = [
    `${sent.toLocaleString("en")} of ${counted(planned, "case")}`,
    ofAll,
    ...(limit === null || verdict.includes(`(${limit})`) ? [] : [limit]),
    ...(rest === "" ? [] : [`to check the rest: ${rest}`]),
  ];
  return `${verdict}: ${[...parts, seed].join("; ")}`;
}

function recordedTexts({ compared, byLawsOnly, undecided, left, withoutBody }: RecordedCounts): readonly string[] {
  const text = (counts: RecordedCounts["left"], what: string) => {
    const reasons = Object.entries(counts).map(([reason, count]) => `${reason}: ${count}`);
    const sum = Object.values(counts).reduce((all, one) => all + one, 0);
    return `${sum} ${what}${reasons.length > 0 ? ` (${reasons.join(", ")})` : ""}`;
  };
  return [
    `${compared} compared`,
    `${byLawsOnly} by laws only`,
    ...[text(undecided, "undecided"), text(left, "left out")],
    ...(withoutBody > 0 ? [`${withoutBody} without a body`] : []),
  ];
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

/** Name and value of everything that identifies a run. */
export function factsOf({
  target,
  contract,
  suite,
  run,
  levels,
}: ReportData): (readonly [name: string, value: string])[] {
  const { requests } = run;
  const used = LEVELS.filter((level) => countsText(levels[level]) !== "none");
  return [
    ["Target", target.url],
    ["Version of the target", target.version ?? "unknown"],
    ["Contract", `${contract.title} ${contract.version}`],
    ["Hash of the contract", contract.hash],
    ["Suite", `${suite.name} ${suite.version}`],
    ["Run", run.id],
    ["Seed", `${run.seed}`],
    ["Started", run.startedAt],
    ["Duration", seconds(run.durationMs)],
    ["Requests", `${requests.all}, ${requests.supertest} of them by supertest`],
    ...used.map((level) => [level, countsText(levels[level])] as const),
    ["Command", run.command],
  ];
}

/** What did not run, or did not end, by its reason, the largest group first. */
export function notRun({
  requirements,
}: ReportData): readonly (readonly [title: string, requirements: readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const { outcome, reason, id } of requirements) {
    if (outcome === "passed" || outcome === "failed") continue;
    const title = reason === null ? outcome : `${outcome}: ${reason}`;
    groups.set(title, [...(groups.get(title) ?? []), id]);
  }
  return [...groups].sort(([, one], [, other]) => other.length - one.length);
}

/** The records that exist now, and how to remove them; empty if there are none. */
export function createdText({ created, removal, run }: ReportData): string {
  if (created.length === 0) return "";
  const records = `${counted(created.length, "record")}, which no operation deletes; each has ${run.id} in it`;
  return `Created ${records}.${removal === null ? "" : `\n${removal}`}`;
}

/** Causes that a report for people shows: a target can give each response a code of its own. */
export const MOST_CAUSES = 50;

/** The findings of a cause, the one that says most first. */
export const findingsOf = ({ findings }: Cause, report: Pick<ReportData, "findings">): readonly ReportedFinding[] =>
  findings.flatMap((index) => report.findings[index] ?? []);

/** `2 requirements, 40 findings`; `more than` where the report has not all of them. */
export function extentOf(
  { requirements, findings }: Cause,
  report: Pick<ReportData, "requirements" | "findings">,
): string {
  const isCut = requirements.some(
    (id) =>
      (report.requirements.find((one) => one.id === id)?.findings ?? 0) >
      report.findings.filter(({ requirement }) => requirement === id).length,
  );
  return `${counted(requirements.length, "requirement")}, ${isCut ? "more than " : ""}${counted(findings.length, "finding")}`;
}

export const clauseHead = [
  "Clause",
  "Title",
  "Requirements",
  "Passed",
  "Failed",
  "Known",
  "Incomplete",
  "Not selected",
  "Not tried",
];

/** The cells of a row for each clause, below `clauseHead`. */
export const clauseRows = ({ clauses }: ReportData): readonly (readonly string[])[] =>
  clauses.map((one) => [
    one.clause,
    one.title,
    ...[one.requirements, one.passed, one.failed, one.known, one.incomplete, one["not selected"]].map(String),
    one.untried ?? "",
  ]);

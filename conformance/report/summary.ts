import type {
  Cause,
  Counts,
  RecordedCounts,
  ReportData,
  ReportedFinding,
  ReportedRequirement,
} from "./json.ts";
import { isAbout } from "./lines.ts";
import { counted, groupedBy, oneLine, timeText } from "./text.ts";

/** Texts about a run that all reports share. */

type Summarized = Omit<ReportData, "summary" | "causes">;
/** Name and value of something. */
type Row = readonly [name: string, value: string];

/** By outcome, the worst first. */
export function countsOf(requirements: readonly Pick<ReportedRequirement, "outcome">[]): Counts {
  const counts = { failed: 0, incomplete: 0, known: 0, passed: 0, "not selected": 0 };
  for (const { outcome } of requirements) counts[outcome] += 1;
  return counts;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  known: "known to fail",
  "not selected": "skipped",
};
/** An outcome as people read it. */
export const outcomeText = (outcome: string): string => OUTCOMES[outcome] ?? outcome;

/** The outcomes that occurred, and how often. */
const occurred = (counts: Counts) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => [outcomeText(outcome), count.toLocaleString("en")] as const);

/** `3 failed, 80 passed`. */
export const countsText = (counts: Counts): string =>
  occurred(counts)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(", ");

/** Nothing was checked: the reason is everything to report. */
export const isUnchecked = ({ verdict }: Pick<ReportData, "verdict">): boolean =>
  verdict === "unreachable" || verdict === "preflight failed";

/** Whether a seed has decided what was sent. */
const hasCases = (report: Summarized): boolean =>
  !isUnchecked(report) && report.run.requests.all > 0;

/** What limits the verdict most, and what it takes to check the rest. */
export function limitsOf({ verdict, limit, missing }: Summarized): readonly string[] {
  const keys = missing.keys.length > 0 ? [`keys (${missing.keys.join(", ")})`] : [];
  const rest = [...missing.options, ...keys].join(", ");
  return [
    ...(limit === null || verdict.includes(`(${limit})`) ? [] : [limit]),
    ...(rest === "" ? [] : [`to check the rest: ${rest}`]),
  ];
}

/** The verdict, counts, limits, and the seed. */
export function summaryOf(report: Summarized): string {
  const { verdict, faults, run, counts, limit, requirements, recorded } = report;
  if (isUnchecked(report)) return `${verdict}: ${oneLine(faults.join("; "))}`;
  const ofAll = `${counted(requirements.length, "requirement")}: ${countsText(counts) || "none"}`;
  if (recorded) return `${verdict}: ${[...recordedTexts(recorded), ofAll].join("; ")}`;
  const { sent, planned } = run.cases;
  // What leaves out the most, such as that no user could be created.
  const unchecked = limit === "given" ? notRun(report).filter(([, ids]) => ids.length > 1) : [];
  const parts = [
    `${sent.toLocaleString("en")} of ${counted(planned, limit === "given" ? "check" : "case")}`,
    ofAll,
    ...unchecked.slice(0, 1).map(([title]) => title),
    ...limitsOf(report),
    ...(hasCases(report) ? [`seed ${run.seed}`] : []),
  ];
  return `${verdict}: ${parts.join("; ")}`;
}

/** The result in numbers. */
export function resultsOf(report: ReportData): readonly Row[] {
  const { counts, limit, run } = report;
  const { cases, requests, durationMs } = run;
  const sent = `${cases.sent.toLocaleString("en")} of ${cases.planned.toLocaleString("en")}`;
  const ofCases: readonly Row[] = [
    [limit === "given" ? "checks" : "cases", sent],
    ["requests", requests.all.toLocaleString("en")],
    ["seed", `${run.seed}`],
  ];
  return [
    ...occurred(counts),
    ...(hasCases(report) ? ofCases : []),
    ["time", timeText(durationMs)],
  ];
}

export function recordedTexts({
  compared,
  byLawsOnly,
  undecided,
  left,
  withoutBody,
}: RecordedCounts): readonly string[] {
  const text = (counts: RecordedCounts["left"], what: string) => {
    const reasons = Object.entries(counts).map(([reason, count]) => `${reason}: ${count}`);
    const sum = Object.values(counts).reduce((all, one) => all + one, 0);
    return `${sum} ${what}${reasons.length > 0 ? ` (${reasons.join(", ")})` : ""}`;
  };
  const parts = [
    `${compared} compared`,
    `${byLawsOnly} by laws only`,
    text(undecided, "undecided"),
  ];
  return [
    ...parts,
    text(left, "left out"),
    ...(withoutBody > 0 ? [`${withoutBody} without a body`] : []),
  ];
}

/** Everything that identifies a run. */
export function factsOf(report: ReportData): readonly Row[] {
  const { target, contract, suite, run, levels } = report;
  const used = Object.entries(levels).map(
    ([level, counts]) => [level, countsText(counts)] as const,
  );
  return [
    ["Target", target.url],
    ["Version of the target", target.version ?? "unknown"],
    ["Contract", `${contract.title} ${contract.version}`],
    ["Hash of the contract", contract.hash],
    ["Suite", `${suite.name} ${suite.version}`],
    ...(run.id === "" ? [] : [["Run", run.id] as const]),
    ...(hasCases(report) ? [["Seed", `${run.seed}`] as const] : []),
    ["Started", run.startedAt],
    ["Duration", `${(run.durationMs / 1000).toFixed(2)} s`],
    ["Requests", `${run.requests.all}, ${run.requests.supertest} of them by supertest`],
    ...used.filter(([, text]) => text !== ""),
    ["Command", run.command],
  ];
}

/** Requirements with one reason. */
type Group = readonly [title: string, ids: readonly string[]];

/** What the contract has no place for: nobody can mend it. */
const isInapplicable = (title: string) => title.includes(": not applicable");

/**
 * What did not run or end: `3 skipped: needs --slow`, and their ids; the largest first, and what is
 * not applicable last.
 */
export function notRun({ requirements }: Pick<ReportData, "requirements">): readonly Group[] {
  const some = requirements.filter(({ outcome }) => outcome !== "passed" && outcome !== "failed");
  return groupedBy(some, ({ outcome, reason }) =>
    [outcomeText(outcome), ...(reason === null ? [] : [reason])].join(": "),
  )
    .sort(
      ([title, one], [otherTitle, other]) =>
        Number(isInapplicable(title)) - Number(isInapplicable(otherTitle)) ||
        other.length - one.length,
    )
    .map(([title, own]) => [`${own.length} ${title}`, own.map(({ id }) => id)]);
}

/** Causes that a report for people shows: a target can give each response a code of its own. */
const MOST_CAUSES = 50;

/** A cause, and the finding that says most about it. */
export interface Example extends Cause {
  readonly first: ReportedFinding;
  /** `2 requirements, 40 findings`; `more than` where the report has not all of them. */
  readonly extent: string;
}

export function examplesOf(
  { causes, findings, requirements }: ReportData,
  most = MOST_CAUSES,
): readonly Example[] {
  const reportedOf = (id: string) => findings.filter((finding) => isAbout(finding, id)).length;
  const cut = new Set(
    requirements.flatMap(({ id, findings: all }) => (all > reportedOf(id) ? [id] : [])),
  );
  return causes.slice(0, most).flatMap((cause) => {
    const first = findings[cause.findings[0] ?? -1];
    const prefix = cause.requirements.some((id) => cut.has(id)) ? "more than " : "";
    const count = `${prefix}${counted(cause.findings.length, "finding")}`;
    return first
      ? [
          {
            ...cause,
            first,
            extent: `${counted(cause.requirements.length, "requirement")}, ${count}`,
          },
        ]
      : [];
  });
}

const CLAUSE_COUNTS = [
  "requirements",
  "passed",
  "failed",
  "known",
  "incomplete",
  "not selected",
] as const;
const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
export const clauseHead = [
  ...["Clause", "Title"],
  ...CLAUSE_COUNTS.map((name) => capitalized(outcomeText(name))),
  "Not tried",
];

/** The cells of a row for each clause, below `clauseHead`. */
export const clauseRows = ({ clauses }: ReportData): readonly (readonly string[])[] =>
  clauses.map((clauseResult) => [
    clauseResult.clause,
    clauseResult.title,
    ...CLAUSE_COUNTS.map((name) => `${clauseResult[name]}`),
    clauseResult.untried ?? "",
  ]);

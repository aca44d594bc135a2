import { contract } from "../contract.ts";
import type { Requirement } from "../oracle/contract.ts";
import type { CheckResult, Failure, Report } from "./report.ts";

/** Texts about a report that all report formats share. */

export type Failed = CheckResult & { readonly failure: Failure };

/** Name and value of everything that identifies a run. */
export function facts({ target, contract, suite, run }: Report): (readonly [name: string, value: string])[] {
  return [
    ["Target", target.url],
    ["Version of the target", target.version ?? "unknown"],
    ["Contract", contract.version],
    ["Hash of the contract", contract.hash],
    ["Suite", `${suite.name} ${suite.version}`],
    ["Run", run.id],
    ["Seed", String(run.seed)],
    ["Started", run.startedAt],
    ["Duration", seconds(run.durationMs)],
    ["Requests", String(run.requests)],
    ...(run.explored === undefined ? [] : [["Explored", `${run.explored} requests, seed ${run.seed}`] as const]),
    ["Command", run.command],
  ];
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** The name of the document with the clauses, which every deployment serves; undefined if the contract has none. */
const clausesAt = Object.values(contract.operations)
  .flatMap(({ known }) => known)
  .find((name) => name.endsWith(".contract"));

/** The source in the contract. */
export function sourceOf({ clause, id }: Pick<Requirement, "clause" | "id">): string {
  const title = contract.clauses.find((one) => one.id === clause)?.title;
  return `${clause} (${title})${clausesAt ? `, ${clausesAt}#${id}` : ""}`;
}

/** `MUST 80 passed, 3 failed`, for each level. */
export function levelsOf({ levels }: Report): string[] {
  const counted = Object.entries(levels).filter(
    ([level, { passed, failed }]) => level === "MUST" || passed + failed > 0,
  );
  return counted.map(([level, { passed, failed }]) => `${level} ${passed} passed, ${failed} failed`);
}

/** `3 failed, 80 passed`: outcomes that occurred, the worst first. */
export function countsLine({ counts }: Report): string {
  const order = ["failed", "incomplete", "known", "passed", "not selected"] as const;
  const words = {
    failed: "failed",
    incomplete: "incomplete",
    known: "known to fail",
    passed: "passed",
    "not selected": "not selected",
  };
  const present = order.filter((outcome) => counts[outcome] > 0);
  return present.map((outcome) => `${counts[outcome]} ${words[outcome]}`).join(", ") || "no checks";
}

export function failuresOf({ results }: Report): Failed[] {
  return results.flatMap((result) =>
    result.outcome === "failed" && result.failure ? [{ ...result, failure: result.failure }] : [],
  );
}

export interface Group {
  readonly title: string;
  readonly checks: readonly string[];
}

/**
 * What did not run or did not count, grouped by reason, the largest group first; at the end what no check can test. What a cause
 * names as its consequence is not repeated.
 */
export function notRun(report: Report): Group[] {
  const { results, excluded } = report;
  const groups = new Map<string, string[]>();
  const failed = new Set(failuresOf(report).map(({ check }) => check));
  for (const { outcome, reason, reportedBy, check } of results) {
    if (outcome === "passed" || outcome === "failed" || (reportedBy !== null && failed.has(reportedBy))) continue;
    // Each describes the finding differently: they are one group all the same.
    const why = reportedBy === null ? reason : `${reportedBy} reports what they have found`;
    const title = why === null ? outcome : `${outcome}: ${why}`;
    groups.set(title, [...(groups.get(title) ?? []), check]);
  }
  const sorted = [...groups]
    .map(([title, checks]) => ({ title, checks }))
    .sort((a, b) => b.checks.length - a.checks.length);
  const untried = excluded.map(({ requirement, reason }) => `${requirement} (${reason})`);
  return untried.length === 0 ? sorted : [...sorted, { title: "not testable from outside", checks: untried }];
}

/** A line for each invalid entry of the baseline. */
export function baselineLines({ baseline }: Report): string[] {
  const words = {
    stale: "passes now; take it out",
    expired: "is past its date",
    unknown: "names no check",
    unused: "is an exception that nothing needs; take it out",
  } as const;
  return baseline.map(({ id, problem, today = [] }) => {
    const now = today.length > 0 ? `; its requirement has these now: ${today.join(", ")}` : "";
    return `${id} ${words[problem]}${now}`;
  });
}

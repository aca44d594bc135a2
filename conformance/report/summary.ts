import { clauses, type Requirement } from "../../generated/requirements.ts";
import type { CheckResult, Failure, Report } from "./report.ts";

/** What every sink tells about a report, in words. */

export type Failed = CheckResult & { readonly failure: Failure };

/** Name and value of all that identifies a run. */
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
    ["Command", run.command],
  ];
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** Where the contract says so: every deployment serves it, and it is `generated/docs/contract.md`. */
export function sourceOf({ clause, id }: Pick<Requirement, "clause" | "id">): string {
  return `${clause} (${clauses.find((one) => one.id === clause)?.title}), docs.get.contract#${id}`;
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

/** What did not run or did not count, grouped by why, the largest group first; at the end what no check can try. */
export function notRun({ results, excluded }: Report): Group[] {
  const groups = new Map<string, string[]>();
  for (const { outcome, reason, check } of results) {
    if (outcome === "passed" || outcome === "failed") continue;
    const title = reason === null ? outcome : `${outcome}: ${reason}`;
    groups.set(title, [...(groups.get(title) ?? []), check]);
  }
  const sorted = [...groups]
    .map(([title, checks]) => ({ title, checks }))
    .sort((a, b) => b.checks.length - a.checks.length);
  const untried = excluded.map(({ requirement, reason }) => `${requirement} (${reason})`);
  return untried.length === 0 ? sorted : [...sorted, { title: "not testable from outside", checks: untried }];
}

/** A line for each entry of the baseline that is itself a fault. */
export function baselineLines({ baseline }: Report): string[] {
  const words = {
    stale: "passes now; take it out",
    expired: "is past its date",
    unknown: "names no check",
    unused: "is an exception that nothing needs; take it out",
  } as const;
  return baseline.map(({ id, problem }) => `${id} ${words[problem]}`);
}

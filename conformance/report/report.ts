import type { Effect } from "../checks/check.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { contract } from "../contract.ts";
import type { Requirement } from "../oracle/contract.ts";

/** This suite, as reports name it. A test holds the version against package.json. */
export const suite = { name: "atpoint-conformance", version: "3.0.3" } as const;

/**
 * `passed`, `failed`; `known` is a failure that the baseline names; `incomplete` could not run (deadline, interrupted);
 * `not selected` was outside the chosen effects, origin, level or pattern, or needs a credential that was not given.
 */
export type Outcome = "passed" | "failed" | "known" | "incomplete" | "not selected";

export interface Failure<Shown = Exchange> {
  /** What it is about: `status`, `header:allow`, `body:/items/*\/id`, `connection`, `state`, `difference`. */
  readonly aspect: string;
  /** The operation that the guilty exchange called; null where it called none, or on a socket. */
  readonly operation: string | null;
  readonly expected: string;
  readonly actual: string;
  readonly exchanges: readonly Shown[];
  /** Index of the exchange that the finding is about; -1 where nothing was sent. */
  readonly guilty: number;
  /** Sends the same bytes as the guilty exchange; the key stands as `$API_KEY`, and in the place of the run's id a fresh one. */
  readonly curl: string;
  /** Runs this check alone. */
  readonly rerun: string;
}

export interface CheckResult<Shown = Exchange> {
  readonly check: string;
  readonly requirement: Pick<Requirement, "id" | "level" | "origin" | "clause" | "sentence">;
  readonly effect: Effect;
  readonly outcome: Outcome;
  /** Why it was not selected, is incomplete or is known; null otherwise. */
  readonly reason: string | null;
  /** Of one that is incomplete since what it has found is not its own to report: the failed check that reports it. Null for any other. */
  readonly reportedBy: string | null;
  readonly failure: Failure<Shown> | null;
  /** Of a check that passed: the exchange that decided it. Null for any other, and where all exchanges of the run were judged. */
  readonly evidence: Shown | null;
  readonly durationMs: number;
}

export type Verdict =
  | "conformant"
  | "conformant (read only)"
  | "conformant (given)"
  | "conformant (smoke)"
  | "conformant (partial)"
  | "not conformant"
  | "incomplete"
  | "unreachable"
  | "preflight failed";

interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/** A clause of the contract, and what became of its requirements; `judged` is `passed` and `failed`, known failures among these. */
export interface ClauseResult {
  readonly clause: string;
  readonly title: string;
  readonly requirements: number;
  readonly judged: number;
  readonly passed: number;
  readonly failed: number;
  /** What of the clause has no requirement, and why; null when all of it has. */
  readonly untried: string | null;
}

export interface Report<Shown = Exchange> {
  readonly suite: { readonly name: string; readonly version: string };
  readonly contract: { readonly version: string; readonly hash: string };
  readonly target: { readonly url: string; readonly version: string | null };
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly startedAt: string;
    readonly durationMs: number;
    readonly requests: number;
    /** Of these, those of `--explore N`. */
    readonly explored?: number;
    /** The command line, without secrets. */
    readonly command: string;
  };
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly counts: Readonly<Record<Outcome, number>>;
  /** By level, what counted. */
  readonly levels: Readonly<Record<Requirement["level"], Tally>>;
  readonly results: readonly CheckResult<Shown>[];
  readonly excluded: readonly { readonly requirement: string; readonly reason: string }[];
  /** What the verdict covers, clause by clause: requirements of it, those that were judged, and what has none and why. */
  readonly clauses: readonly ClauseResult[];
  /** Entries of `--known-failures` (by id) and `--exceptions` (by pointer) that are themselves wrong. */
  readonly baseline: readonly BaselineProblem[];
  /** E-mail addresses of the users that the run created; no operation deletes them. */
  readonly created: readonly string[];
  /** What is odd about the target, and no fault: a clock that is off. */
  readonly remarks: readonly string[];
  /** Preflight or harness faults, in words. */
  readonly faults: readonly string[];
}

export interface BaselineProblem {
  readonly id: string;
  readonly problem: "stale" | "expired" | "unknown" | "unused";
  /** Of the id of a check that is unknown: the checks that its requirement has today. */
  readonly today?: readonly string[];
}

/** What a verdict covers, clause by clause, in the order of the contract. */
export function coverage(results: readonly CheckResult[]): ClauseResult[] {
  const byRequirement = resultsByRequirement(results);
  return contract.clauses.map(({ id: clause, title, untried }) => {
    const own = contract.requirements.filter((one) => one.clause === clause);
    const outcomes = own.map(({ id }) => outcomeOf(byRequirement.get(id) ?? []));
    const passed = outcomes.filter((one) => one === "passed").length;
    const failed = outcomes.filter((one) => one === "failed").length;
    return { clause, title, requirements: own.length, judged: passed + failed, passed, failed, untried };
  });
}

/** What became of the checks of each requirement that has some. */
export function resultsByRequirement(results: readonly CheckResult[]): Map<string, [CheckResult, ...CheckResult[]]> {
  const byId = new Map<string, [CheckResult, ...CheckResult[]]>();
  for (const result of results) {
    const known = byId.get(result.requirement.id);
    if (known) known.push(result);
    else byId.set(result.requirement.id, [result]);
  }
  return byId;
}

/** A requirement has passed when a check of it has, and none of those that ran said anything else. */
export function outcomeOf(results: readonly CheckResult[]): "passed" | "failed" | "open" {
  const ran = results.filter(({ outcome }) => outcome !== "not selected");
  if (ran.some(({ outcome }) => outcome === "failed" || outcome === "known")) return "failed";
  return ran.length > 0 && ran.every(({ outcome }) => outcome === "passed") ? "passed" : "open";
}

import type { Effect } from "../checks/check.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { contract } from "../contract.ts";
import type { Requirement } from "../oracle/contract.ts";

/** The name of this suite in reports. A test compares the version with package.json. */
export const suite = { name: "atpoint-conformance", version: "3.2.0-dev.0" } as const;

/**
 * `passed`, `failed`; `known` is a failure that the baseline names; `incomplete` could not run (deadline, interrupted); `not
 * selected` was outside the chosen effects, origin, level or pattern, or needs a credential that was not given.
 */
export type Outcome = "passed" | "failed" | "known" | "incomplete" | "not selected";

export interface Failure<Shown = Exchange> {
  /** The aspect of the finding: `status`, `header:allow`, `body:/items/*\/id`, `connection`, `state`, `difference`. */
  readonly aspect: string;
  /** The operation that the decisive exchange called; null if it called none, or on a socket. */
  readonly operation: string | null;
  readonly expected: string;
  readonly actual: string;
  readonly exchanges: readonly Shown[];
  /** Index of the exchange that the finding is about; -1 if nothing was sent. */
  readonly guilty: number;
  /** Sends the same bytes as the decisive exchange, with `$API_KEY` instead of the key and a new id instead of the run's. */
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
  /** For an incomplete check whose finding is not its own to report: the failed check that reports it. Otherwise null. */
  readonly reportedBy: string | null;
  readonly failure: Failure<Shown> | null;
  /** For a check that passed: the exchange that decided it. Otherwise null, also if all exchanges of the run were checked. */
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

/** A clause of the contract, and the results of its requirements; `judged` is `passed` and `failed`, known failures included. */
export interface ClauseResult {
  readonly clause: string;
  readonly title: string;
  readonly requirements: number;
  readonly judged: number;
  readonly passed: number;
  readonly failed: number;
  /** The part of the clause without a requirement, and why; null if there is none. */
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
  /** By level, the counts. */
  readonly levels: Readonly<Record<Requirement["level"], Tally>>;
  readonly results: readonly CheckResult<Shown>[];
  readonly excluded: readonly { readonly requirement: string; readonly reason: string }[];
  /** The coverage of the verdict, clause by clause: requirements, checked ones, and parts without any and why. */
  readonly clauses: readonly ClauseResult[];
  /** Invalid entries of `--known-failures` (by id) and `--exceptions` (by pointer). */
  readonly baseline: readonly BaselineProblem[];
  /** E-mail addresses of the users that the run created; no operation deletes them. */
  readonly created: readonly string[];
  /** Oddities of the target that are not faults: a clock that is off. */
  readonly remarks: readonly string[];
  /** Descriptions of preflight or harness faults. */
  readonly faults: readonly string[];
}

export interface BaselineProblem {
  readonly id: string;
  readonly problem: "stale" | "expired" | "unknown" | "unused";
  /** For an unknown check id: the checks that its requirement has today. */
  readonly today?: readonly string[];
}

/** The coverage of a verdict, clause by clause, in the order of the contract. */
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

/** The results of the checks of each requirement that has some. */
export function resultsByRequirement(results: readonly CheckResult[]): Map<string, [CheckResult, ...CheckResult[]]> {
  const byId = new Map<string, [CheckResult, ...CheckResult[]]>();
  for (const result of results) {
    const known = byId.get(result.requirement.id);
    if (known) known.push(result);
    else byId.set(result.requirement.id, [result]);
  }
  return byId;
}

/** A requirement has passed if a check of it has, and none of those that ran had another result. */
export function outcomeOf(results: readonly CheckResult[]): "passed" | "failed" | "open" {
  const ran = results.filter(({ outcome }) => outcome !== "not selected");
  if (ran.some(({ outcome }) => outcome === "failed" || outcome === "known")) return "failed";
  return ran.length > 0 && ran.every(({ outcome }) => outcome === "passed") ? "passed" : "open";
}

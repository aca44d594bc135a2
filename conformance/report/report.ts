import type { Requirement } from "../../generated/requirements.ts";
import type { Effect } from "../checks/check.ts";
import type { Exchange } from "../client/wire/exchange.ts";

/** This suite, as reports name it. A test holds the version against package.json. */
export const suite = { name: "atpoint-conformance", version: "3.0.3" } as const;

/**
 * `passed`, `failed`; `known` is a failure that the baseline names; `incomplete` could not run (deadline, interrupted);
 * `not selected` was outside the chosen effects, origin, level or pattern, or needs a credential that was not given.
 */
export type Outcome = "passed" | "failed" | "known" | "incomplete" | "not selected";

export interface Failure {
  /** What it is about: `status`, `header:allow`, `body:/items/*\/id`, `connection`, `state`, `difference`. */
  readonly aspect: string;
  readonly expected: string;
  readonly actual: string;
  readonly exchanges: readonly Exchange[];
  /** Sends the same bytes as the last exchange; the key stands as `$API_KEY`. */
  readonly curl: string;
  /** Runs this check alone. */
  readonly rerun: string;
}

export interface CheckResult {
  readonly check: string;
  readonly requirement: Pick<Requirement, "id" | "level" | "origin" | "clause" | "sentence">;
  readonly effect: Effect;
  readonly outcome: Outcome;
  /** Why it was not selected, is incomplete or is known; null otherwise. */
  readonly reason: string | null;
  readonly failure: Failure | null;
  readonly durationMs: number;
}

export type Verdict =
  | "conformant"
  | "conformant (read only)"
  | "conformant (partial)"
  | "not conformant"
  | "incomplete"
  | "unreachable"
  | "preflight failed";

export interface Report {
  readonly suite: { readonly name: string; readonly version: string };
  readonly contract: { readonly version: string; readonly hash: string };
  readonly target: { readonly url: string; readonly version: string | null };
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly startedAt: string;
    readonly durationMs: number;
    readonly requests: number;
    /** The command line, without secrets. */
    readonly command: string;
  };
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly counts: Readonly<Record<Outcome, number>>;
  /** By level, what counted. */
  readonly levels: Readonly<Record<Requirement["level"], { readonly passed: number; readonly failed: number }>>;
  readonly results: readonly CheckResult[];
  readonly excluded: readonly { readonly requirement: string; readonly reason: string }[];
  /** Entries of `--known-failures` (by id) and `--exceptions` (by pointer) that are themselves wrong. */
  readonly baseline: readonly { readonly id: string; readonly problem: "stale" | "expired" | "unknown" | "unused" }[];
  /** E-mail addresses of the users that the run created; no operation deletes them. */
  readonly created: readonly string[];
  /** Preflight or harness faults, in words. */
  readonly faults: readonly string[];
}

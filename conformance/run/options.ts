import type { Gateway } from "../http/gateway.ts";
import type { Target } from "../http/target.ts";
import type { Operation } from "../oracle/contract.ts";
import type { KnownFailure } from "./baseline.ts";
import type { Selection } from "./select.ts";

export interface Credential {
  readonly key: string;
  readonly platform: string;
}

/** The keys of a run against one target. */
export interface Credentials {
  readonly full: Credential;
  /** Others, by their kind: `expired`, or the scope that a key has alone. */
  readonly special: Readonly<Record<string, Credential>>;
}

/** A difference that is meant, by its location: `status`, `header/server`, `#/runtime`; behind a case and a blank: only there. */
export interface Exception {
  readonly pointer: string;
  readonly reason: string;
}

/** The deployment that another is compared with, and what a run may do there. */
export interface Pair extends Pick<RunOptions, "mayWrite" | "mayHarm"> {
  readonly target: Target;
  readonly credentials: Credentials;
  readonly exceptions: readonly Exception[];
}

/** What a run does unless its options say otherwise. */
export const DEFAULTS = {
  /** Longer than D13 gives a handler. */
  timeoutMs: 12_000,
  /** A paced default run of a remote deployment needs a third of it. */
  deadlineMs: 3_600_000,
  concurrency: 8,
  /** Together with what covers every decision, a run stays below 5,500 requests. */
  draws: 190,
} as const;

export interface RunOptions {
  readonly target: Target;
  readonly credentials: Credentials;
  readonly gateway: Gateway;
  /** The variable of the environment that names a proxy, which is not used (`proxyIn`). */
  readonly proxy?: string | undefined;
  /** Whether it may create records, and send what no client should. */
  readonly mayWrite: boolean;
  readonly mayHarm: boolean;
  /** All of them by default. */
  readonly selection?: Selection;
  readonly knownFailures?: readonly KnownFailure[];
  /** Sixteen hexadecimal digits; a new one if it is not given. */
  readonly runId?: string;
  /** Decides which cases a run draws, and their order. */
  readonly seed: number;
  /** How many cases the seed draws from those that are not in the covering set. */
  readonly draws: number;
  /** How many requests of several rows at once the seed draws, instead of the cases of the contract. */
  readonly explore?: number | undefined;
  /** Sends every case. */
  readonly isExhaustive: boolean;
  /** A first look: golden exchanges, and for each requirement a case that is rejected and one that is not. */
  readonly isSmoke?: boolean;
  /** Waits for time-outs of the target. */
  readonly isSlow: boolean;
  readonly concurrency: number;
  /** Per request, in milliseconds. */
  readonly timeoutMs: number;
  /** For the whole run. */
  readonly deadlineMs: number;
  /** Gives an exhaustive run of a remote deployment the time that its requests take. */
  readonly isDeadlineOpen?: boolean;
  /** Another deployment that this one is compared with. */
  readonly pair?: Pair | undefined;
  /** Ends the run after so many requirements have failed. */
  readonly maxFailures?: number | undefined;
  /** A SHOULD counts like a MUST. */
  readonly isStrict?: boolean;
  /** What is not selected makes the run incomplete. */
  readonly isComplete?: boolean;
  /** Ends the run early; the results so far remain. */
  readonly signal?: AbortSignal | undefined;
  /** Gets a line about what the run waits for, or finds odd. */
  readonly tell: (line: string) => void;
  /** Gets, after each case and script, how many of all have ended, and how many requirements have failed. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number; readonly failed: number }) => void;
}

/** The values of a valid call of an operation. */
export type Input = Operation["example"];

import type { Operation } from "../../oracle/contract.ts";
import type { Gateway } from "../http/gateway.ts";
import type { Target } from "../http/target.ts";
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

export interface RunOptions {
  readonly target: Target;
  readonly credentials: Credentials;
  readonly gateway: Gateway;
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
  /** Waits for time-outs of the target. */
  readonly isSlow: boolean;
  readonly concurrency: number;
  /** Per request, in milliseconds. */
  readonly timeoutMs: number;
  readonly deadlineMs: number;
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

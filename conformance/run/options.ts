import type { Gateway } from "../http/gateway.ts";
import type { Target } from "../http/target.ts";
import type { Contract, Operation, Requirement } from "../oracle/contract.ts";
import type { Credentials } from "../secrets/credentials.ts";

/** Which requirements a run is for. */
export interface Selection {
  /** Patterns on ids of requirements, `*` for any characters; `only` empty: every requirement. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** This level and those above it: MUST, then SHOULD, then MAY. */
  readonly level: Requirement["level"];
  /** Those of this profile alone; null: both. */
  readonly profile: "operations" | null;
  /** The id of one case or script, which is all that is sent; null: the plan of the run. */
  readonly case: string | null;
}

export const everything: Selection = {
  only: [],
  skip: [],
  level: "MAY",
  profile: null,
  case: null,
};

export const OUTSIDE_ONLY = "outside --only";
export const OUTSIDE_PROFILE = "outside --profile operations";

const RANK = { MUST: 0, SHOULD: 1, MAY: 2 } as const satisfies Record<Requirement["level"], number>;

/** Whether a text is as a pattern says: `*` is any characters, also none. */
export function matches(pattern: string, text: string): boolean {
  const source = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${source.join(".*")}$`, "s").test(text);
}

/** Patterns that match no requirement: an error of the caller, not an empty run. */
export const unmatched = (
  { requirements }: Contract,
  patterns: readonly string[],
): readonly string[] =>
  patterns.filter((pattern) => !requirements.some(({ id }) => matches(pattern, id)));

function unselectedReason(
  { id, level, profile = "operations" }: Requirement,
  { only, skip, level: least, profile: wanted }: Selection,
): string | null {
  if (wanted !== null && profile !== wanted) return OUTSIDE_PROFILE;
  if (only.length > 0 && !only.some((pattern) => matches(pattern, id))) return OUTSIDE_ONLY;
  if (skip.some((pattern) => matches(pattern, id))) return "skipped by --skip";
  return RANK[level] > RANK[least] ? `outside --level ${least}` : null;
}

/** The requirements that are not selected, each with the reason. */
export function leftBy(
  selection: Selection,
  { requirements }: Contract,
): ReadonlyMap<string, string> {
  const known = requirements.map((one) => [one.id, unselectedReason(one, selection)] as const);
  return new Map(known.flatMap(([id, reason]) => (reason === null ? [] : [[id, reason] as const])));
}

/**
 * A difference that is meant, by its location: `status`, `header/server`, `#/runtime`; behind a
 * case and a blank: only there.
 */
export interface Exception {
  readonly pointer: string;
  readonly reason: string;
}

/** A failure that is known and accepted for a limited time. */
export interface KnownFailure {
  /** The id of a requirement. */
  readonly id: string;
  /** A pattern on the ids of its cases and scripts that may fail; absent: all of them. */
  readonly case?: string;
  readonly reason: string;
  /** The last day on which it is accepted, UTC: `2026-12-31`. */
  readonly until: string;
}

/** The deployment that another is compared with, and what a run may do there. */
interface Pair extends Pick<RunOptions, "target" | "credentials" | "allowWrite" | "allowHostile"> {
  readonly exceptions: readonly Exception[];
}

/** A paced default run of a remote deployment needs a third of it. */
export const DEADLINE_MS = 3_600_000;

/** The options of a run that have a default. */
interface Defaults {
  readonly selection: Selection;
  readonly knownFailures: readonly KnownFailure[];
  /** How many cases the seed draws from those that are not in the covering set. */
  readonly randomCaseCount: number;
  /** Sends every case. */
  readonly isExhaustive: boolean;
  /** Waits for time-outs of the target. */
  readonly isSlow: boolean;
  readonly concurrency: number;
  /** Per request, in milliseconds. */
  readonly timeoutMs: number;
  /** Gets a line about what the run waits for, or finds odd. */
  readonly tell: (line: string) => void;
}

/** What a run does unless its options say otherwise. */
export const DEFAULTS: Defaults = {
  selection: everything,
  knownFailures: [],
  isExhaustive: false,
  isSlow: false,
  concurrency: 8,
  tell: () => {},
  /** Longer than D13 gives a handler. */
  timeoutMs: 12_000,
  /** Together with what covers every decision, a run stays below 5,500 requests. */
  randomCaseCount: 20,
};

export interface RunOptions extends Partial<Defaults> {
  readonly target: Target;
  readonly credentials: Credentials;
  readonly gateway: Gateway;
  /** The variable of the environment that names a proxy, which is not used (`proxyIn`). */
  readonly proxy?: string | undefined;
  /** Whether it may create records, and send what no client should. */
  readonly allowWrite: boolean;
  readonly allowHostile: boolean;
  /** Sixteen hexadecimal digits; a new one if it is not given. */
  readonly runId?: string;
  /** Decides which cases a run draws, and their order. */
  readonly seed: number;
  /**
   * How many requests of several rows at once the seed draws, instead of the cases of the contract.
   */
  readonly explore?: number | undefined;
  /**
   * A first look: golden exchanges, and for each requirement a case that is rejected and one that
   * is not.
   */
  readonly isSmoke?: boolean;
  /**
   * For the whole run; without it an exhaustive run of a remote deployment has the time that its
   * requests take.
   */
  readonly deadlineMs?: number | undefined;
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
  /** Is called when the preflight has passed, before the first case. */
  readonly onStart?: () => void;
  /** Gets each wait for a 429, in milliseconds. */
  readonly onLimit?: (waitMs: number) => void;
  /**
   * Gets, after each case and script, how many of all have ended, and how many requirements have
   * failed.
   */
  readonly onProgress?: (progress: {
    readonly done: number;
    readonly total: number;
    readonly failed: number;
    /** The part of the work that is done, by which the time left is estimated. */
    readonly share: number;
  }) => void;
}

/** The options of a run, with their defaults. */
export type Settled = RunOptions & Defaults;

/** The values of a valid call of an operation. */
export type Input = Operation["example"];

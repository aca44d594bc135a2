import type { Credentials, RunOptions } from "../run/options.ts";
import type { Outcome, Results } from "../run/results.ts";
import type { Verdict } from "../run/verdict.ts";

export interface ReplayOptions extends Pick<RunOptions, "target" | "selection" | "knownFailures" | "isStrict"> {
  /** Null: every key is unknown. */
  readonly credentials: Credentials | null;
  /** Shows the strings of records. */
  readonly isVerbose?: boolean;
}

/** How many entries were compared, and why others were not, or not with everything. */
export interface Counts {
  /** With a prediction. */
  readonly compared: number;
  readonly byLawsOnly: number;
  /** By reason. */
  readonly undecided: ReadonlyMap<string, number>;
  readonly left: ReadonlyMap<string, number>;
  /** Those of them whose body is missing or cut. */
  readonly withoutBody: number;
}

export interface Replayed {
  readonly verdict: Verdict;
  readonly exitCode: number;
  readonly outcomes: readonly Outcome[];
  readonly results: Results;
  readonly counts: Counts;
  /** The numbers of the entries about which something was found. */
  readonly wrong: ReadonlySet<number>;
}

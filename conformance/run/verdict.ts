import type { RunOptions } from "./options.ts";
import { isLeft, type Outcome } from "./results.ts";
import type { Preflight } from "./state.ts";

/** Exit codes of the command. */
export const EXIT = {
  conformant: 0,
  notConformant: 1,
  usage: 2,
  preflight: 3,
  harness: 4,
  incomplete: 5,
} as const;

/** The exit code of several runs: the gravest one, in the order of this list. */
export const worst = (codes: readonly number[]): number =>
  [EXIT.preflight, EXIT.notConformant, EXIT.harness, EXIT.incomplete].find((code) =>
    codes.includes(code),
  ) ?? EXIT.conformant;

export type Verdict =
  | "conformant"
  | "conformant (exhaustive)"
  | "conformant (read only)"
  | "conformant (smoke)"
  | "conformant (recorded)"
  | "conformant (partial)"
  | "conformant (operations)"
  | "conformant (given)"
  | "not conformant"
  | "incomplete"
  | "unreachable"
  | "preflight failed";

interface Ending {
  readonly outcomes: readonly Outcome[];
  readonly faults: readonly string[];
  /** Entries of the known failures that are out of date. */
  readonly stale: number;
  readonly preflight: Preflight["verdict"];
}

interface Mode
  extends Pick<
    RunOptions,
    | "isStrict"
    | "selection"
    | "isComplete"
    | "isExhaustive"
    | "isSmoke"
    | "allowWrite"
    | "allowHostile"
  > {
  /** Only what is given was checked. */
  readonly isGiven?: boolean;
}

/**
 * Most severe first: the preflight, a requirement that is not met (its exchange is proof by itself,
 * whatever else went wrong), a fault of the harness, what could not be completed.
 */
export function verdictOf(
  { outcomes, faults, stale, preflight }: Ending,
  {
    isStrict,
    selection,
    isComplete,
    isExhaustive,
    isGiven,
    isSmoke,
    allowWrite,
    allowHostile,
  }: Mode,
): { readonly verdict: Verdict; readonly exitCode: number } {
  if (preflight !== null) return { verdict: preflight, exitCode: EXIT.preflight };
  const counts = ({ unexpected, requirement }: Outcome) =>
    unexpected > 0 &&
    (requirement.level === "MUST" || (isStrict && requirement.level === "SHOULD"));
  if (outcomes.some(counts) || stale > 0)
    return { verdict: "not conformant", exitCode: EXIT.notConformant };
  if (faults.length > 0) return { verdict: "incomplete", exitCode: EXIT.harness };
  const left = outcomes.some(isLeft);
  const isOpen =
    outcomes.some(({ outcome }) => outcome === "incomplete") ||
    !outcomes.some(({ outcome }) => outcome === "passed");
  if (isOpen || (isComplete && left)) return { verdict: "incomplete", exitCode: EXIT.incomplete };
  const exitCode = EXIT.conformant;
  if (isSmoke) return { verdict: "conformant (smoke)", exitCode };
  if (isGiven) return { verdict: "conformant (given)", exitCode };
  if (!allowWrite && !allowHostile) return { verdict: "conformant (read only)", exitCode };
  if (left || !allowWrite || !allowHostile) return { verdict: "conformant (partial)", exitCode };
  if (selection?.profile) return { verdict: "conformant (operations)", exitCode };
  return { verdict: isExhaustive ? "conformant (exhaustive)" : "conformant", exitCode };
}

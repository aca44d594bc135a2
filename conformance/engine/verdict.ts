import type { Check } from "../checks/check.ts";
import type { CheckResult, Report, Verdict } from "../report/report.ts";
import { NEEDS_ALLOW, OUTSIDE_GIVEN, OUTSIDE_SMOKE } from "./select.ts";

/** Exit codes of the command. */
export const EXIT = {
  conformant: 0,
  notConformant: 1,
  usage: 2,
  preflight: 3,
  harness: 4,
  incomplete: 5,
} as const;

export interface Ending {
  readonly results: readonly CheckResult[];
  readonly faults: readonly string[];
  readonly baseline: Report["baseline"];
  readonly preflight: "unreachable" | "preflight failed" | null;
  readonly checks: readonly Check[];
}

/**
 * Most severe first: the preflight, a requirement that is not met (its exchange is proof by itself, whatever else went wrong), a
 * fault of the harness, checks that could not run. A pair check without a second deployment leaves nothing open about the first.
 */
export function verdictOf(
  { results, faults, baseline, preflight, checks }: Ending,
  { strict = false, complete = false }: { readonly strict?: boolean; readonly complete?: boolean },
): { verdict: Verdict; exitCode: number } {
  if (preflight !== null) return { verdict: preflight, exitCode: EXIT.preflight };
  const counts = ({ outcome, requirement }: CheckResult) =>
    outcome === "failed" && (requirement.level === "MUST" || (strict && requirement.level === "SHOULD"));
  if (baseline.length > 0 || results.some(counts)) return { verdict: "not conformant", exitCode: EXIT.notConformant };
  if (faults.length > 0) return { verdict: "incomplete", exitCode: EXIT.harness };
  const pairs = new Set(checks.flatMap(({ id, kind }) => (kind === "pair" ? [id] : [])));
  const left = results.filter(({ outcome, check }) => outcome === "not selected" && !pairs.has(check));
  const ran = results.filter(({ outcome }) => outcome !== "not selected");
  const isOpen = ran.length === 0 || ran.some(({ outcome }) => outcome === "incomplete");
  if (isOpen || (complete && left.length > 0)) return { verdict: "incomplete", exitCode: EXIT.incomplete };
  return { verdict: extent(ran, left, checks), exitCode: EXIT.conformant };
}

/**
 * The extent of a run without findings. Checks that wait for a time-out are a separate group: without them the run still counts
 * as whole.
 */
function extent(ran: readonly CheckResult[], left: readonly CheckResult[], checks: readonly Check[]): Verdict {
  const slow = new Set(checks.flatMap(({ id, slow }) => (slow ? [id] : [])));
  const missing = left.filter(({ check }) => !slow.has(check));
  if (missing.length === 0) return "conformant";
  if (missing.some(({ reason }) => reason === OUTSIDE_SMOKE)) return "conformant (smoke)";
  const hasRead = ran.every(({ effect }) => effect === "read");
  if (hasRead && missing.some(({ reason }) => reason?.startsWith(NEEDS_ALLOW))) return "conformant (read only)";
  return missing.every(({ reason }) => reason === OUTSIDE_GIVEN) ? "conformant (given)" : "conformant (partial)";
}

/** The most severe exit code of several runs: an unreachable target, a failure, a fault of the harness, an incomplete run. */
export function worst(codes: readonly number[]): number {
  const gravity = [EXIT.usage, EXIT.preflight, EXIT.notConformant, EXIT.harness, EXIT.incomplete];
  return gravity.find((code) => codes.includes(code)) ?? EXIT.conformant;
}

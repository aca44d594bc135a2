import type { Check, Effect } from "../checks/check.ts";
import { isGiven } from "../client/operation.ts";
import { contract } from "../contract.ts";
import type { Requirement } from "../oracle/contract.ts";

export type Level = Requirement["level"];

/** What a run is to check. */
export interface Selection {
  readonly origin: "given" | "all";
  /** This level and those above it: MUST, then SHOULD, then MAY. */
  readonly level: Level;
  /** Patterns over check ids or requirement ids, `*` for any characters; none: every check. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly effects: readonly Effect[];
  readonly slow: boolean;
  /** Only what a few requests can check. */
  readonly smoke?: boolean;
  readonly credentials: readonly string[];
  /** Whether there is a second deployment to compare with. */
  readonly pair: boolean;
}

export interface Selected {
  readonly selected: readonly Check[];
  readonly left: readonly { readonly check: Check; readonly reason: string }[];
}

const RANK = { MUST: 0, SHOULD: 1, MAY: 2 } as const satisfies Record<Level, number>;

export const NEEDS_ALLOW = "needs --allow-";
export const OUTSIDE_GIVEN = "outside --origin given";
export const OUTSIDE_SMOKE = "outside --smoke";
export const NEEDS_SECOND_URL = "needs a second --url";

const byId = new Map(contract.requirements.map((requirement) => [requirement.id, requirement]));

/** The requirement of a check; every check has one, since its id has a generated type. */
export function requirementOf(check: Check): Requirement {
  const requirement = check.own ?? byId.get(check.requirement);
  if (!requirement) throw new Error(`${check.id}: no such requirement`);
  return requirement;
}

function matches(pattern: string, check: Check): boolean {
  const source = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const regex = new RegExp(`^${source.join(".*")}$`);
  return regex.test(check.id) || regex.test(check.requirement);
}

/** Patterns that match no check: an error of the caller, not an empty run. */
export function unmatched(checks: readonly Check[], patterns: readonly string[]): string[] {
  return patterns.filter((pattern) => !checks.some((check) => matches(pattern, check)));
}

/** Why a check is not selected; null if it is. */
function reasonAgainst(check: Check, selection: Selection): string | null {
  const { origin, level } = requirementOf(check);
  const { only, skip } = selection;
  if (only.length > 0 && !only.some((pattern) => matches(pattern, check))) return "outside --only";
  if (skip.some((pattern) => matches(pattern, check))) return "skipped by --skip";
  if (selection.origin === "given" && (origin !== "given" || check.decided || (check.of && !isGiven(check.of))))
    return OUTSIDE_GIVEN;
  if (selection.smoke && !check.brief) return OUTSIDE_SMOKE;
  if (RANK[level] > RANK[selection.level]) return `outside --level ${selection.level}`;
  if (!selection.effects.includes(check.effect)) return `${NEEDS_ALLOW}${check.effect}`;
  const missing = check.needs.filter((name) => !selection.credentials.includes(name));
  if (missing.length > 0) return `needs the credential ${missing.join(" and ")} (--credentials FILE)`;
  if (check.slow && !selection.slow) return "waits for a time-out: needs --slow";
  if (check.kind === "pair" && !selection.pair) return NEEDS_SECOND_URL;
  return null;
}

/** Splits the checks into those that run and those that do not, with the reason for each of the latter. */
export function select(checks: readonly Check[], selection: Selection): Selected {
  const judged = checks.map((check) => ({ check, reason: reasonAgainst(check, selection) }));
  return {
    selected: judged.flatMap(({ check, reason }) => (reason === null ? [check] : [])),
    left: judged.flatMap(({ check, reason }) => (reason === null ? [] : [{ check, reason }])),
  };
}

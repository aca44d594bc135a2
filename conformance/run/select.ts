import type { Contract, Requirement } from "../oracle/contract.ts";

/** Which requirements a run is for. */
export interface Selection {
  /** Patterns on ids of requirements, `*` for any characters; `only` empty: every requirement. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** This level and those above it: MUST, then SHOULD, then MAY. */
  readonly level: Requirement["level"];
  /** The id of one case or script, which is all that is sent; null: the plan of the run. */
  readonly case: string | null;
}

export const everything: Selection = { only: [], skip: [], level: "MAY", case: null };

export const OUTSIDE_ONLY = "outside --only";

const RANK = { MUST: 0, SHOULD: 1, MAY: 2 } as const satisfies Record<Requirement["level"], number>;

/** Whether a text is as a pattern says: `*` is any characters, also none. */
export function matches(pattern: string, text: string): boolean {
  const source = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${source.join(".*")}$`, "s").test(text);
}

/** Patterns that match no requirement: an error of the caller, not an empty run. */
export const unmatched = ({ requirements }: Contract, patterns: readonly string[]): readonly string[] =>
  patterns.filter((pattern) => !requirements.some(({ id }) => matches(pattern, id)));

function reasonAgainst({ id, level }: Requirement, { only, skip, level: least }: Selection): string | null {
  if (only.length > 0 && !only.some((pattern) => matches(pattern, id))) return OUTSIDE_ONLY;
  if (skip.some((pattern) => matches(pattern, id))) return "skipped by --skip";
  return RANK[level] > RANK[least] ? `outside --level ${least}` : null;
}

/** The requirements that are not selected, each with the reason. */
export function leftBy(selection: Selection, { requirements }: Contract): ReadonlyMap<string, string> {
  const known = requirements.map((one) => [one.id, reasonAgainst(one, selection)] as const);
  return new Map(known.flatMap(([id, reason]) => (reason === null ? [] : [[id, reason] as const])));
}

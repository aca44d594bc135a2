import type { Operation } from "../oracle/contract.ts";
import type { Mutation } from "../requests/draft.ts";
import { byPart, drawn } from "../requests/draw.ts";
import { type Case, createCase } from "../requests/generate.ts";
import { BY_HEAD, IN_QUERY } from "../requests/modes.ts";
import { chance, some } from "./random.ts";
import type { Run } from "./state.ts";

/** Cases of several rows at once, as `--explore` draws them. */

/** The share of the requests of an exploration that are steps of a sequence. */
const IN_SEQUENCES = 0.1;
const BY_OTHER_MODE = 0.15;
/** How many of the requests are sent in sequences. */
export const stepsOf = (explore: number): number => Math.round(explore * IN_SEQUENCES);

/** Single requests of two and three rows at once. */
export function* randomCases(
  { suite: { tables }, source }: Run,
  operations: readonly Operation[],
  explore: number,
  random: () => number,
): Generator<Case> {
  const parts = new Map(
    operations.map((one) => [one, dimensionsOf(tables.mutationsByOperation, one)]),
  );
  const known = new Set<string>();
  // Where a contract has few rows, all that can be drawn are soon known.
  for (let tries = 0; tries < 2 * explore && known.size < explore - stepsOf(explore); tries++)
    for (const operation of some(random, operations)) {
      const rows = [...drawn(parts.get(operation) ?? [], random), ...modes(random, operation)];
      const testCase = createCase(source, operation, rows);
      if (!testCase || known.has(testCase.id)) continue;
      known.add(testCase.id);
      yield testCase;
    }
}

export const dimensionsOf = (
  tables: Run["suite"]["tables"]["mutationsByOperation"],
  { id }: Operation,
) => byPart(tables.get(id)?.values() ?? []);

export const modes = (random: () => number, { method }: Operation): readonly Mutation[] => [
  ...(chance(random, BY_OTHER_MODE) ? [IN_QUERY] : []),
  ...(method === "GET" && chance(random, BY_OTHER_MODE) ? [BY_HEAD] : []),
];

// The closed matrix: requirement ↔ check ↔ mutant, recorded in matrix.json and seen again here.
import { describe, expect, it } from "vitest";
import { requirements } from "../../generated/requirements.ts";
import { checks, exclusions } from "../checks/index.ts";
import { mutants } from "./index.ts";
import { onServices } from "./laboratory.ts";
import { judgeOf, readMatrix } from "./matrix.ts";
import { plan, replay } from "./replay.ts";
import { senders } from "./trial.ts";

const matrix = readMatrix();
const red = new Set(Object.values(matrix).flat().map(judgeOf));
const repeated = (ids: readonly string[]) => ids.filter((id, index) => ids.indexOf(id) !== index);

describe("the matrix", () => {
  it("has a check or an exclusion with a reason for every requirement, and not both", () => {
    const checked = new Set<string>(checks.map(({ requirement }) => requirement));
    const excluded = new Set<string>(exclusions.map(({ requirement }) => requirement));
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id) => checked.has(id) === excluded.has(id))).toEqual([]);
    for (const { reason } of exclusions) expect(reason.length).toBeGreaterThan(20);
  });

  it("has no id twice", () => {
    expect(repeated(checks.map(({ id }) => id))).toEqual([]);
    expect(repeated(mutants.map(({ id }) => id))).toEqual([]);
  });

  it("has a line for every mutant, and for no other: npm run mutants -- record", () => {
    expect(Object.keys(matrix).sort()).toEqual(mutants.map(({ id }) => id).sort());
  });

  it("has a check that catches each mutant", () => {
    expect(Object.keys(matrix).filter((id) => matrix[id]?.length === 0)).toEqual([]);
  });

  it("has a mutant that each check catches", () => {
    expect(checks.map(({ id }) => id).filter((id) => !red.has(id))).toEqual([]);
  });

  it("is seen again: one kill for each mutant, one for each check", { timeout: 1_200_000 }, async () => {
    const planned = plan(matrix, mutants, senders);
    // Those that wait for a time-out wait for nobody else.
    const halves = [true, false].map((slow) => planned.filter(({ check }) => check.slow === slow));
    const lost = await Promise.all(halves.map((some) => onServices((bench) => replay(some, bench))));
    expect(lost.flat()).toEqual([]);
  });
});

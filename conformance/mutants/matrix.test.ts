// The closed matrix: requirement ↔ check ↔ mutant, recorded in matrix.json and seen again here.
import { describe, expect, it } from "vitest";
import { operations } from "../../generated/operations.ts";
import { requirements } from "../../generated/requirements.ts";
import { checks, exclusions } from "../checks/index.ts";
import { mutants } from "./index.ts";
import { kept } from "./kept.ts";
import { onServices } from "./laboratory.ts";
import { judgeOf, readMatrix, readOnly } from "./matrix.ts";
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

  it("has for each check a mutant that no other catches, or a reason why it stays: npm run mutants -- only", () => {
    const only = readOnly();
    const isAlone = ([check, mutant]: [string, string]) => matrix[mutant]?.every((kill) => judgeOf(kill) === check);
    expect(Object.entries(only).filter((one) => !isAlone(one))).toEqual([]);
    const namesOne = (id: string) => Object.keys(operations).some((name) => id.split("#")[1]?.includes(name));
    const redundant = checks.filter(
      ({ id, requirement }) =>
        !(id in only || namesOne(id)) && checks.some((one) => one.requirement === requirement && one.id !== id),
    );
    const reasons = Object.values(kept).flat();
    expect(redundant.flatMap(({ id, requirement }) => (reasons.includes(requirement) ? [] : [id]))).toEqual([]);
    // One that is needed after all has none.
    const needless = reasons.filter((reason) => !redundant.some(({ requirement }) => requirement === reason));
    expect([...needless, ...repeated(reasons)]).toEqual([]);
  });

  it("is seen again: one kill for each mutant, one for each check", { timeout: 1_200_000 }, async () => {
    const planned = plan(matrix, mutants, senders);
    // Those that wait for a time-out wait for nobody else.
    const halves = [true, false].map((slow) => planned.filter(({ check }) => check.slow === slow));
    const lost = await Promise.all(halves.map((some) => onServices((bench) => replay(some, bench))));
    expect(lost.flat()).toEqual([]);
  });
});

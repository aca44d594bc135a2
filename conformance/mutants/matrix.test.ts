// The closed matrix: requirement ↔ check ↔ mutant, recorded in matrix.json and seen again here.
import { describe, expect, it } from "vitest";
import { requirements } from "../../generated/requirements.ts";
import { checks, exclusions } from "../checks/index.ts";
import { mutants } from "./index.ts";
import { equivalent, isJustified, open, unproven } from "./justified.ts";
import { judgeOf, readMatrix } from "./matrix.ts";
import { goodRun } from "./record.ts";
import { plan, replay } from "./replay.ts";
import { senders } from "./trial.ts";

const matrix = readMatrix();
const kills = Object.values(matrix).map((list) => list ?? []);
const red = new Set(kills.flat().map(judgeOf));
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

  it("has a check that catches each mutant, but those that are right for a reason, or known to be open", () => {
    const survivors = Object.keys(matrix).filter((id) => matrix[id]?.length === 0);
    expect(survivors.filter((id) => !isJustified(id))).toEqual([]);
    const stale = [...equivalent, ...open].filter(([pattern]) => !survivors.some((id) => pattern.test(id)));
    expect(stale).toEqual([]);
  });

  it("has a mutant that each check catches", () => {
    const idle = checks.map(({ id }) => id).filter((id) => !red.has(id));
    expect(idle.filter((id) => !unproven.some(([pattern]) => pattern.test(id)))).toEqual([]);
    expect(unproven.filter(([pattern]) => !idle.some((id) => pattern.test(id)))).toEqual([]);
  });

  it("passes the right service behind a proxy that changes nothing, check by check", { timeout: 600_000 }, async () => {
    const { seen } = await goodRun(senders);
    expect(seen.size).toBe(senders.length);
  });

  // On a shared machine a trial may end too late, or a race go the other way: one in fifty may be lost, and is named.
  it("is seen again: one kill for each mutant, one for each check", { timeout: 1_200_000 }, async () => {
    const planned = plan(matrix, mutants, senders);
    const lost = await replay(planned);
    if (lost.length > 0) console.warn(lost.join("\n"));
    expect(lost.length).toBeLessThan(planned.length / 50);
  });
});

// Deployments that are right, and not like ours: what the contract leaves open must not be judged.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onLanes, onService, seededService } from "../mutants/laboratory.ts";
import { judgeBehind, type Sender, senders } from "../mutants/trial.ts";
import type { RunningService } from "../test/service.test-kit.ts";
import { answersOfOne, answersOfOther } from "./answers.ts";
import { behaviourOfOne, behaviourOfOther } from "./behaviour.ts";
import { type Right, together } from "./right.ts";

// The comparison of two deployments tells of just such differences: it is there to list them.
const quick = senders.filter(({ slow, kind }) => !slow && kind === "target");

/** The checks that do not let these differences pass, and why. */
async function refusedBy(
  name: string,
  checks: readonly Sender[],
  rights: readonly Right[],
  service: RunningService,
): Promise<string[]> {
  const refused: string[] = [];
  await onLanes(
    onService(service),
    checks,
    (check) => check,
    async (check) => {
      const { outcome, expectation, reason } = await judgeBehind(together(rights), name, check, service);
      if (outcome !== "passed") refused.push(`${check.id}: ${expectation?.message ?? reason}`.slice(0, 400));
    },
  );
  return refused;
}

describe("a right deployment that is not like ours", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await seededService();
  }, 60_000);
  afterAll(() => service?.stop());

  it.each([
    ["one", [...behaviourOfOne, ...answersOfOne]],
    ["another", [...behaviourOfOther, ...answersOfOther]],
  ])("passes every check: %s, different in everything at once", { timeout: 600_000 }, async (name, rights) => {
    const refused = await refusedBy(name, quick, rights, service);
    // Which of the differences it was, each tells alone.
    const ids = new Set(refused.map((line) => line.split(": ", 1)[0]));
    const again = quick.filter(({ id }) => ids.has(id));
    const guilty: string[] = [];
    for (const right of again.length > 0 ? rights : [])
      for (const line of await refusedBy(right.id, again, [right], service)) guilty.push(`${right.id}: ${line}`);
    expect([...refused, ...guilty]).toEqual([]);
  });
});

// Sockets, time and histories: each hand-written broken server is caught by a check of its requirements.
import { expect, it } from "vitest";
import data from "../../generated/contract.json" with { type: "json" };
import { listOf } from "../lists/list.ts";
import { find } from "../sequences/broken/find.test-kit.ts";
import { checks, exclusions } from "../suite.ts";
import { mutants } from "./index.ts";
import { lanes, onServices } from "./laboratory.ts";
import { concerns, type WildMutant } from "./mutant.ts";
import { type Sender, senders, trial } from "./trial.ts";

const { requirements } = data;

const repeated = (ids: readonly string[]) => ids.filter((id, index) => ids.indexOf(id) !== index);

it("every requirement has a check or an exclusion with a reason, and not both; no id is there twice", () => {
  const checked = new Set<string>(checks.map(({ requirement }) => requirement));
  const excluded = new Set<string>(exclusions.map(({ requirement }) => requirement));
  const ids = requirements.map(({ id }) => id);
  expect(ids.filter((id) => checked.has(id) === excluded.has(id))).toEqual([]);
  for (const { reason } of exclusions) expect(reason.length).toBeGreaterThan(20);
  expect(repeated(checks.map(({ id }) => id))).toEqual([]);
  expect(repeated(mutants.map(({ id }) => id))).toEqual([]);
});

/** The checks of its requirements. */
const checksOf = (mutant: WildMutant) => senders.filter(({ requirement }) => concerns(mutant, requirement));

/** Lists late: they send most. Last those that wait. */
const turns: readonly ((check: Sender) => boolean)[] = [
  (check) => !check.slow && !listOf(check),
  (check) => !check.slow && Boolean(listOf(check)),
  ({ slow }) => slow,
];

it("each is caught by a check of its requirements", async () => {
  const open = new Set(mutants);
  await onServices(async (bench) => {
    for (const turn of turns)
      for (const { width, takes } of lanes)
        await bench([...open], width, async (mutant, service) => {
          for (const check of checksOf(mutant).filter((one) => turn(one) && takes(one))) {
            if ((await trial(mutant, check, service)).length === 0) continue;
            open.delete(mutant);
            return;
          }
        });
    // What only histories show.
    await bench([...open], 1, async (mutant, service) => {
      if (await find([mutant.id, mutant.hooks], service, 1, (one) => concerns(mutant, one))) open.delete(mutant);
    });
  });
  expect([...open].map(({ id }) => id)).toEqual([]);
});

// The hand-written broken servers have names of their own, as the checks that find them do. Who finds each is in the referee.
import { expect, it } from "vitest";
import data from "../../generated/contract.json" with { type: "json" };
import { checks, exclusions } from "../suite.ts";
import { mutants } from "./index.ts";

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

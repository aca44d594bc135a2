// Mutants without servers: every decision of the oracle, and the order of its checks, made wrongly in every way, is shown by a
// request of the lists.
import { expect, it } from "vitest";
import { ours } from "../lists/ours.ts";
import { nameOf, trialsOf, tryPoints } from "../next/requests/points.ts";
import { EQUIVALENT, OPEN, withoutReason } from "./equivalent.ts";
import { offline } from "./offline.ts";

it("every point of the oracle, decided wrongly for all requests, has another right response to a request of the lists", () => {
  const { requests, world } = offline();
  const { mutants, survivors } = tryPoints(ours, world, trialsOf(ours, world, requests), ["all"]);
  expect(mutants).toBeGreaterThan(400);
  expect(withoutReason(survivors.map(nameOf), [...EQUIVALENT, ...OPEN])).toEqual([]);
});

// The requests of the suite, made without a deployment.

import { describe, expect, it } from "vitest";
import { packaged } from "../packaged.ts";
import { seededRandom } from "../run/random.ts";
import { sampleOf } from "./cover.ts";
import { kindsOf } from "./credentials.ts";
import { byPart, drawn } from "./draw.ts";
import { caseOf, cases } from "./generate.ts";

const { contract } = packaged.oracle;
const tables = packaged.tables;

/** The requests to a deployment. */
function made(of?: Parameters<typeof sampleOf>[2]) {
  const { source, model } = sampleOf(contract, packaged.paths, of);
  return { source, model, all: [...cases(tables, source, packaged.oracle, model)] };
}

describe("the cases", () => {
  const { source, model, all } = made();

  it("have ids that hold nothing of a run: the same for every deployment and every key", () => {
    const idsOf = (some: typeof all) => some.map(({ id }) => id);
    expect(idsOf(made({ host: "a.example" }).all)).toEqual(idsOf(all));
    expect(idsOf(all).filter((id) => !/^[ -~]+$/.test(id))).toEqual([]);
  });

  it("have keys that begin as the contract says", () => {
    const keys = { ...contract.keys, prefix: "own_" };
    const { source } = sampleOf({ ...contract, keys }, []);
    const { key, others } = source.caller;
    const all = [key, ...Object.values(others).map((other) => other.key)];
    expect(all.filter((one) => !one.startsWith("own_"))).toEqual([]);
  });

  it("take no key that the caller does not have", () => {
    const [absent = "", ...kinds] = kindsOf(packaged.oracle.contract);
    const ids = made({ kinds }).all.map(({ id }) => id);
    expect(ids.filter((id) => id.includes(`of the kind ${absent}`))).toEqual([]);
    expect(all.some(({ id }) => id.includes(`of the kind ${absent}`))).toBe(true);
  });

  it("are made again from their ids", () => {
    const bytesOf = (one: (typeof all)[number] | null) => JSON.stringify(one?.request);
    const changedCases = all.filter(
      (one) => bytesOf(caseOf(tables, source, one.id)) !== bytesOf(one),
    );
    expect(changedCases.map(({ id }) => id)).toEqual([]);
    for (const id of [
      "user.list no such row",
      "no.such plain",
      "",
      "user.list plain + no such row",
    ])
      expect(caseOf(tables, source, id)).toBeNull();
  });

  it("never carry out a command but for those that are meant to", () => {
    const carriedOut = all.filter(({ request }) => {
      const { code, operation } = packaged.oracle.predict(request, model);
      return request.method === "POST" && code === null && operation !== null;
    });
    const unmeant = carriedOut.filter(
      ({ mutations }) => mutations.length > 0 && !mutations.some(({ creates }) => creates),
    );
    expect(unmeant.map(({ id }) => id)).toEqual([]);
  });
});

it("draws two or three rows of different parts, each part at some time", () => {
  const rows = byPart(tables.mutationsByOperation.get("user.list")?.values() ?? []);
  const random = seededRandom(1);
  const all = Array.from({ length: 2000 }, () => drawn(rows, random));
  for (const some of all)
    expect(new Set(some.map(({ dimension }) => dimension)).size).toBe(some.length);
  expect(new Set(all.map(({ length }) => length))).toEqual(new Set([2, 3]));
  expect(new Set(all.flatMap((some) => some.map(({ dimension }) => dimension))).size).toBe(
    rows.length,
  );
});

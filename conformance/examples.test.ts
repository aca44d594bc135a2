import { describe, expect, it } from "vitest";
import { type Operation, operations } from "../generated/operations.ts";
import { findExamples } from "./examples.ts";
import { Expectation } from "./expectation.ts";

const of = (id: string, method: Operation["method"], exampleFrom: Operation["exampleFrom"] = {}): Operation => ({
  ...operations["user.list"],
  ...{ id, method, name: id, exampleFrom },
});
const table = {
  "thing.get": of("thing.get", "GET", {
    id: [
      { operation: "thing.list", pointer: "/items/0/a~1b" },
      { operation: "thing.create", pointer: "/id" },
    ],
  }),
  "thing.list": of("thing.list", "GET"),
  "thing.create": of("thing.create", "POST"),
};

/** A target that answers so; what is not there is refused. */
const target = (answers: Readonly<Record<string, unknown>>) => ({
  example: () => ({}),
  async call(operation: string) {
    if (!(operation in answers)) throw new Expectation("an answer", "none");
    return { json: () => answers[operation] };
  },
});

describe("findExamples", () => {
  it("takes the first source that has a value", async () => {
    const both = { "thing.list": { items: [{ "a/b": "7" }] }, "thing.create": { id: "8" } };
    expect(await findExamples(target(both), true, table)).toEqual(new Map([["thing.get", { id: "7" }]]));
    const empty = { ...both, "thing.list": { items: [] } };
    expect(await findExamples(target(empty), true, table)).toEqual(new Map([["thing.get", { id: "8" }]]));
  });

  it("creates nothing when the run may not write, and goes on without where there is nothing", async () => {
    expect(await findExamples(target({ "thing.create": { id: "8" } }), false, table)).toEqual(new Map());
    expect(await findExamples(target({}), true, table)).toEqual(new Map());
  });

  it("does not hide a fault of its own", async () => {
    const broken = { example: () => ({}), call: () => Promise.reject(new TypeError("no")) };
    await expect(findExamples(broken, true, table)).rejects.toThrow(TypeError);
  });

  it("asks nothing where the contract has no sources", async () => {
    expect(await findExamples(target({}), true)).toEqual(new Map());
  });
});

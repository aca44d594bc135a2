import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { type Operation, operations } from "../../generated/operations.ts";
import { deploy } from "../test/deployment.test-kit.ts";
import { launch } from "../test/process.test-kit.ts";
import { findExamples, Missing } from "./examples.ts";
import { Expectation } from "./expectation.ts";

const of = (id: string, method: Operation["method"], exampleFrom: Operation["exampleFrom"] = {}): Operation => ({
  ...operations["user.list"],
  ...{ id, method, name: id, exampleFrom },
});
/** What is found on a target. */
async function find(api: Parameters<typeof findExamples>[0], mayWrite: boolean, table?: Record<string, Operation>) {
  const examples = new Map<string, Record<string, unknown>>();
  await findExamples(api, mayWrite, examples, table);
  return new Map([...examples].filter(([, found]) => Object.keys(found).length > 0));
}
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
    if (!(operation in answers)) throw new Expectation("connection", "an answer", "none");
    return { status: 200, json: () => answers[operation] };
  },
});

describe("findExamples", () => {
  it("takes the first source that has a value", async () => {
    const both = { "thing.list": { items: [{ "a/b": "7" }] }, "thing.create": { id: "8" } };
    expect(await find(target(both), true, table)).toEqual(new Map([["thing.get", { id: "7" }]]));
    const empty = { ...both, "thing.list": { items: [] } };
    expect(await find(target(empty), true, table)).toEqual(new Map([["thing.get", { id: "8" }]]));
  });

  it("creates what a target without anything lists then", async () => {
    const items: { "a/b": string }[] = [];
    const empty = {
      ...target({}),
      async call(operation: string) {
        if (operation === "thing.create") items.push({ "a/b": "9" });
        return { status: 200, json: () => ({ items }) };
      },
    };
    expect(await find(empty, true, table)).toEqual(new Map([["thing.get", { id: "9" }]]));
  });

  it("creates nothing when the run may not write, and says what it asked where there is nothing", async () => {
    const missing = (...asked: string[]) =>
      new Map([["thing.get", { id: new Missing(`no id for thing.get: ${asked.join("; ")}`) }]]);
    const none = "thing.list has none at /items/0/a~1b";
    const unwritten = await find(target({ "thing.create": { id: "8" } }), false, table);
    expect(unwritten).toEqual(missing(none, "thing.create needs --allow-write"));
    expect(await find(target({ "thing.create": { id: null } }), true, table)).toEqual(
      missing(none, "thing.create has none at /id"),
    );
  });

  describe("for a command", () => {
    const from = (...sources: readonly (readonly [operation: string, pointer: string])[]) =>
      sources.map(([operation, pointer]) => ({ operation, pointer }));
    const commands = (id: Operation["exampleFrom"][string], more: Record<string, Operation> = {}) => ({
      ...more,
      "thing.change": of("thing.change", "POST", { id }),
      "thing.list": of("thing.list", "GET"),
      "thing.create": of("thing.create", "POST"),
    });
    const answers = { "thing.list": { id: "theirs" }, "thing.create": { id: "ours", owner: "us" } };
    const changed = async (table: Record<string, Operation>, given: Readonly<Record<string, unknown>> = answers) =>
      (await find(target(given), true, table)).get("thing.change")?.id;

    it("takes nothing from a query, whatever the contract says", async () => {
      expect(await changed(commands(from(["thing.list", "/id"])))).toEqual(
        new Missing("no id for thing.change: thing.list does not create it"),
      );
      expect(await changed(commands(from(["thing.list", "/id"], ["thing.create", "/id"])))).toBe("ours");
    });

    it("calls a command that it needs with what that one needs", async () => {
      const copy = { "thing.copy": of("thing.copy", "POST", { of: from(["thing.create", "/id"]) }) };
      const inputs: unknown[] = [];
      const examples = new Map<string, Record<string, unknown>>();
      const api = {
        example: (operation: string) => ({ ...examples.get(operation) }),
        async call(operation: string, { input }: { input: Record<string, unknown> }) {
          inputs.push([operation, input]);
          return { status: 201, json: () => ({ id: `${operation} of ${input.of}` }) };
        },
      };
      await findExamples(api, true, examples, commands(from(["thing.copy", "/id"]), copy));
      expect(inputs).toEqual([
        ["thing.create", {}],
        ["thing.copy", { of: "thing.create of undefined" }],
      ]);
      expect(examples.get("thing.change")).toEqual({ id: "thing.copy of thing.create of undefined" });
    });

    it("does not take what refuses to tell, or waits for itself", async () => {
      const copy = { "thing.copy": of("thing.copy", "POST", { of: from(["thing.change", "/id"]) }) };
      expect(await changed(commands(from(["thing.copy", "/id"]), copy))).toEqual(
        new Missing("no id for thing.change: thing.copy needs it itself"),
      );
      const refusing = { ...target(answers), call: async () => ({ status: 409, json: () => ({ id: "a problem" }) }) };
      expect((await find(refusing, true, commands(from(["thing.create", "/id"])))).get("thing.change")?.id).toEqual(
        new Missing("no id for thing.change: thing.create has none at /id"),
      );
    });
  });

  it("does not hide a fault of its own", async () => {
    const broken = { example: () => ({}), call: () => Promise.reject(new TypeError("no")) };
    await expect(find(broken, true, table)).rejects.toThrow(TypeError);
  });

  it("leaves checks open for which the target has no value, and nothing else", async () => {
    const contract = pathToFileURL(path.resolve(import.meta.dirname, "../../generated/operations.ts"));
    const preload = `data:text/javascript,${encodeURIComponent(`
      const { operations } = await import("${contract}");
      operations["user.list"].exampleFrom = { limit: [{ operation: "user.list", pointer: "/items/0/n" }] };
      operations["docs.get"].exampleFrom = { name: [{ operation: "user.list", pointer: "/items/0/id" }] };
    `)}`;
    const only = ["sysinfo/status", "input/unknown-parameter#docs.get"].flatMap((id) => ["--only", id]);
    const { code, stdout } = await launch(["--url", await deploy(), ...only], { preload }).ended;
    expect(stdout).toMatch(/\d+ incomplete: no name for docs\.get: user\.list has none at \/items\/0\/id/);
    expect([code, stdout]).toEqual([5, expect.stringMatching(/\nincomplete: \d+ incomplete, 1 passed/)]);
  });

  it("asks nothing where the contract has no sources", async () => {
    expect(await find(target({}), true)).toEqual(new Map());
  });
});

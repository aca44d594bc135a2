import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { contract } from "../contract.ts";
import type { Operation } from "../oracle/contract.ts";
import { deploy } from "../test/deployment.test-kit.ts";
import { launch } from "../test/process.test-kit.ts";
import { Examples, Missing, Unasked } from "./examples.ts";
import { Expectation } from "./expectation.ts";
import { operationById } from "./operation.ts";

const of = (id: string, method: Operation["method"], exampleFrom: Operation["exampleFrom"] = {}): Operation => ({
  ...operationById("user.list"),
  ...{ id, method, name: id, exampleFrom },
});
type Target = Parameters<Examples["ask"]>[1];
/** Looks up values on a target for an operation. */
async function find(api: Target, mayWrite: boolean, table: Record<string, Operation>, id = "thing.get") {
  const examples = new Examples(mayWrite, table);
  await examples.ask(id, api);
  return examples.of(id);
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

/** A target with these responses; it rejects every other call. */
const target = (answers: Readonly<Record<string, unknown>>) => ({
  example: () => ({}),
  async call(operation: string) {
    if (!(operation in answers)) throw new Expectation("connection", "an answer", "none");
    return { status: 200, json: () => answers[operation] };
  },
});

describe("examples", () => {
  it("takes the first source that has a value", async () => {
    const both = { "thing.list": { items: [{ "a/b": "7" }] }, "thing.create": { id: "8" } };
    expect(await find(target(both), true, table)).toEqual({ id: "7" });
    const empty = { ...both, "thing.list": { items: [] } };
    expect(await find(target(empty), true, table)).toEqual({ id: "8" });
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
    expect(await find(empty, true, table)).toEqual({ id: "9" });
    expect(items).toHaveLength(1);
  });

  it("are asked once, one after another, and only when somebody needs them", async () => {
    const asked: string[] = [];
    const counting: Target = {
      example: () => ({}),
      async call(operation) {
        asked.push(operation);
        return { status: 200, json: () => ({ items: [{ "a/b": "7" }] }) };
      },
    };
    const examples = new Examples(true, { ...table, "thing.show": { ...table["thing.get"], id: "thing.show" } });
    expect(() => examples.of("thing.get")).toThrow(Unasked);
    expect(examples.of("thing.list")).toEqual({});
    expect(asked).toEqual([]);
    await Promise.all(["thing.get", "thing.show", "thing.get"].map((id) => examples.ask(id, counting)));
    expect([examples.of("thing.get"), examples.of("thing.show")]).toEqual([{ id: "7" }, { id: "7" }]);
    expect(asked).toEqual(["thing.list"]);
  });

  it("creates nothing when the run may not write, and says what it asked where there is nothing", async () => {
    const missing = (...asked: string[]) => ({ id: new Missing(`no id for thing.get: ${asked.join("; ")}`) });
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
      (await find(target(given), true, table, "thing.change")).id;

    it("takes nothing from a query, whatever the contract says", async () => {
      expect(await changed(commands(from(["thing.list", "/id"])))).toEqual(
        new Missing("no id for thing.change: thing.list does not create it"),
      );
      expect(await changed(commands(from(["thing.list", "/id"], ["thing.create", "/id"])))).toBe("ours");
    });

    it("calls a command that it needs with what that one needs", async () => {
      const copy = { "thing.copy": of("thing.copy", "POST", { of: from(["thing.create", "/id"]) }) };
      const inputs: unknown[] = [];
      const examples = new Examples(true, commands(from(["thing.copy", "/id"]), copy));
      const api = {
        example: (operation: string) => ({ ...examples.of(operation) }),
        async call(operation: string, { input }: { input: Record<string, unknown> }) {
          inputs.push([operation, input]);
          return { status: 201, json: () => ({ id: `${operation} of ${input.of}` }) };
        },
      };
      await examples.ask("thing.change", api);
      expect(inputs).toEqual([
        ["thing.create", {}],
        ["thing.copy", { of: "thing.create of undefined" }],
      ]);
      expect(examples.of("thing.change")).toEqual({ id: "thing.copy of thing.create of undefined" });
    });

    it("does not take what refuses to tell, or waits for itself", async () => {
      const copy = { "thing.copy": of("thing.copy", "POST", { of: from(["thing.change", "/id"]) }) };
      const examples = new Examples(true, commands(from(["thing.copy", "/id"]), copy));
      await examples.ask("thing.copy", target(answers));
      const { id } = examples.of("thing.change");
      expect(id).toEqual(new Missing("no id for thing.change: thing.copy needs it itself"));
      const refusing = { ...target(answers), call: async () => ({ status: 409, json: () => ({ id: "a problem" }) }) };
      expect((await find(refusing, true, commands(from(["thing.create", "/id"])), "thing.change")).id).toEqual(
        new Missing("no id for thing.change: thing.create has none at /id"),
      );
    });
  });

  it("does not hide a fault of its own", async () => {
    const broken = { example: () => ({}), call: () => Promise.reject(new TypeError("no")) };
    const examples = new Examples(true, table);
    await expect(examples.ask("thing.get", broken)).rejects.toThrow(TypeError);
    await examples.ask("thing.get", target({ "thing.list": { items: [{ "a/b": "7" }] } }));
    expect(examples.of("thing.get")).toEqual({ id: "7" });
  });

  it("leaves checks open for which the target has no value, and nothing else", async () => {
    const from = (pointer: string) => [{ operation: "user.list", pointer }];
    const operations = {
      ...contract.operations,
      "user.list": { ...operationById("user.list"), exampleFrom: { limit: from("/items/0/n") } },
      "docs.get": { ...operationById("docs.get"), exampleFrom: { name: from("/items/0/id") } },
    };
    const file = path.join(mkdtempSync(path.join(tmpdir(), "conformance-contract-")), "contract.json");
    onTestFinished(() => rmSync(path.dirname(file), { recursive: true }));
    writeFileSync(file, JSON.stringify({ ...contract, operations }));
    const only = ["sysinfo/status", "docs.get/json"].flatMap((id) => ["--only", id]);
    const { code, stdout } = await launch(["--contract", file, "--url", await deploy(), ...only, "--skip", "*#golden"])
      .ended;
    expect(stdout).toMatch(/\d+ incomplete: no name for docs\.get: user\.list has none at \/items\/0\/id/);
    expect([code, stdout]).toEqual([5, expect.stringMatching(/^incomplete: \d+ incomplete, \d+ passed/)]);
  });
});

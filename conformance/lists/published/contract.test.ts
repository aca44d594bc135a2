import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import wire from "../../../generated/openapi.json" with { type: "json" };
import { serve } from "../../test/server.test-kit.ts";
import { apiFor } from "../../test/session.test-kit.ts";
import { ours } from "../ours.ts";
import { contractLaws, expectContract } from "./contract.ts";

const json = readFileSync(path.resolve(import.meta.dirname, "../../../generated/openapi.operations.json"), "utf8");
const wanted: object = JSON.parse(json);

async function judged(body: string): Promise<unknown> {
  const url = await serve((_, response) => {
    response.writeHead(200, { "Content-Type": "application/yaml" });
    response.end(body);
  });
  const place = "/openapi.operations.yaml";
  const reply = await apiFor(url).request({ method: "GET", target: place, large: true });
  try {
    return expectContract({ reply, place, json: null, contract: ours.contract });
  } catch (error) {
    return error;
  }
}

/** The same value, its members in reverse order. */
const reversed = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
};

describe("the contract as YAML", () => {
  it.each([
    ["in flow style", json],
    ["in blocks", stringify(wanted)],
    ["in another order", stringify(reversed(wanted))],
    [
      "in another indentation, quotes and line width",
      stringify(wanted, { indent: 4, lineWidth: 60, singleQuote: true }),
    ],
    ["without aliases", stringify(wanted, { aliasDuplicateObjects: false })],
    ["at its own addresses", json.replaceAll("https://one.invalid", "http://api.example.com:8080/prefix")],
    ["with servers of its own", stringify({ ...parse(json), servers: [{ url: "https://api.example.com" }] })],
  ])("is the contract %s", async (_, body) => {
    expect(await judged(body)).toBeUndefined();
  });

  it.each([
    ["a number as text", json.replace('"maximum": 200', '"maximum": "200"'), "body:/paths/"],
    ["a tag less", stringify({ ...wanted, tags: [] }), "body:/tags/*"],
    ["no YAML", `${json}}`, "body"],
    ["a key twice", `a: 1\n${stringify(wanted)}a: 1\n`, "body"],
    ["a list", "- 1", "body"],
    ["400,000 levels", `{"items":${"[".repeat(400_000)}`, "body"],
  ])("is not the contract with %s", async (_, body, aspect) => {
    expect(await judged(body)).toMatchObject({ aspect: expect.stringContaining(aspect) });
  });
});

describe("the operations of a contract that knows no name of a template", () => {
  const { operations } = ours.contract;
  const [docs] = Object.values(operations).filter(({ pattern }) => pattern !== null);
  if (!docs?.pattern) throw new Error("the contract has no template");
  const contract = { ...ours.contract, operations: { ...operations, [docs.id]: { ...docs, known: [] } } };
  const law = contractLaws.find(({ id }) => id === "contract/operations");
  const first = docs.known[0] ?? "";

  /** What the law finds in a document; null where it is right. */
  function found(place: string, document: string): unknown {
    const request = { method: "GET", target: place, fields: [], body: "" };
    const prediction = { by: "contract/served", step: "handled", status: 200, code: null, operation: null };
    const predicted = { request, prediction, place, contract, names: new Map() };
    const headers = [["Content-Type", "application/json"]] as const;
    const answer = { status: 200, reason: "", httpVersion: "1.1", headers, body: Buffer.from(document) };
    const sent = { method: "GET", url: `http://h${place}`, headers: [], body: Buffer.alloc(0), raw: null };
    try {
      if (law?.kind !== "exchanges") throw new Error("no such law");
      law.judge({ request: sent, answer, error: null, durationMs: 0 }, [], { predicted, memory: new Map() });
      return null;
    } catch (error) {
      return error;
    }
  }
  /** The document of the wire, with the names of the template listed, or its pattern. */
  const wireWith = (...choices: readonly object[]) =>
    JSON.stringify(wire, (name, value) => {
      if (name !== "schema" || !JSON.stringify(value).includes(`"${first}"`)) return value;
      const forms: readonly { enum?: readonly string[] }[] = value.anyOf ?? [value];
      const others = (names: readonly string[]) => names.filter((one) => !docs.known.includes(one));
      return { anyOf: [...forms.map((one) => (one.enum ? { ...one, enum: others(one.enum) } : one)), ...choices] };
    });

  it("have any name that its pattern takes", () => {
    expect(found("/openapi.operations.json", json)).toBeNull();
    expect(found("/openapi.operations.json", json.replaceAll(`"${first}"`, '"docs.get.another"'))).toBeNull();
    expect(found("/openapi.operations.json", json.replaceAll(`"${first}"`, '"docs.other"'))).toMatchObject({
      actual: `no ${docs.name} by GET`,
    });
  });

  it("have its pattern where names are listed", () => {
    const pattern = { type: "string", pattern: docs.pattern };
    expect(found("/openapi.json", wireWith(pattern))).toBeNull();
    expect(found("/openapi.json", wireWith())).toMatchObject({ actual: `no ${docs.name} by GET` });
    expect(found("/openapi.json", wireWith(pattern, { enum: ["docs.more"] }))).toMatchObject({
      actual: "docs.more by GET",
    });
  });
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { serve } from "../../test/server.test-kit.ts";
import { apiFor } from "../../test/session.test-kit.ts";
import { ours } from "../ours.ts";
import { expectContract } from "./contract.ts";

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
  ])("is not the contract with %s", async (_, body, aspect) => {
    expect(await judged(body)).toMatchObject({ aspect: expect.stringContaining(aspect) });
  });
});

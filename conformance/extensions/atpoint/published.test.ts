import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import wire from "../../../generated/openapi.json" with { type: "json" };
import byOperation from "../../../generated/openapi.operations.json" with { type: "json" };
import { jsonIn } from "../../http/response.ts";
import { exchanged, get, worldOf } from "../../laws/exchange.test-kit.ts";
import { lawsFrom } from "../../laws/law.ts";
import type { Contract } from "../../oracle/contract.ts";
import { createOracle } from "../../oracle/predict.ts";
import { packaged } from "../../packaged.ts";
import { atpoint } from "./index.ts";
import { PATHS } from "./reference.ts";

const json = JSON.stringify(byOperation);

/** What a law finds in a published document; null where it is right. */
function checkLaw(
  id: string,
  place: string,
  body: string,
  contract: Contract = packaged.oracle.contract,
) {
  const model = worldOf(createOracle(contract));
  for (const path of PATHS) model.files.add(path);
  const type = place.endsWith(".yaml") ? "application/yaml" : "application/json";
  const sent = { fields: [["Content-Type", type] as const], body, json: jsonIn(Buffer.from(body)) };
  const exchange = exchanged(model, get(place), sent);
  const laws = lawsFrom(contract, atpoint.laws ?? []).filter(
    (law) => law.id === id && law.applies(exchange),
  );
  return laws.map((law) => law.check(exchange, new Map())).find((one) => one !== null) ?? null;
}

describe("the contract as YAML", () => {
  const yaml = (body: string) => checkLaw("contract/served", "/openapi.operations.yaml", body);

  it.each([
    ["without aliases", stringify(byOperation, { aliasDuplicateObjects: false })],
    [
      "at its own addresses",
      json.replaceAll("https://one.invalid", "http://api.example.com:8080/prefix"),
    ],
    [
      "with servers of its own",
      stringify({ ...parse(json), servers: [{ url: "https://api.example.com" }] }),
    ],
  ])("is the contract %s", (_, body) => {
    expect(yaml(body)).toBeNull();
  });

  it.each([
    ["a number as text", json.replace('"maximum":200', '"maximum":"200"'), "body:/paths/"],
    ["a tag less", stringify({ ...byOperation, tags: [] }), "body:/tags/0"],
    ["no YAML", `${json}}`, "body"],
    ["a key twice", `a: 1\n${stringify(byOperation)}a: 1\n`, "body"],
    ["400,000 levels", `{"items":${"[".repeat(400_000)}`, "body"],
  ])("is not the contract with %s", (_, body, aspect) => {
    expect(yaml(body)?.aspect).toContain(aspect);
  });
});

describe("the operations of a contract that knows no name of a template", () => {
  const { operations } = packaged.oracle.contract;
  const docs =
    Object.values(operations).find(({ pattern }) => pattern !== null) ??
    expect.fail("there is no template");
  const contract = {
    ...packaged.oracle.contract,
    operations: { ...operations, [docs.id]: { ...docs, known: [] } },
  };
  const [first = ""] = docs.known;
  const actual = (place: string, body: string) =>
    checkLaw("contract/operations", place, body, contract)?.actual ?? null;
  /** The document of the wire, with the names of the template listed, or its pattern. */
  const wireWith = (...choices: readonly object[]) =>
    JSON.stringify(wire, (name, value) =>
      name === "schema" && value.enum?.includes(first)
        ? {
            anyOf: [
              { ...value, enum: value.enum.filter((one: string) => !docs.known.includes(one)) },
              ...choices,
            ],
          }
        : value,
    );

  it("have any name that its pattern takes", () => {
    expect(actual("/openapi.operations.json", json)).toBeNull();
    expect(
      actual("/openapi.operations.json", json.replaceAll(`"${first}"`, '"docs.get.another"')),
    ).toBeNull();
    const renamed = json.replaceAll(`"${first}"`, '"docs.other"');
    expect(actual("/openapi.operations.json", renamed)).toBe(`no ${docs.name} by GET`);
  });

  it("have its pattern where names are listed", () => {
    const pattern = { type: "string", pattern: docs.pattern };
    expect(actual("/openapi.json", wireWith(pattern))).toBeNull();
    expect(actual("/openapi.json", wireWith())).toBe(`no ${docs.name} by GET`);
    expect(actual("/openapi.json", wireWith(pattern, { enum: ["docs.more"] }))).toBe(
      "serves docs.more by GET, which this contract does not have",
    );
  });
});

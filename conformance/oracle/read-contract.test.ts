import { describe, expect, it } from "vitest";
import data from "../../generated/contract.json" with { type: "json" };
import type { Schema } from "./contract.ts";
import { readContract, undecidedIn } from "./read-contract.ts";

/**
 * Another service: a query with a parameter of this schema, and an answer with a member of this
 * one.
 */
function serviceWith(parameter: object, member: object, overrides: object = {}) {
  const schema = {
    type: "object",
    properties: { "a/b": parameter },
    additionalProperties: false,
  };
  const answer = { type: "object", properties: { list: member } };
  const responses = [{ status: 200, mediaType: "application/json", schema: answer }];
  const operation = { ...data.operations.sysinfo, id: "thing", name: "thing", schema, responses };
  return { ...data, operations: { thing: { ...operation, ...overrides } } };
}

describe("readContract", () => {
  it("takes the contract of this release, and one of another service", () => {
    expect(readContract(data)).toBe(data);
    const otherContract = serviceWith(
      { type: "integer", format: "int8" },
      { $ref: "#/schemas/Uuid" },
    );
    expect(readContract(otherContract)).toBe(otherContract);
    expect(undecidedIn(readContract(otherContract))).toEqual([]);
  });

  const old = { ...data, format: undefined, keys: undefined };
  const {
    operations: { thing },
  } = serviceWith({}, {});
  it.each<readonly [message: string, value: unknown]>([
    ["it is no contract: it has no operations", null],
    ["format 1, this suite reads 2: generate it again", old],
    ["format 3, this suite reads 2: take the suite of its release", { ...data, format: 3 }],
    ["it is no contract: #/limits is missing", { ...data, limits: undefined }],
    ["it is no contract: #/limits has another type", { ...data, limits: null }],
    [
      "it is no contract: #/steps/1/problems is missing",
      { ...data, steps: [data.steps[0], { step: "a", does: "b" }] },
    ],
    [
      "it is no contract: #/operations/thing/method is not as its schema says (enum)",
      { ...data, operations: { thing: { ...thing, method: "PUT" } } },
    ],
    [
      "it is no contract: #/schemas/a~1b/properties/a%20b/minLength has another type",
      { ...data, schemas: { "a/b": { properties: { "a b": { minLength: "1" } } } } },
    ],
    ["it has no query, and nothing to see a deployment by", { ...data, operations: {} }],
  ])("rejects a value with: %s", (message, value) => {
    expect(() => readContract(JSON.parse(JSON.stringify(value)))).toThrow(new Error(message));
  });
});

describe("a keyword that asserts something and is not read", () => {
  const UNREAD: readonly (readonly [keyword: string, schema: object])[] = [
    ["exclusiveMinimum", { type: "integer", exclusiveMinimum: 0 }],
    ["multipleOf", { multipleOf: 2 }],
    ["uniqueItems", { type: "array", uniqueItems: true }],
    ["allOf", { allOf: [{ type: "string" }] }],
    ["not", { not: {} }],
    ["if", { if: { type: "string" } }],
    ["unevaluatedProperties", { unevaluatedProperties: false }],
    ["dependentRequired", { dependentRequired: { a: ["b"] } }],
    ["format", { type: "string", format: "ipv4" }],
    ["pattern", { type: "string", pattern: "\\-" }],
    ["$ref", { $ref: "#/schemas/constructor" }],
  ];

  it.each(UNREAD)("is an error in an input, with its place: %s", (keyword, schema) => {
    const at = (place: string) =>
      `the input of thing has "${keyword}" at #/${place}, which this suite does not read`;
    expect(() => readContract(serviceWith(schema, {}))).toThrow(
      at("operations/thing/schema/properties/a~1b"),
    );
    const list = { type: "array", items: { anyOf: [{ type: "null" }, schema] } };
    expect(() => readContract(serviceWith(list, {}))).toThrow(
      at("operations/thing/schema/properties/a~1b/items/anyOf/1"),
    );
    const headers = [{ name: "X-A", required: false, schema }];
    expect(() => readContract(serviceWith({}, {}, { headers }))).toThrow(
      at("operations/thing/headers/0/schema"),
    );
    const named = { ...data.schemas, Tree: { additionalProperties: schema } };
    const referring = serviceWith({ $ref: "#/schemas/Tree" }, {});
    expect(() => readContract({ ...referring, schemas: named })).toThrow(
      at("schemas/Tree/additionalProperties"),
    );
  });

  it.each(UNREAD)("is named once where an answer has it: %s", (keyword, schema) => {
    const contract = readContract(serviceWith({}, schema as Schema));
    const at = "#/operations/thing/responses/0/schema/properties/list";
    expect(undecidedIn(contract)).toEqual([
      `undecided: the answer of thing has "${keyword}" at ${at}, which this suite does not read`,
    ]);
  });

  it("is no word of an annotation or the name of a member", () => {
    const schema = {
      properties: { not: {}, allOf: {} },
      examples: [{ not: 1 }],
      default: { if: 1 },
    };
    expect(() => readContract(serviceWith(schema, {}))).not.toThrow();
  });
});

// What is not for Lifecycle.Create is no part of an input: not of its schema, its types, its
// validator or its example.
import { beforeAll, expect, it } from "vitest";
import { bodyInput } from "../../../src/server/request/input.ts";
import { command, query, specOf } from "./forms.test-kit.ts";
import { contractIn, generateFrom } from "./write.test-kit.ts";

const LINES = [
  `model Form { ...Record<never>; name: string; @visibility(Lifecycle.Read) id: string;
    @visibility(Lifecycle.Update) state?: string;
    @visibility(Lifecycle.Create) secret?: string; inner?: Detail; inners?: Detail[]; named?:
      Record<Detail>; either?: Detail | null }`,
  "model Detail { ...Record<never>; text?: string; @visibility(Lifecycle.Read) seen: " +
    "boolean; deeper?: Detail }",
  "model Sent { ...Record<never>; @visibility(Lifecycle.Read) at: Uuid; text: string }",
  command("Form", '#{ name: "a", id: "7", inner: #{ seen: true } }').replaceAll("Open", "Form"),
  command("Sent", '#{ at: "019c1395-e200-7000-8000-0123456789ab", text: "x" }'),
  query(
    "@visibility(Lifecycle.Read) @query a?: string; @query b?: string; " +
      "@visibility(Lifecycle.Create) @query c?: string",
  ),
];
let files: ReadonlyMap<string, string>;
beforeAll(async () => {
  files = await generateFrom(specOf(LINES));
});

it("is only in the responses of a model that both have, and of nested ones", async () => {
  const { schemas, operations } = JSON.parse(files.get("contract.json") ?? "");
  const namesOf = (name: string) => Object.keys(schemas[name].properties);
  const { u3: form, u4: sent, u5: queryOperation } = operations;
  expect(namesOf("Form")).toEqual(["name", "id", "inner", "inners", "named", "either"]);
  expect(namesOf("Detail")).toEqual(["text", "seen", "deeper"]);
  expect(Object.keys(form.input)).toEqual(["name", "secret", "inner", "inners", "named", "either"]);
  expect(form.example).toEqual({ name: "a", inner: {} });
  // An input that no response shares keeps its name.
  expect(namesOf("Sent")).toEqual(["text"]);
  expect([sent.example, schemas.Sent.required]).toEqual([{ text: "x" }, ["text"]]);
  expect(Object.keys(queryOperation.input)).toEqual(["b"]);
  expect(files.get("contract.ts")).toMatch(/"u3\.input": components\["schemas"\]\["FormCreate"\]/);
});

it("is not demanded by the service, and unknown to it", async () => {
  const { validators } = await contractIn(files);
  const read = (id: string, data: object) => {
    const { [id]: validator } = validators;
    return validator && bodyInput(validator, [], { "@": id, data });
  };
  const inner = { text: "x", deeper: {} };
  const right = { name: "a", inner, inners: [inner], named: { a: inner }, either: inner };
  expect(read("u3", structuredClone(right))).toEqual(right);
  expect(read("u4", { text: "x" })).toEqual({ text: "x" });
  const seen = { seen: true };
  const wrong = [
    { id: "7" },
    { state: "x" },
    { inner: seen },
    { inners: [seen] },
    { named: { a: seen } },
    { either: seen },
    { inner: { deeper: seen } },
  ];
  for (const members of wrong)
    expect(() => read("u3", { ...right, ...members })).toThrow("invalid-input");
});

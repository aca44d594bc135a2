import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readContract } from "./complete-contract.ts";
import schema from "./oracle/contract.schema.json" with { type: "json" };

const guide = readFileSync(new URL("contract.md", import.meta.url), "utf8");
const [, example = ""] = /```json\n(.*?)```/s.exec(guide) ?? [];
const written = JSON.parse(example);

describe("a contract that is written by hand", () => {
  it("has what every service has, and what follows from its operations", () => {
    const contract = readContract(written);
    const { requirements, scopes, operations, steps } = contract;
    expect(scopes).toEqual(["notes:read", "notes:write"]);
    expect(operations["note.create"]?.input).toEqual({ text: { type: "string", required: true } });
    expect(operations["note.get"]).toMatchObject({ parts: ["id"], input: {}, known: [] });
    expect(operations["note.list"]?.answers).toEqual([
      { status: 200, mediaTypes: ["application/json"] },
    ]);
    expect(steps.at(-1)?.problems).toContain("note-not-found");
    expect(Object.keys(contract.problems)).not.toContain("email-taken");
    const ids = requirements.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["dispatch/one-path", "effects/created"]));
    expect(ids.filter((id) => /^(?:user|docs|sysinfo|landing|contract)\b/.test(id))).toEqual([]);
  });

  it.each<[message: string, change: object]>([
    ["#/title is missing", { title: undefined }],
    ["#/operations/a/auth is missing", { operations: { a: { method: "GET" } } }],
    ["#/operations/a/pattern is missing", { operations: { a: { name: "a.{id}" } } }],
    ["#/operations/a/method is missing", { operations: { a: null } }],
    ["#/problems/note-full/status is missing", { problems: { "note-full": {} } }],
  ])("is rejected with its place: %s", (message, change) => {
    const changed = JSON.parse(JSON.stringify({ ...written, ...change }));
    expect(() => readContract(changed)).toThrow(`it is no contract: ${message}`);
  });
});

it("describes each member of the schema, and no other", () => {
  const sections = guide.split("\n### ").slice(1);
  const described = sections.map((section) => [
    section.split("\n", 1)[0],
    [...section.matchAll(/^\| `(\w+)`/gm)].map(([, member]) => member).sort(),
  ]);
  const members = Object.entries(schema.definitions).flatMap(([name, definition]) =>
    "properties" in definition && name !== "Schema"
      ? [[name, Object.keys(definition.properties).sort()] as const]
      : [],
  );
  expect(Object.fromEntries(described.slice(0, -1))).toEqual(Object.fromEntries(members));
  const [, keywords = ""] = /with these keywords: ([^.]*)\./.exec(sections.at(-1) ?? "") ?? [];
  expect([...keywords.matchAll(/`(\S+)`/g)].map(([, keyword]) => keyword)).toEqual(
    Object.keys(schema.definitions.Schema.properties),
  );
});

// Defaults and examples are values of their own schemas, written as they are sent.
import { expect, it } from "vitest";
import { readContract } from "../../../conformance/oracle/read-contract.ts";
import { sampleOf } from "../../../conformance/requests/cover.ts";
import { cases, isWithoutOptional } from "../../../conformance/requests/generate.ts";
import { createSuite } from "../../../conformance/suite.ts";
import { command, faultsIn, query, specOf } from "./forms.test-kit.ts";
import { generateFrom } from "./write.test-kit.ts";

const member = (text: string) => command(`{ ...Record<never>; ${text} }`);
const NOT_JSON = "no JSON stands for it; write a literal, or fromISO of a date or a time";
const WRONG: readonly (readonly [what: string, why: string, line: string])[] = [
  ["default", "it must be >= 5", member("@minValue(5) n?: int32 = 1")],
  [
    "default",
    "it must NOT have more than 2 characters",
    member('@maxLength(2) n?: string = "abc"'),
  ],
  [
    "default",
    "it must NOT have more than 1 items",
    member('@maxItems(1) n?: string[] = #["a", "b"]'),
  ],
  ["default", 'it must match pattern "^a"', member('@pattern("^a") n?: string = "b"')],
  ["default", 'it must match format "uri"', member('@format("uri") n?: string = "b"')],
  [
    "default",
    'it must match format "date"',
    member('n?: plainDate = plainDate.fromISO("2026-02-30")'),
  ],
  [
    "default",
    'it must match format "date-time"',
    member('n?: utcDateTime = utcDateTime.fromISO("yesterday")'),
  ],
  ["default", "it must be >= 5", query("@minValue(5) @query n?: int32 = 1")],
  ["default", "it must be >= 5", query('@minValue(5) @header("X-N") n?: int32 = 1')],
  ["default", "it must be >= 5", query("", "Ok<{ @minValue(5) n?: int32 = 1 }>")],
  [
    "default",
    "it must be >= 5",
    member("list?: { ...Record<never>; @minValue(5) n?: int32 = 1 }[]"),
  ],
  [
    "default",
    "it must be >= 5",
    member("either?: { ...Record<never>; @minValue(5) n?: int32 = 1 } | null"),
  ],
  ["example", 'it must match pattern "^a"', member('@pattern("^a") @example("b") n?: string')],
  [
    "example",
    'it must match pattern "^a"',
    `@pattern("^a") @example("b") scalar SNAME extends string; ${member("n?: SNAME")}`,
  ],
  [
    "example",
    "/n must be >= 5",
    `@example(#{ n: 1 }) model MNAME { ...Record<never>; @minValue(5) n: int32 } ${member("n?: MNAME")}`,
  ],
  [
    "example",
    "/data/n must be >= 5",
    command("{ ...Record<never>; @minValue(5) n: int32 }", "#{ n: 1 }"),
  ],
];

const NOT_WRITTEN: readonly (readonly [what: string, line: string])[] = [
  ["default", member('n?: duration = duration.fromISO("1 day")')],
  ["default", member("n?: plainDate = plainDate.now()")],
  [
    "default",
    `scalar SNAME extends string { init of(text: string); } ${member('n?: SNAME = SNAME.of("a")')}`,
  ],
  ["example", member('@example(duration.fromISO("1 day")) n?: duration')],
  ["example", `@example(SNAME.now()) scalar SNAME extends utcDateTime; ${member("n?: SNAME")}`],
  [
    "example",
    `@example(#{ n: utcDateTime.now() }) model MNAME { ...Record<never>; n: utcDateTime } ${member("n?: MNAME")}`,
  ],
  ["example", command("{ ...Record<never>; n: duration }", '#{ n: duration.fromISO("1 day") }')],
];

it("rejects those that are not, where they are stated", async () => {
  const wanted = WRONG.map(
    ([what, why], index) => `${index} value: This ${what} does not match its own schema: ${why}.`,
  );
  expect(await faultsIn(WRONG.map(([, , line]) => line))).toEqual(wanted);
});

it("rejects those that are no JSON, where they are stated", async () => {
  const wanted = NOT_WRITTEN.map(
    ([what], index) => `${index} value: This ${what} does not match its own schema: ${NOT_JSON}.`,
  );
  expect(await faultsIn(NOT_WRITTEN.map(([, line]) => line))).toEqual(wanted);
});

/** A member, its default as it is published, and its example. */
const RIGHT: readonly (readonly [text: string, published: object])[] = [
  ["@minValue(5) n?: int32 = 5", { default: 5 }],
  [
    "@encode(string) @example(7) n?: int64 = 9007199254740993",
    { default: "9007199254740993", examples: ["7"] },
  ],
  ["@encode(string) @example(1.5) n?: decimal = 0.1", { default: "0.1", examples: ["1.5"] }],
  ["n?: Big = 7", { default: "7" }],
  ["n?: Big[] = #[1, 2]", { default: ["1", "2"] }],
  ["n?: Big | null = null", { default: null }],
  ["@example(#{ big: 1 }) n?: Bigs | null", { examples: [{ big: "1" }] }],
  ['n?: When = When.fromISO("2026-01-31T12:00:00Z")', { default: "2026-01-31T12:00:00Z" }],
  ['n?: plainTime = plainTime.fromISO("12:00:00")', { default: "12:00:00" }],
  ['n?: duration = duration.fromISO("P1DT2H")', { default: "P1DT2H" }],
  ["n?: Shade = Shade.dark", { default: "DARK" }],
  ['n?: string[] = #["a"]', { default: ["a"] }],
];

it("writes them as they are sent, in schemas and in the example of the operation", async () => {
  const own =
    "@encode(string) scalar Big extends int64; scalar When extends utcDateTime; model Bigs { ...Record<never>; big: Big }";
  const lines = RIGHT.map(([text]) => member(text));
  const last = command(
    "{ ...Record<never>; n: Big; more: Bigs[] }",
    "#{ n: 1, more: #[#{ big: 2 }] }",
  );
  const files = await generateFrom(specOf([own, ...lines, last]));
  const { operations } = JSON.parse(files.get("contract.json") ?? "");
  for (const [index, [text, published]] of RIGHT.entries())
    expect(operations[`u${index + 1}`].schema.properties.n, text).toMatchObject(published);
  const example = { n: "1", more: [{ big: "2" }] };
  const { [`u${RIGHT.length + 1}`]: called } = operations;
  expect(called.example).toEqual(example);
  const { paths } = JSON.parse(files.get("openapi.operations.json") ?? "");
  const sent = paths[`/api/${called.id}/../`].post.requestBody.content["application/json"];
  expect(sent.example.data).toEqual(example);
});

it("are tried by the suite: it calls each operation without each optional member of its example", async () => {
  const call = "@opExample(#{ parameters: #{ b: 7 } })";
  const files = await generateFrom(
    specOf([
      command("{ ...Record<never>; a: string; b?: int32 = 5; c?: string }", '#{ a: "x", b: 7 }'),
      `${call} ${query("@query b?: int32 = 5; @query c?: string")}`,
    ]),
  );
  const { oracle, tables } = createSuite(
    readContract(JSON.parse(files.get("contract.json") ?? "")),
  );
  const { source, world } = sampleOf(oracle.contract, []);
  const some = [...cases(tables, source, oracle, world)].filter(isWithoutOptional);
  expect(some.map(({ id }) => id)).toEqual(["u0 b left out", "u1 b left out"]);
  const [sent, asked] = some.map(({ request }) => request);
  expect(JSON.parse(String(sent?.body))).toEqual({ "@": "u0", data: { a: "x" } });
  expect(asked?.target).toBe("/api/?@=u1");
});

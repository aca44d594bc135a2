// Defaults and examples are values of their own schemas, written as they are sent.
import { expect, it } from "vitest";
import { command, faultsIn, query, specOf } from "./forms.test-kit.ts";
import { generateFrom } from "./write.test-kit.ts";

const member = (text: string) => command(`{ ...Record<never>; ${text} }`);
const FIVE = "it must be >= 5";
const NO_A = 'it must match pattern "^a"';
const NOT_JSON = "no JSON stands for it; write a literal, or fromISO of a date or a time";
const WRONG: readonly (readonly [what: string, why: string, line: string])[] = [
  ["default", FIVE, member("@minValue(5) n?: int32 = 1")],
  [
    "default",
    'it must match format "date"',
    member('n?: plainDate = plainDate.fromISO("2026-02-30")'),
  ],
  ["default", FIVE, query("@minValue(5) @query n?: int32 = 1")],
  ["default", FIVE, query('@minValue(5) @header("X-N") n?: int32 = 1')],
  ["default", FIVE, query("", "Ok<{ @minValue(5) n?: int32 = 1 }>")],
  ["default", FIVE, member("list?: { ...Record<never>; @minValue(5) n?: int32 = 1 }[]")],
  ["default", FIVE, member("either?: { ...Record<never>; @minValue(5) n?: int32 = 1 } | null")],
  ["example", NO_A, member('@pattern("^a") @example("b") n?: string')],
  [
    "example",
    NO_A,
    `@pattern("^a") @example("b") scalar SNAME extends string; ${member("n?: SNAME")}`,
  ],
  [
    "example",
    `/n ${FIVE.slice(3)}`,
    "@example(#{ n: 1 }) model MNAME { ...Record<never>; @minValue(5) n: int32 } " +
      member("n?: MNAME"),
  ],
  [
    "example",
    `/data/n ${FIVE.slice(3)}`,
    command("{ ...Record<never>; @minValue(5) n: int32 }", "#{ n: 1 }"),
  ],
  ["default", NOT_JSON, member('n?: duration = duration.fromISO("1 day")')],
  ["default", NOT_JSON, member("n?: plainDate = plainDate.now()")],
  [
    "default",
    NOT_JSON,
    `scalar SNAME extends string { init of(text: string); } ${member('n?: SNAME = SNAME.of("a")')}`,
  ],
  [
    "example",
    NOT_JSON,
    `@example(SNAME.now()) scalar SNAME extends utcDateTime; ${member("n?: SNAME")}`,
  ],
  [
    "example",
    NOT_JSON,
    command("{ ...Record<never>; n: duration }", '#{ n: duration.fromISO("1 day") }'),
  ],
];

it.each([
  ["that are not", false],
  ["that are no JSON", true],
])("rejects those %s, where they are stated", async (_, isWritten) => {
  const some = WRONG.filter(([, why]) => (why === NOT_JSON) === isWritten);
  const wanted = some.map(
    ([what, why], index) => `${index} value: This ${what} does not match its own schema: ${why}.`,
  );
  expect(await faultsIn(some.map(([, , line]) => line))).toEqual(wanted);
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
  const declarations =
    "@encode(string) scalar Big extends int64; scalar When extends utcDateTime; model Bigs " +
    "{ ...Record<never>; big: Big }";
  const lines = RIGHT.map(([text]) => member(text));
  const last = command(
    "{ ...Record<never>; n: Big; more: Bigs[] }",
    "#{ n: 1, more: #[#{ big: 2 }] }",
  );
  const files = await generateFrom(specOf([declarations, ...lines, last]));
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

// Where an input is wrong: the service and the oracle of the suite say the same of drawn inputs of another
// service, with unions, records, and members that are named as nobody would expect (D8).
import { resolve } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Points } from "../../../conformance/oracle/points.ts";
import { readContract } from "../../../conformance/oracle/read-contract.ts";
import { bodyFaults, headerFaults, queryFaults } from "../../../conformance/oracle/schema.ts";
import type { Contract as ServiceContract } from "../../../src/server/contract.ts";
import { Problem } from "../../../src/server/problem.ts";
import { bodyInput, headerInput, queryInput } from "../../../src/server/request/input.ts";
import { parseJsonObject } from "../../../src/server/request/json.ts";
import { contractIn, generateFrom } from "./write.test-kit.ts";

const paper = { kind: "paper", pages: 1 };
const audio = { kind: "audio", minutes: 0.5, tags: { a: 1 } };
const film = { kind: "film", sound: audio };

/** Members of an input as they are written, each with right values. */
const MEMBERS: readonly (readonly [name: string, written: string, right: readonly unknown[]])[] = [
  ["medium", "Paper | Audio", [paper, audio]],
  ["maybe", "Paper | Audio | null", [paper, audio, null]],
  ["media", "(Paper | Audio)[]", [[paper, audio]]],
  ["nested", "Medium | Film", [paper, audio, film]],
  ["none", "Plain | Counted", [{ text: "a" }, { n: 1 }]],
  ["one", "Paper | string | int8[]", [paper, "a", [1, 2]]],
  [
    "switch",
    "{ ...Record<never>; on: true; a: int8 } | { ...Record<never>; on: false; b: int8 }",
    [{ on: true, a: 1 }],
  ],
  ["sheet", "Paper | null", [paper, null]],
  ["box", "{ ...Record<never>; n: int8 } | null", [{ n: 1 }, null]],
  ["short", '@maxLength(3) @pattern("^[a-z]*$") short?: string | null', ["abc", null]],
  ["small", "@minValue(2) @maxValue(9) small?: int32 | null", [2, 9, null]],
  ["few", "@maxItems(2) few?: string[] | null", [["a", "b"], null]],
  ["shade", "Shade | null", ["light", null]],
  ["code", "@maxLength(3) code?: Code", ["ab", "abc"]],
  ["counts", "Record<int8>", [{ a: 1 }]],
  ["papers", "Record<Paper>", [{ a: paper }]],
  ["deep", "Record<Record<int8[]>>", [{ a: { b: [1] } }]],
  ["mixed", "Mixed", [{ name: "a", more: [1] }]],
  ["choices", "Record<Paper | Audio>[]", [[{ a: paper }, { b: audio }]]],
  ["odd", "Odd", [{ constructor: "a", toString: 1, valueOf: { toString: "b" }, "a/b": 1 }]],
  ["times", "utcDateTime | null", ["2026-01-31t12:00:00z", "2016-12-31T23:59:60z"]],
];

const QUERY = [
  "@query n?: float64",
  "@query i?: int8",
  "@query `x/y`?: int8",
  "@query `x~1y`?: int8",
  "@query `a b`?: int8",
  "@query `#c`?: int8",
];

const written = MEMBERS.map(([name, text]) =>
  text.startsWith("@") ? text : `\`${name}\`?: ${text}`,
);
const documented = '@summary("x") @doc("x") @useAuth(NoAuth)';
const SPEC = `import "${resolve(import.meta.dirname, "..")}";
using Http; using Atpoint; @service(#{ title: "Faults" }) @TypeSpec.OpenAPI.info(#{ version: "1.0.0" }) namespace Faults;
enum Shade { light, dark } @minLength(2) scalar Code extends string;
model Paper { ...Record<never>; kind: "paper"; pages: int8 }
model Audio { ...Record<never>; kind: "audio"; minutes: float32; tags?: Record<int8> }
model Film { ...Record<never>; kind: "film"; sound?: Paper | Audio } union Medium { Paper, Audio }
model Plain { ...Record<never>; text: string } model Counted { ...Record<never>; n: int8 }
model Mixed { ...Record<int8[]>; name: string }
model Odd { ...Record<never>; \`constructor\`?: string; toString?: int8; valueOf?: Inner; hasOwnProperty?: int8 = 3;
  \`a/b\`?: int8; \`a b\`?: int8; \`a#b\`?: int8; \`a~b\`?: int8; \`a%b\`?: int8; \`é\`?: int8; \`needed/#\`?: Needed }
model Inner { ...Record<never>; toString: string } model Needed { ...Record<never>; \`a/b~#\`: int8; \`constructor\`: int8 }
model Input { ...Record<never>; ${written.join("; ")} }
@opExample(#{ parameters: #{ body: #{ \`@\`: "form.send", data: #{} } } })
${documented} op formSend is Command<"form.send", Input, Ok<Input>>;
${documented} op formFind is Atpoint.Query<"form.find", { ${QUERY.join("; ")}; @header("X-N") x?: float64; @header("x-h") h?: int8 }, Ok<Odd>>;
${documented} op toString is Atpoint.Query<"toString", {}, Ok<Odd>>;
`;

let service: ServiceContract;
let contract: ReturnType<typeof readContract>;
beforeAll(async () => {
  const files = await generateFrom(SPEC);
  contract = readContract(JSON.parse(files.get("contract.json") ?? ""));
  service = await contractIn(files);
});

/** The places of the faults that the service reports. */
function rejected(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.code !== "invalid-input") throw thrown;
    return (thrown.errors ?? []).map((one) => Object(one).pointer ?? Object(one).parameter);
  }
}
const placesOf = (faults: readonly { readonly place: string }[]) =>
  new Set(faults.map(({ place }) => place));
const of = <T>(table: Readonly<Record<string, T>>, id: string): T => table[id] ?? expect.fail(id);
const contextOf = (id: string) => ({
  contract,
  operation: of(contract.operations, id),
  at: new Points(),
});

function ofBody(data: unknown) {
  const text = JSON.stringify({ "@": "form.send", data });
  const body = parseJsonObject(Buffer.from(text), { maxJsonDepth: 16, maxJsonParts: 1024 });
  const found = rejected(() => bodyInput(of(service.validators, "form.send"), [], body));
  expect(new Set(found).size, "one fault at each place").toBe(found.length);
  return {
    service: new Set(found),
    oracle: placesOf(bodyFaults(contextOf("form.send"), JSON.parse(text))),
  };
}

const HOSTILE = [
  "\ud800",
  "secret <b>",
  "constructor",
  "toString",
  "a/b",
  "a~1b#",
  "",
  "kind",
  "\0",
];
const WRONG = [
  7,
  -1.5,
  "x",
  "",
  true,
  null,
  [],
  {},
  [null],
  [[]],
  300,
  "paper",
  "audio",
  { kind: "x" },
  { kind: "paper" },
];

/** Changes of a value, at any depth. */
function* changed(value: unknown): Generator<unknown> {
  yield* WRONG;
  if (Array.isArray(value)) {
    for (const index of value.keys())
      for (const other of changed(value[index])) yield value.with(index, other);
    yield [...value, ...value];
  } else if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    for (const name of [
      ...HOSTILE,
      "a b",
      "a#b",
      "a%b",
      "a~b",
      "é",
      "needed/#",
      "valueOf",
      "hasOwnProperty",
    ])
      for (const other of [...WRONG, 1, paper]) yield { ...value, [name]: other };
    for (const [name, member] of entries) {
      yield Object.fromEntries(entries.filter(([one]) => one !== name));
      for (const other of changed(member)) yield { ...value, [name]: other };
    }
  }
}

describe("a body", () => {
  it.each(MEMBERS)("is wrong at the same places: %s", (name, _, right) => {
    for (const value of right) {
      expect(ofBody({ [name]: value }), JSON.stringify(value)).toEqual({
        service: new Set(),
        oracle: new Set(),
      });
      for (const other of changed(value)) {
        const { service, oracle } = ofBody({ [name]: other });
        expect(service, JSON.stringify(other)).toEqual(oracle);
      }
    }
  });

  it("is wrong at the same places when several members are", () => {
    const all = MEMBERS.map(
      ([name, , right]) => [name, right.flatMap((one) => [one, ...changed(one)])] as const,
    );
    const bodies = fc.record(
      Object.fromEntries(all.map(([name, some]) => [name, fc.constantFrom(...some)])),
      {
        requiredKeys: [],
      },
    );
    fc.assert(
      fc.property(bodies, (data) => {
        const { service, oracle } = ofBody(data);
        expect(service).toEqual(oracle);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it.each<readonly [data: object, ...places: string[]]>([
    [{ medium: {} }, "#/data/medium"],
    [{ medium: { kind: "x", pages: "y" } }, "#/data/medium"],
    [{ medium: { kind: "paper", pages: "y", more: 1 } }, "#/data/medium/pages", "#/data/medium"],
    [{ media: [paper, { kind: "audio" }] }, "#/data/media/1/minutes"],
    [{ nested: { kind: "film", sound: { kind: "paper" } } }, "#/data/nested/sound/pages"],
    [{ none: { text: 7 } }, "#/data/none"],
    [{ box: { n: 300 } }, "#/data/box"],
    [{ short: "abcd" }, "#/data/short"],
    [{ counts: { "\ud800": "no" } }, "#/data/counts"],
    [{ counts: { "secret <b>text</b>": "no" } }, "#/data/counts"],
    [{ choices: [{}, { secret: { kind: "paper" } }] }, "#/data/choices/1"],
    [
      { odd: { "a/b": "x", "a b": "x", "a#b": "x" } },
      "#/data/odd/a~1b",
      "#/data/odd/a%20b",
      "#/data/odd/a%23b",
    ],
    [
      { odd: { "a~b": "x", "a%b": "x", é: "x" } },
      "#/data/odd/a~0b",
      "#/data/odd/a%25b",
      "#/data/odd/%C3%A9",
    ],
    [
      { odd: { "needed/#": {} } },
      "#/data/odd/needed~1%23/a~1b~0%23",
      "#/data/odd/needed~1%23/constructor",
    ],
    [
      { odd: { constructor: 7, toString: "x", valueOf: {} } },
      "#/data/odd/constructor",
      "#/data/odd/toString",
      "#/data/odd/valueOf/toString",
    ],
  ])("%j is wrong at %s %s %s", (data, ...places) => {
    expect([...ofBody(data).service].sort()).toEqual([...places].sort());
  });
});

const NUMBERS =
  "1e-7 1e+21 1E5 -1.5e-3 0e0 0.5 12 1e400 -0 01 1. .5 1e 1e+ e5 1e5.5 0x10 +1 1_0 NaN Infinity 1e2e3";
describe("a parameter", () => {
  const names = [
    "n",
    "i",
    "x/y",
    "x~1y",
    "a b",
    "#c",
    "constructor",
    "valueOf",
    "toString",
    "a",
    "__proto__",
  ];

  it.each(names)("is wrong in the same way: %s", (name) => {
    for (const text of [...NUMBERS.split(" "), "", "1,2"]) {
      const sent = new Map([[name, text]]);
      const read = () =>
        queryInput(
          of(service.operations, "form.find"),
          of(service.validators, "form.find"),
          sent,
          [name],
          {},
        );
      const oracle = placesOf(queryFaults(contextOf("form.find"), [...sent]));
      expect(new Set(rejected(read)), text).toEqual(oracle);
      for (const place of oracle) expect([name, "#"]).toContain(place);
    }
  });

  it.each(["X-N", "x-h"])("is wrong in the same way in a header: %s", (name) => {
    for (const text of NUMBERS.split(" ")) {
      const { faults } = headerInput(
        of(service.operations, "form.find"),
        of(service.validators, "form.find"),
        [name, text],
      );
      const fields = (other: string) => (other === name ? [text] : []);
      expect(new Set(faults.map((one) => Object(one).parameter)), text).toEqual(
        placesOf(headerFaults(contextOf("form.find"), fields)),
      );
    }
  });

  it("is a number in the grammar of JSON", () => {
    const isNumber = (text: string) =>
      queryFaults(contextOf("form.find"), [["n", text]]).length === 0;
    const right = NUMBERS.split(" ").filter(isNumber);
    expect(right).toEqual(["1e-7", "1e+21", "1E5", "-1.5e-3", "0e0", "0.5", "12", "-0"]);
  });
});

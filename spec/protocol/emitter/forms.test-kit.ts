// Each form of the list as it is written, with what it takes and what it rejects.
import { resolve } from "node:path";
import {
  dateTime,
  float,
  integer,
  NO_NUMBER_TEXTS,
  of,
  texts,
  type Values,
} from "./form-values.test-kit.ts";
import { FORMS, type Place } from "./forms.ts";
import { generateFrom } from "./write.test-kit.ts";

const { MIN_SAFE_INTEGER: LEAST, MAX_SAFE_INTEGER: MOST } = Number;

const tree = { name: "a", note: "x", box: { value: 127 }, kids: [{ name: "b", kids: [] }] };
const wrongTrees = [{ more: 1 }, { kids: [{}] }, { box: { value: 128 } }].map((fault) => ({
  ...tree,
  ...fault,
}));

/** Each form as it is written, and what it takes. */
export const CASES: readonly (readonly [
  form: string,
  type: string,
  values: Values,
  decorators?: string,
])[] = [
  [
    "string",
    "string",
    texts("ab abc äöü", "a abcd AB abC"),
    '@minLength(2) @maxLength(3) @pattern("^[a-zäöü]+$") ',
  ],
  [
    "string",
    "Uuid",
    texts("019c1395-e200-7000-8000-0123456789ab", "019C1395-e200-7000-8000-0123456789ab x"),
  ],
  ["string", "string", texts("a@b", "a a@ @b"), '@format("email") '],
  ["url", "url", texts("https://a.invalid/b#c urn:a", "a /a :a")],
  ["enum", "Shade", texts("light DARK unknown", "dark LIGHT lightDARK")],
  ["enum", "Shade = Shade.light", texts("light DARK", "dark LIGHT")],
  ["literals", '"a" | "b"', texts("a b", "c A ab")],
  ["boolean", "boolean", of([true, false], ["true", 1, null], "true false", "TRUE 1 yes")],
  [
    "numbers",
    "1 | 2",
    { ...integer(1, 2), wrongTexts: ["0", "3", "1.5", "1e3", ...NO_NUMBER_TEXTS] },
  ],
  ["int8", "int8", integer(-128, 127)],
  ["int16", "int16", integer(-32_768, 32_767)],
  ["int32", "int32", integer(-2_147_483_648, 2_147_483_647)],
  ["int32", "int32", integer(-90, 90), "@minValue(-90) @maxValue(90) "],
  ["int32", "int32 = 4", integer(-2_147_483_648, 2_147_483_647)],
  ["int64", "int64", integer(LEAST, MOST)],
  ["uint8", "uint8", integer(0, 255)],
  ["uint16", "uint16", integer(0, 65_535)],
  ["uint32", "uint32", integer(0, 4_294_967_295)],
  ["uint64", "uint64", integer(0, MOST)],
  ["safeint", "safeint", integer(LEAST, MOST)],
  ["integer", "integer", integer(LEAST, MOST)],
  [
    "int64 as string",
    "int64",
    texts(
      "0 1 -1 9007199254740993 9223372036854775807 -9223372036854775808 8999999999999999999",
      "9223372036854775808 -9223372036854775809 10000000000000000000 -0 01 +1 1.0 a",
    ),
    "@encode(string) ",
  ],
  [
    "uint64 as string",
    "uint64",
    texts(
      "0 9 10 18446744073709551615 9999999999999999999",
      "18446744073709551616 20000000000000000000 -1 00 -0",
    ),
    "@encode(string) ",
  ],
  [
    "decimal as string",
    "decimal",
    texts("0 -1.50 123456789012345678901.5", "1. .5 01 1e3 NaN +1"),
    "@encode(string) ",
  ],
  ...["float32", "float64", "float", "numeric"].map((name) => [name, name, float] as const),
  [
    "plainDate",
    "plainDate",
    texts(
      "0000-01-01 9999-12-31 2024-02-29 2000-02-29 2026-04-30",
      "2026-02-30 2025-02-29 1900-02-29 2026-04-31 2026-13-01 2026-00-10 2026-01-00 " +
        "2026-01-32 2026-1-31 26-01-31 2026-01-31Z",
    ),
  ],
  [
    "plainTime",
    "plainTime",
    texts(
      "00:00:00 23:59:59 12:00:00.5",
      "24:00:00 12:60:00 23:59:60 12:00 12:00:00Z 12:00:00+01:00 1:00:00",
    ),
  ],
  [
    "duration",
    "duration",
    texts(
      "P1Y P1Y2M3D P1M P2W PT1H PT1H2M3S PT3S P1DT1M P3D",
      "P PT P1 1D P1YT P1Y2D P1W1D P1WT1H PT1H2S P1H PT1D PT1.5S -P1D p1d",
    ),
  ],
  ["utcDateTime as rfc3339", "utcDateTime", dateTime, '@encode("rfc3339") '],
  ["offsetDateTime as rfc3339", "offsetDateTime", dateTime, '@encode("rfc3339") '],
  [
    "list of texts or integers",
    "int8[]",
    of(
      [[1], [-128, 127]],
      [[], [1, 2, 3], [128], ["1"], 1, "1", null],
      "1 -128,127",
      "1,2,3 128 1, a 1;2",
    ),
    "@minItems(1) @maxItems(2) ",
  ],
  [
    "list of texts or integers",
    "Names",
    of([["light"], []], [["dark"], "light"], "light DARK,light", "a light;DARK"),
  ],
  ["list", "boolean[]", of([[], [true]], [["true"], [null], true])],
  ["T | null", "string | null", of(["abc", null], ["abcd", 7]), "@maxLength(3) "],
  ["T | null", "string | null", of(["a", "", null], [7, false, []])],
  ["T | null", "Shade | null", of(["light", null], ["dark", 7])],
  [
    "union",
    "Paper | Audio",
    of([{ pages: 1 }, { minutes: 0.5 }], [{}, { pages: 1.5 }, { pages: 1, minutes: 1 }, 7]),
  ],
  ["model", "Tree", of([{ name: "a" }, tree], [...wrongTrees, {}, { note: "x" }, [], null])],
  [
    "Record<T>",
    "Record<int8>",
    of([{}, { a: 1, default: -128 }], [{ a: 128 }, { a: "1" }, [], null]),
  ],
  ["model", "Mixed", of([{ name: "a", b: "c" }], [{}, { name: "a", b: 1 }, { name: 1 }])],
  ...["Types", "`class`", "Scope"].map((name) => ["model", name, of([{ a: 1 }], [{}])] as const),
  // Names are no keywords.
  [
    "model",
    "Sub",
    of([{ default: 1 }], [{ default: 3e9 }, { default: 1, examples: { properties: "1" } }]),
  ],
  [
    "model",
    "Odd",
    of(
      [{ constructor: "a", toString: 1, "a/b#": 2 }],
      [{ constructor: 7 }, { toString: "x" }, { valueOf: 1 }],
    ),
  ],
  [
    "union",
    "Reel | Tape",
    of(
      [{ kind: "reel", cuts: { a: 1 } }],
      [{ kind: "reel" }, { kind: "x" }, { kind: "tape", more: 1 }],
    ),
  ],
  ["T | null", "Reel | Tape | null", of([{ kind: "tape" }, null], [{ kind: "x" }, 7])],
  ["union", "Paper | string | int8[]", of([{ pages: 1 }, "a", [1]], [7, [300], { pages: "x" }])],
  ["union", "On | Off", of([{ on: true, a: 1 }], [{ on: true }, { on: false, a: 1 }])],
  ["T | null", "Paper | null", of([{ pages: 1 }, null], [{ pages: "x" }, 7])],
  ["T | null", "int32 | null", of([2, 9, null], [1, 10, "2"]), "@minValue(2) @maxValue(9) "],
  ["T | null", "string[] | null", of([["a", "b"], null], [["a", "b", "c"], 7]), "@maxItems(2) "],
  ["list", "Record<Reel | Tape>[]", of([[{ a: { kind: "tape" } }]], [[{ a: {} }], {}])],
  ["model", "Film", of([{}, { sound: { kind: "tape" } }], [{ sound: {} }, { sound: 7 }])],
  [
    "unknown",
    "unknown",
    of([{ a: [null, { "": 1.5 }] }, null, true, 0, "", "a", [], [[null]], {}], []),
  ],
  ["T | null", "unknown | null", of([[], null, 7], [])],
  ["list", "unknown[]", of([[], [null, 7, [{}]]], [{}, null, "a"])],
  ["Record<T>", "Record<unknown>", of([{ a: null, b: { c: [] } }, {}], [[], null, "a"])],
  ["model", "Loose", of([{ name: "a", b: null, c: {} }, { name: "" }], [{}, { name: 1 }, null])],
  ["open model", "Open", of([{ name: "a" }], [{}, { name: "a", more: 1 }])],
];
/** The models that they use, in a namespace of their own. */
export const HEAD = `import "${resolve(import.meta.dirname, "..")}";
using Http; using OpenAPI; using Atpoint; @service(#{ title: "Forms" }) @info(#{ version: "1.0.0" })
  namespace Forms;
/** Text is no syntax: the unknown one, require(x), eval(x) and Function(x). */ enum Shade { light,
  dark: "DARK", \`unknown\` } enum Level { low: 1, high: "high" }
model Paper { ...Record<never>; pages: int8 } model Audio {
    ...Record<never>; minutes: float32 }
model Named { name: string } model Noted { note?: string } model Box<T> { ...Record<never>; value: T
  } model Open { name: string }
model Tree extends Named { ...Record<never>; ...Noted; box?: Box<int8>; kids?: Tree[] } model Mixed
  { ...Record<string>; name: string }
model Loose { ...Record<unknown>; name: string }
model Types { ...Record<never>; a: int8 } model \`class\` is Types; model Scope is Types; model
  Names is Shade[];
model Odd { ...Record<never>; \`constructor\`?: string; toString?: int8; \`a/b#\`?: int8;
  \`a~b %é\`?: int8 } model Film { ...Record<never>; sound?: Reel | Tape }
model On { ...Record<never>; on: true; a: int8 } model Off { ...Record<never>; on: false; b: int8 }
model Reel { ...Record<never>; kind: "reel"; cuts: Record<int8> } model Tape { ...Record<never>;
  kind: "tape" }
model Sub { ...Record<never>; \`default\`: int32; examples?: Inner; \`unknown\`?: Inner } model
  Inner { ...Record<never>; \`properties\`?: int32 }
`;
export const documented = '@summary("x") @doc("x") @useAuth(NoAuth)';

export const member = (index: number): string => `f${index}`;
/** The cases that a place supports, each with its member as it is written there. */
export const inPlace = (place: Place) =>
  CASES.flatMap(([form, type, values, decorators = ""], index) => {
    const written = (kind: string) => `${decorators}${kind}${member(index)}?: ${type};`;
    return FORMS.get(form)?.places.includes(place) ? [{ form, index, values, written }] : [];
  });
const members = (place: Place, kind: (index: number) => string) =>
  inPlace(place).map(({ index, written }) => written(kind(index)));
const model = (place: Place) => `{ ...Record<never>; ${members(place, () => "").join(" ")} }`;
const PARAMETERS = [
  ...members("query", () => "@query "),
  ...members("header", (at) => `@header("X-${member(at)}") h`),
];
/**
 * A query and a command with a member of each form, in each place that supports it. The rest is
 * what is no form: header parameters of a command, a deprecation, a part of a name, several
 * representations.
 */
export const SPEC = `${HEAD} model Input ${model("body")} model Answer ${model("response")}
model Read<T extends string, Body> { @statusCode _: 200; @header contentType: T; ...AnswerHeaders;
  ...OperationHeader; @body body: Body }
${documented} op formFind is Atpoint.Query<"form.find", { @query times?: int32 = 3; @query sizes?:
  int32[]; @query \`x/y #c\`?: int8; @query \`x~1y\`?: int8; ${PARAMETERS.join(" ")} }, Ok<Answer>>;
@deprecation(#{ since: "2026-01-31", sunset: "2027-01-31", link: "https://forms.invalid/" })
@opExample(#{ parameters: #{ by: "Ada", body: #{ \`@\`: "form.add", data: #{} } } })
${documented} op formAdd is Command<"form.add", Input, Ok<Answer>, { @header("X-By") @maxLength(5)
  by: string; @header("X-Most") most?: int32 = 3 }>;
${documented} @opExample(#{ parameters: #{ part: "a", nr: "7" } })
op formRead is Atpoint.Query<"form.read.{part}.{nr}", { @known("a") @path @pattern("^(a|b)+$") part:
  string; @known("7") @path @pattern("^\\\\p{Nd}+$") nr: string }, Read<"application/json", Answer>
    | Read<"text/plain", string>>;`;

/** Lines of a spec; `NAME` is that of its operation. */
export const command = (data: string, example = "#{}") =>
  `@opExample(#{ parameters: #{ body: #{ \`@\`: "NAME", data: ${example} } } }) ` +
  `${documented} op NAME is Command<"NAME", ${data}, Ok<Open>>;`;
export const query = (input: string, answer = "Ok<Open>") =>
  `${documented} op NAME is Atpoint.Query<"NAME", { ${input} }, ${answer}>;`;

/** A spec of these lines, each with a name of its own. */
export const specOf = (lines: readonly string[]): string =>
  [HEAD.trimEnd(), ...lines.map((line, index) => line.replaceAll("NAME", `u${index}`))].join("\n");

/** What the generator reports about the lines of a spec: the index of the line, and the message. */
export async function faultsIn(lines: readonly string[]): Promise<readonly string[]> {
  const thrown = await generateFrom(specOf(lines)).catch((error: unknown) => error);
  const first = HEAD.trimEnd().split("\n").length + 1;
  const printed = String(Object(thrown).message).split("\n");
  return printed.map((text) =>
    text.replace(
      /^.*main\.tsp:(\d+):\d+ - error atpoint-spec\//,
      (_, line) => `${Number(line) - first} `,
    ),
  );
}

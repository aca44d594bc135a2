// Whatever is not in the list of forms is an error where it is written, which says what to write.
import { expect, it } from "vitest";
import { CASES, documented, HEAD } from "./forms.test-kit.ts";
import { FORMS, type Place } from "./forms.ts";
import { generateFrom } from "./write.test-kit.ts";

const NOT: readonly (readonly [form: string, type: string, decorators?: string])[] = [
  ["utcDateTime as rfc7231", "utcDateTime", '@encode("rfc7231") '],
  ["offsetDateTime as rfc7231", "offsetDateTime", '@encode("rfc7231") '],
  ["decimal", "decimal"],
  ["decimal128", "decimal128"],
  ["another @encode", "utcDateTime", '@encode("unixTimestamp", int32) '],
  ["another @encode", "duration", '@encode("seconds", float32) '],
  ["another @encode", "int8", "@encode(string) "],
  ["another @encode", "string[]", "@encode(ArrayEncoding.pipeDelimited) "],
  ["another @encode", "string[]", "@encode(ArrayEncoding.spaceDelimited) "],
  ["another @format", "string", '@format("ipv4") '],
  ["exclusive bound", "int32", "@minValueExclusive(0) "],
  ["exclusive bound", "float64", "@maxValueExclusive(1) "],
  ["exclusive bound", "plainDate", '@minValueExclusive(plainDate.fromISO("2026-01-31")) '],
  ["@minValue of a text", "decimal", "@encode(string) @minValue(1) "],
  ["@minValue of a text", "plainDate", '@maxValue(plainDate.fromISO("2026-01-31")) '],
  ["@encodedName", "string", '@encodedName("application/json", "b") '],
  ["bytes", "bytes"],
  ["unknown", "unknown"],
  ["unknown", "null"],
  ["tuple", "[string, int32]"],
];

const command = (name: string, data: string, example = "#{}") =>
  `@opExample(#{ parameters: #{ body: #{ \`@\`: "${name}", data: ${example} } } }) ${documented} op ${name} is Command<"${name}", ${data}, Ok<Open>>;`;
const query = (name: string, input: string, answer = "Ok<Open>") =>
  `${documented} op ${name} is Atpoint.Query<"${name}", { ${input} }, ${answer}>;`;
const PLACED: Readonly<Record<Place, (name: string, decorators: string, type: string) => string>> = {
  query: (name, decorators, type) => query(name, `${decorators}@query a?: ${type}`),
  header: (name, decorators, type) => query(name, `${decorators}@header a?: ${type}`),
  body: (name, decorators, type) => command(name, `{ ...Record<never>; ${decorators}a?: ${type} }`),
  response: (name, decorators, type) => query(name, "", `Ok<{ ${decorators}a?: ${type} }>`),
};

const answer = (body: string, contentType = "application/json") =>
  `{ @statusCode _: 200; @header contentType: "${contentType}"; ...AnswerHeaders; ...OperationHeader; @body body: ${body}; }`;
const OTHERS: readonly (readonly [form: string, place: Place, line: (name: string) => string])[] = [
  ["utcDateTime as rfc7231", "header", (name) => query(name, "@header a?: utcDateTime")],
  ["open model", "body", (name) => command(name, "{ ...Record<never>; a?: { b: string } }")],
  ["default without ?", "query", (name) => query(name, "@query a: int32 = 3")],
  ["default without ?", "body", (name) => command(name, "{ ...Record<never>; a: int32 = 3 }", "#{ a: 3 }")],
  [
    "default in a union",
    "body",
    (name) => command(name, "{ ...Record<never>; a?: { ...Record<never>; b?: int8 = 1 } | Paper }"),
  ],
  [
    "discriminated union",
    "response",
    (name) => `@discriminated union U${name} { paper: Paper, audio: Audio } ${query(name, "", `Ok<{ a: U${name} }>`)}`,
  ],
  [
    "discriminated union",
    "response",
    (name) => `@discriminator("kind") model M${name} { kind: string } ${query(name, "", `Ok<M${name}>`)}`,
  ],
  ["exploded list", "query", (name) => query(name, "@query(#{ explode: true }) a?: string[]")],
  ["exploded list", "header", (name) => query(name, "@header(#{ explode: true }) a?: string[]")],
  ["@cookie", "query", (name) => query(name, "@cookie a?: string")],
  [
    "multipart or file",
    "body",
    (name) =>
      `${documented} @post @route("/api/${name}/../") op ${name}(@header contentType: "multipart/form-data", @multipartBody body: { a: HttpPart<string> }): Ok<Open>;`,
  ],
  [
    "multipart or file",
    "response",
    (name) => query(name, "", `{ ...AnswerHeaders; ...OperationHeader; @body body: File }`),
  ],
  ["body of a query", "body", (name) => query(name, "a: string")],
  ["bare value", "body", (name) => command(name, "string[]", "#[]")],
  ["bare value", "body", (name) => command(name, "Record<string>")],
  ["bare value", "body", (name) => command(name, "Open", '#{ name: "a" }')],
  [
    "bare value",
    "body",
    (name) => `${documented} @post @route("/api/${name}/../") op ${name}(@body body: Open): Ok<Open>;`,
  ],
  ["bare value", "response", (name) => query(name, "", "Ok<Open[]>")],
  ["bare value", "response", (name) => query(name, "", answer("string"))],
  ["bare value", "response", (name) => `model L${name} is Open[]; ${query(name, "", `Ok<L${name}>`)}`],
  ["no body", "response", (name) => query(name, "", "{ @statusCode _: 204; ...AnswerHeaders }")],
  ["no body", "response", (name) => query(name, "", "InvalidCursor")],
  ["bytes", "response", (name) => query(name, "", answer("bytes", "image/png"))],
];
const ESCAPE = 'pattern: The pattern does not work with the flag "u": write ';
const TEXTS = [
  [`${ESCAPE}"^[A-Z\\\\-_]+$".`, query("v0", '@pattern("^[A-Z\\\\-\\\\_]+$") @query a?: string')],
  [`${ESCAPE}"^a-b$".`, `@pattern("^a\\\\-b$") scalar V1 extends string; ${query("v1", "", "Ok<{ a: V1[] }>")}`],
  [
    "part-pattern: The part {b} of a name needs a @pattern that begins with ^ and ends with $.",
    `@opExample(#{ parameters: #{ b: "b" } }) ${documented} op v2 is Atpoint.Query<"v2.{b}", { @known("b") @path b: string }, Ok<Open>>;`,
  ],
] as const;
const REJECTED = [
  ...[...CASES, ...NOT].flatMap(([form, type, values = "", decorators = typeof values === "string" ? values : ""]) =>
    (["query", "header", "body", "response"] as const).flatMap((place) =>
      form === "open model" || FORMS.get(form)?.places.includes(place)
        ? []
        : [[form, place, (name: string) => PLACED[place](name, decorators, type)] as const],
    ),
  ),
  ...OTHERS,
];

it("rejects every other form where it is written, and says what to write", async () => {
  const lines = REJECTED.map(([, , line], index) => line(`u${index}`));
  const of = (form: string, place: Place) =>
    `form: ${form} is not supported in a ${place}: ${FORMS.get(form)?.instead}.`;
  const wanted = [...REJECTED.map(([form, place]) => of(form, place)), ...TEXTS.map(([message]) => message)];
  const spec = [HEAD.trimEnd(), ...lines, ...TEXTS.map(([, line]) => line)].join("\n");
  const thrown = await generateFrom(spec).catch((error: unknown) => error);
  const printed = String(Object(thrown).message).replaceAll(/^.*main\.tsp:(\d+):\d+ - error atpoint-spec\//gm, "$1 ");
  const first = HEAD.trimEnd().split("\n").length + 1;
  expect(printed.split("\n")).toEqual(wanted.map((message, index) => `${first + index} ${message}`));
});

it("names every form of the list", () => {
  expect(new Set([...CASES, ...NOT, ...OTHERS].map(([form]) => form))).toEqual(new Set(FORMS.keys()));
});

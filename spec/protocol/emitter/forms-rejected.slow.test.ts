// Whatever is not in the list of forms is an error where it is written, which says what to write.
import { expect, it } from "vitest";
import { CASES, command, documented, faultsIn, query } from "./forms.test-kit.ts";
import { FORMS, type Place } from "./forms.ts";

const NOT: readonly (readonly [form: string, type: string, decorators?: string])[] = [
  ["utcDateTime as rfc7231", "utcDateTime", '@encode("rfc7231") '],
  ["offsetDateTime as rfc7231", "offsetDateTime", '@encode("rfc7231") '],
  ["decimal", "decimal"],
  ["decimal128", "decimal128"],
  ["another @encode", "utcDateTime", '@encode("unixTimestamp", int32) '],
  ["another @encode", "duration", '@encode("seconds", float32) '],
  ["another @encode", "int8", "@encode(string) "],
  ["another @encode", "string[]", "@encode(ArrayEncoding.pipeDelimited) "],
  ["another @format", "string", '@format("ipv4") '],
  ["another @format", "string", '@format("toString") '],
  ["exclusive bound", "int32", "@minValueExclusive(0) "],
  ["exclusive bound", "plainDate", '@minValueExclusive(plainDate.fromISO("2026-01-31")) '],
  ["@minValue of a text", "decimal", "@encode(string) @minValue(1) "],
  ["@minValue of a text", "plainDate", '@maxValue(plainDate.fromISO("2026-01-31")) '],
  ["@encodedName", "string", '@encodedName("application/json", "b") '],
  ["bytes", "bytes"],
  ["null", "null"],
  ["void", "void"],
  ["never", "never"],
  ["tuple", "[string, int32]"],
  ["mixed enum", "Level"],
];

const post = (parameters: string) =>
  `${documented} @post @route("/api/NAME/../") op NAME(${parameters}): Ok<Open> | ` +
  "ProtocolProblem | BodyProblem;";
const PLACED: Readonly<Record<Place, (decorators: string, type: string) => string>> = {
  query: (decorators, type) => query(`${decorators}@query a?: ${type}`),
  header: (decorators, type) => query(`${decorators}@header a?: ${type}`),
  body: (decorators, type) => command(`{ ...Record<never>; ${decorators}a?: ${type} }`),
  response: (decorators, type) => query("", `Ok<{ ${decorators}a?: ${type} }>`),
};

const answer = (body: string, contentType = "application/json") =>
  `{ @statusCode _: 200; @header contentType: "${contentType}"; ...AnswerHeaders; ` +
  `...OperationHeader; @body body: ${body}; }`;
const ALTERNATIVES = "{ ...Record<never>; b?: int8 = 1 } | Paper";
const OTHERS: readonly (readonly [form: string, place: Place, line: string])[] = [
  ["utcDateTime as rfc7231", "header", query("@header a?: utcDateTime")],
  ["open model", "body", command("{ ...Record<never>; a?: { b: string } }")],
  ["default without ?", "query", query("@query a: int32 = 3")],
  ["default without ?", "body", command("{ ...Record<never>; a: int32 = 3 }", "#{ a: 3 }")],
  ["unknown in a union", "body", command("{ ...Record<never>; a?: unknown | Paper }")],
  ["default in a union", "body", command(`{ ...Record<never>; a?: ${ALTERNATIVES} }`)],
  [
    "discriminated union",
    "response",
    `@discriminated union UNAME { paper: Paper } ${query("", "Ok<{ a: UNAME }>")}`,
  ],
  [
    "discriminated union",
    "response",
    `@discriminator("b") model MNAME { b: string } ${query("", "Ok<MNAME>")}`,
  ],
  ["exploded list", "query", query("@query(#{ explode: true }) a?: string[]")],
  ["exploded list", "header", query("@header(#{ explode: true }) a?: string[]")],
  ["@cookie", "query", query("@cookie a?: string")],
  ["multipart or file", "body", post("@multipartBody body: { a: HttpPart<string> }")],
  [
    "multipart or file",
    "response",
    query("", "{ ...AnswerHeaders; ...OperationHeader; @body body: File }"),
  ],
  ["body of a query", "body", query("a: string")],
  ["bare value", "body", command("string[]", "#[]")],
  ["bare value", "body", command("Record<string>")],
  ["bare value", "body", command("Open", '#{ name: "a" }')],
  ["bare value", "body", post("@body body: Open")],
  ["bare value", "response", query("", "Ok<Open[]>")],
  ["bare value", "response", query("", answer("string"))],
  ["bare value", "response", `model LNAME is Open[]; ${query("", "Ok<LNAME>")}`],
  ["no body", "response", query("", "{ @statusCode _: 204; ...AnswerHeaders }")],
  ["no body", "response", query("", "InvalidCursor")],
  ["no body", "response", query("", "Ok<Open> | { @statusCode _: 204; ...AnswerHeaders }")],
  ["no body", "response", query("", "Answered<205, Open>")],
  ["another status", "response", query("", "Answered<101, Open>")],
  ["another status", "response", query("", "Ok<Open> | Answered<302, Open>")],
  [
    "range of statuses",
    "response",
    query("", "{ @minValue(200) @maxValue(299) @statusCode _: int32; @body body: Open }"),
  ],
  ["bytes", "response", query("", answer("bytes", "image/png"))],
];
const ESCAPE = 'pattern: The pattern does not work with the flag "u": write ';
const PART_PATTERN =
  "part-pattern: The part {b} of a name needs a @pattern that begins with ^ and ends with " +
  "$, without further anchors, named groups and back-references.";
const named = (pattern: string) =>
  `@opExample(#{ parameters: #{ b: "b" } }) ${documented} op NAME is ` +
  `Atpoint.Query<"NAME.{b}", { @known("b") @path ` +
  `${pattern && `@pattern(${JSON.stringify(pattern)}) `}b: string }, Ok<Open>>;`;
const BAD_PARTS = [
  "b$",
  "^b",
  "^b\\$",
  "^(b$|c)$",
  "^(?:^b)$",
  "^(?<b>b)$",
  "^(b)\\1$",
  "^(?<b>b)\\k<b>$",
];
const inherited = (name: string) =>
  `name: "${name}" is not supported as a name: the compiler looks it up in an object, and ` +
  "every object has it.";
const PROTO =
  'name: "__proto__" is not supported as a name: a body with such a member is malformed.';
const TEXTS: readonly (readonly [message: string, line: string])[] = [
  [`${ESCAPE}"^[A-Z\\\\-_]+$".`, query('@pattern("^[A-Z\\\\-\\\\_]+$") @query a?: string')],
  [
    `${ESCAPE}"^a-b$".`,
    `@pattern("^a\\\\-b$") scalar SNAME extends string; ${query("", "Ok<{ a: SNAME[] }>")}`,
  ],
  ...["", ...BAD_PARTS].map((pattern) => [PART_PATTERN, named(pattern)] as const),
  [inherited("constructor"), query("@query `constructor`?: string")],
  [inherited("toString"), query("@query toString?: string")],
  [inherited("hasOwnProperty"), query('@header("hasOwnProperty") a?: string')],
  [inherited("valueOf"), `model valueOf { a?: string } ${query("", "Ok<valueOf>")}`],
  [inherited("__proto__"), query('@query("__proto__") a?: string')],
  [PROTO, command("{ ...Record<never>; `__proto__`?: string }")],
  [PROTO, query("", "Ok<{ a?: { `__proto__`?: string } }>")],
];
const REJECTED = [
  ...[...CASES, ...NOT].flatMap(
    ([form, type, values = "", decorators = typeof values === "string" ? values : ""]) =>
      (["query", "header", "body", "response"] as const).flatMap((place) =>
        form === "open model" || FORMS.get(form)?.places.includes(place)
          ? []
          : [[form, place, PLACED[place](decorators, type)] as const],
      ),
  ),
  ...OTHERS,
];

it("rejects every other form where it is written, and says what to write", async () => {
  const written = [...REJECTED.map(([, , line]) => line), ...TEXTS.map(([, line]) => line)];
  const of = (form: string, place: Place) =>
    `form: ${form} is not supported in a ${place}: ${FORMS.get(form)?.instead}.`;
  const wanted = [
    ...REJECTED.map(([form, place]) => of(form, place)),
    ...TEXTS.map(([message]) => message),
  ];
  expect(await faultsIn(written)).toEqual(wanted.map((message, index) => `${index} ${message}`));
});

it("names every form of the list", () => {
  expect(new Set([...CASES, ...NOT, ...OTHERS].map(([form]) => form))).toEqual(
    new Set(FORMS.keys()),
  );
});

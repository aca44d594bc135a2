// Every production of what a request may have (RFC 9110, 9112, 3986 and 8259) is in a case that
// each default run sends.
import { expect, it } from "vitest";
import type { Request } from "../oracle/model-state.ts";
import { packaged } from "../packaged.ts";
import { sampleOf } from "./cover.ts";
import { caseOf } from "./generate.ts";

const { oracle, tables, paths, coveringCases } = packaged;
const { source } = sampleOf(oracle.contract, paths);
const requests = (coveringCases ?? []).flatMap((id) => caseOf(tables, source, id)?.request ?? []);

const linesOf = ({ fields }: Request, wanted: string) =>
  fields.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
/** Whether some request has a line of this field with this form. */
const hasField = (name: string, form: RegExp) =>
  requests.some((one) => linesOf(one, name.toLowerCase()).some((line) => form.test(line)));
const hasLines = (name: string, count: number) =>
  requests.some((one) => linesOf(one, name.toLowerCase()).length === count);

/** RFC 9110, 5.6: lists, white space, tokens, quoted strings, parameters; 12.4.2: weights. */
const LIST = {
  "white space before a comma": /\S[ \t],/,
  "a tab": /\t/,
  "an empty element": /,\s*,|^,|,\s*$/,
};
const WEIGHTS = {
  "a weight of one decimal": /;\s*q=0\.\d(?!\d)/i,
  "a weight of three decimals": /;\s*q=0\.\d{3}(?!\d)/i,
  "a weight of zero": /;\s*q=0(?:\.0*)?(?![\d.])/i,
  "the weight in a capital": /;\s*Q=/,
};
const PARAMETERS = {
  "white space before a semicolon": /\S[ \t]+;/,
  "a quoted string": /="[^"]*"/,
  "a quoted pair": /="[^"]*\\./,
  "nothing behind a semicolon": /;\s*(?:,|$)/,
};

it.each([
  [
    "Accept",
    {
      ...LIST,
      ...WEIGHTS,
      ...PARAMETERS,
      "a range of types": /\w\/\*/,
      "any type": /\*\/\*/,
      capitals: /[A-Z]\//,
    },
  ],
  [
    "Accept-Encoding",
    { ...LIST, ...WEIGHTS, "any coding": /\*/, "no coding": /identity/, capitals: /GZIP|BR/ },
  ],
  [
    "If-None-Match",
    { ...LIST, "any tag": /^\*$/, "a weak tag": /W\/"/, "two tags": /"\s*,\s*(?:W\/)?"/ },
  ],
  [
    "Content-Type",
    { ...PARAMETERS, "a tab": /\t/, "letter case": /[A-Z]{4}.*\//, "two parameters": /;[^;]*;/ },
  ],
  ["Content-Encoding", { "no coding": /^identity$/, "letter case": /^Identity$/, "a list": /,/ }],
  ["Expect", { "letter case": /^100-Continue$/, "a list": /,/ }],
  ["Transfer-Encoding", { "letter case": /^C?h?unked|CHUNKED|Chunked/ }],
  [
    "Host",
    {
      "a port": /:\d/,
      "a port without digits": /:$/,
      "an IPv6 address": /^\[::1\]$/,
      nothing: /^$/,
    },
  ],
  ["Content-Length", { "leading zeros": /^00/ }],
  ["X-Request-Id", { "the longest": /^.{64}$/, "one character": /^.$/ }],
] as const)("%s has each form", (name, forms) => {
  const missing = Object.entries(forms).filter(([, form]) => !hasField(name, form));
  expect(missing.map(([what]) => what)).toEqual([]);
});

it.each([
  ["Accept", 3],
  ["Accept-Encoding", 3],
  ["Content-Type", 2],
  ["Idempotency-Key", 2],
  ["X-API-KEY", 2],
  ["Host", 0],
])("%s comes in %i lines", (name, count) => {
  expect(hasLines(name, count)).toBe(true);
});

it.each<readonly [string, RegExp]>([
  ["an absolute form", /^http:\/\//],
  ["an absolute form in capitals", /^HTTP:\/\//],
  ["an asterisk", /^\*$/],
  ["a host and a port alone", /^[\w.]+:\d+$/],
  ["a dot segment in an escape", /%2e/],
  ["a dot segment in an escape in capitals", /%2E/],
  ["a dot segment at the end", /\/\.\.(?:\?|$)/],
  ["an empty segment", /\/\//],
  ["a fragment", /#/],
  ["a second question mark", /\?.*\?/],
  ["a second equals sign", /=[^&]*=/],
  ["a semicolon", /\?.*;/],
  ["an empty parameter", /&&|[?&]$/],
  ["a parameter without a value", /[?&]\w+(?:&|$)/],
  ["a plus", /=\S*\+/],
  ["an escape in small letters", /%[\da-f]*[a-f]/],
  ["an escape in capitals", /%[\dA-F]*[A-F]/],
  ["an escape of what needs none", /%61|%73/i],
  ["half of the longest", /^.{4096}$/],
])("a target has %s", (_, form) => {
  expect(requests.some(({ target }) => form.test(target))).toBe(true);
});

it.each<readonly [string, RegExp]>([
  ["blanks before a colon", /"\s+:/],
  ["a tab, a return and a line feed between tokens", /\t"[\s\S]*\r\n/],
  ["an escape in small letters", /\\u00[0-9][a-f]/],
  ["an escape in capitals", /\\u00[0-9][A-F]/],
  ["a pair of surrogates", /\\ud83d\\ude00/i],
  ["an escaped slash", /\\\//],
  ["an escaped name", /"\\u0040"\s*:/],
  ["the other short escapes", /\\b\\f\\t/],
  ["an exponent", /1e\+2|1E-2/],
  ["a member twice", /"@":"[^"]*".*"@":/],
  ["a member twice, once by an escape", /"d\\u0061ta":\{\},"data"/],
])("a body has %s", (_, form) => {
  expect(requests.some(({ body }) => form.test(body))).toBe(true);
});

it("chunks have each form", () => {
  const framings = requests.flatMap(({ framing }) => framing ?? []);
  const extensions = framings.flatMap((one) => one.extensions ?? []);
  for (const form of [/^;a$/, /=b$/, /="b;c"/, /\\"/, /;a;b/])
    expect(
      extensions.some((one) => form.test(one)),
      `${form}`,
    ).toBe(true);
  expect(framings.some(({ trailers = [] }) => trailers.length > 0)).toBe(true);
  expect(framings.some(({ digits }) => digits === "in capitals")).toBe(true);
  expect(framings.some(({ digits }) => digits === "with leading zeros")).toBe(true);
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { parseJsonObject, syntaxFault } from "./json.ts";

// Invalid JSON, `__proto__`, levels and parts are sent to the running service by
// `http/malformed-json` and the checks around it.
const read = (text: string | Buffer) =>
  parseJsonObject(Buffer.from(text), { MAX_JSON_DEPTH: 16, MAX_JSON_PARTS: 1024 });
const malformed = expect.objectContaining({ code: "malformed-json" });
const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

const withParts = (parts: number) =>
  `{"é{[,\\\\":"\\"${"[{,".repeat(1_025)}","a":[0${",0".repeat(parts - 3)}]}`;

it("counts no parts within strings", () => {
  expect(Object.keys(read(withParts(1_024)))).toEqual(["é{[,\\", "a"]);
});

it("reads any JSON as JSON.parse does, whatever its strings hold", () => {
  const strings = fc.string({
    unit: fc.constantFrom(...'[]{}"\\u_a\u00e9', "__proto__", "\\u005f"),
    maxLength: 40,
  });
  const value = fc.jsonValue({ maxDepth: 10, stringUnit: "grapheme" });
  const texts = fc
    .tuple(fc.array(strings, { maxLength: 40 }), value)
    .map((data) => JSON.stringify({ data }));
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(!/"__proto__"\s*:/.test(text));
      expect(read(text)).toEqual(JSON.parse(text));
    }),
  );
});

it("finds the seventeenth level behind any strings", () => {
  const text = fc.string({ unit: fc.constantFrom(...'[]{}"\\a'), maxLength: 40 });
  fc.assert(
    fc.property(fc.array(text), (strings) => {
      const before = JSON.stringify(strings);
      expect(() => read(`{"b":${before},${nested(16).slice(1)}`)).not.toThrow();
      expect(() => read(`{"b":${before},${nested(17).slice(1)}`)).toThrow(malformed);
    }),
  );
});

it.each([
  ["not UTF-8", Buffer.from('{"a":"\u00e9"}', "latin1"), "The body is not UTF-8."],
  ["a byte order mark", "\ufeff{}", "The body begins with a byte order mark."],
  ["a list", "[]", "The body is JSON, but not an object."],
  ["levels", nested(17), "The body is nested deeper than 16 levels."],
  ["parts", withParts(1_025), "The body has more than 1024 of `{`, `[` and `,` outside strings."],
  ["__proto__", '{"a":{"__proto__":1}}', "The body has a member `__proto__`."],
  ["an error with a position", '{"s3cret":1,}', "The body is not valid JSON at position 12."],
  ["an error at the end", '{"s3cret":', "The body is not valid JSON."],
  ["a text like a position", '{"a":at position 7}', "The body is not valid JSON."],
])("says in `detail` which cause it is: %s", (_, body, message) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ message }));
});

const [at5, somewhere] = ["is not valid JSON at position 5", "is not valid JSON"];
it.each([
  ["Unexpected token } in JSON at position 5", at5],
  ["Expected ',' or ']' after array element in JSON at position 5 (line 1 column 6)", at5],
  ["Unexpected token 'a', \"at position 5\" is not valid JSON", somewhere],
  ["Unexpected token 'a', ...\"at position 5 (line 1 column 6)\"... is not valid JSON", somewhere],
  ["Unexpected end of JSON input", somewhere],
])("takes only the position from the engines of Node.js 20 and 24: %s", (message, fault) => {
  expect(syntaxFault(message)).toBe(fault);
});

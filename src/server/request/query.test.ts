import fc from "fast-check";
import { expect, it } from "vitest";
import { Problem } from "../problem.ts";
import { parseQuery } from "./query.ts";

// What cannot be decoded, and what is repeated, is sent to the running service by `dispatch/malformed-query` and `dispatch/repeated`.
it.each([
  ["&&", {}],
  ["a", { a: "" }],
  ["=x", { "": "x" }],
  ["a=b=c", { a: "b=c" }],
  ["a+b=c+d%2B", { "a b": "c d+" }],
  ["a%26b=c%3Dd&e", { "a&b": "c=d", e: "" }],
  ["a=%EF%BB%BFx", { a: "\ufeffx" }],
  ["a=%2525", { a: "%25" }],
  ["constructor=2", { constructor: "2" }],
])("reads %j", (search, expected) => {
  expect(Object.fromEntries(parseQuery(search))).toEqual(expected);
});

it("reads back what URLSearchParams writes", () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(fc.dictionary(text, text), (values) => {
      const entries = Object.entries(values);
      expect([...parseQuery(new URLSearchParams(entries).toString())]).toEqual(entries);
    }),
  );
});

it("throws nothing but problems, and never the caller's text", () => {
  const piece = fc.constantFrom("%", "%4", "%40", "@", "=", "&", "+", "a", "%ff", "%26");
  const search = fc.oneof(
    fc.string({ unit: "binary-ascii" }),
    fc.array(piece).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(search, (text) => {
      try {
        parseQuery(text);
      } catch (thrown) {
        if (!(thrown instanceof Problem)) throw thrown;
        expect(["malformed-query", "parameter-repeated"]).toContain(thrown.code);
      }
    }),
  );
  expect(() => parseQuery("secret=1&secret=2")).not.toThrow(/secret/);
});

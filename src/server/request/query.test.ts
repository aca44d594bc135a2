import fc from "fast-check";
import { expect, it } from "vitest";
import { parseQuery } from "./query.ts";

// What cannot be decoded, and what is repeated, is sent to the running service by
// `dispatch/malformed-query` and `dispatch/repeated`.
it("reads empty parameters, and a name alone", () => {
  expect(Object.fromEntries(parseQuery("&&a&constructor=2"))).toEqual({ a: "", constructor: "2" });
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

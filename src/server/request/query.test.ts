import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Problem } from "../problem.ts";
import { parseQuery } from "./query.ts";

const codeOf = (search: string): string | null => {
  try {
    parseQuery(search);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown;
    return thrown.code;
  }
};

describe("parseQuery", () => {
  it.each([
    ["", {}],
    ["&&", {}],
    ["@=user.list&limit=5", { "@": "user.list", limit: "5" }],
    ["%40=sysinfo", { "@": "sysinfo" }],
    ["a", { a: "" }],
    ["a=", { a: "" }],
    ["=x", { "": "x" }],
    ["a=b=c", { a: "b=c" }],
    ["a+b=c+d%2B", { "a b": "c d+" }],
    ["a=%C3%A9", { a: "é" }],
    ["a=\u00c3\u00a9", { a: "é" }],
    ["a%26b=c%3Dd&e", { "a&b": "c=d", e: "" }],
    ["a=%EF%BB%BFx", { a: "\ufeffx" }],
    ["a=%2525", { a: "%25" }],
  ])("reads %j", (search, expected) => {
    expect(Object.fromEntries(parseQuery(search))).toEqual(expected);
  });

  it.each([
    "a=%",
    "a=%4",
    "a=%zz",
    "%f",
    "a=%FF",
    "a=%C3",
    "a=\u00e9",
    "a=%ED%A0%80",
    "a=%C0%AF",
    "a=\u00c3%A9",
    "a&a&%",
  ])("rejects %j as malformed-query", (search) => {
    expect(codeOf(search)).toBe("malformed-query");
  });

  it.each(["a=1&a=1", "@=x&%40=y", "a&a", "a+b=1&a%20b=2"])("rejects %j as parameter-repeated", (search) => {
    expect(codeOf(search)).toBe("parameter-repeated");
  });

  it("knows no inherited names", () => {
    const parameters = parseQuery("__proto__=1&constructor=2");
    expect([...parameters]).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
    ]);
    expect(parameters.get("toString")).toBeUndefined();
  });

  it("reads ten thousand parameters", () => {
    expect(parseQuery(Array.from({ length: 10_000 }, (_, i) => `p${i}=${i}`).join("&")).size).toBe(10_000);
  });

  it("throws nothing but problems, and never the caller's text", () => {
    const piece = fc.constantFrom("%", "%4", "%40", "@", "=", "&", "+", "a", "\u00ff", "%ff", "\u0141");
    const search = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(
        search,
        (text) => void expect([null, "malformed-query", "parameter-repeated"]).toContain(codeOf(text)),
      ),
    );
    expect(() => parseQuery("secret=1&secret=2")).not.toThrow(/secret/);
  });

  it("reads back what URLSearchParams writes", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })), (values) => {
        const entries = Object.entries(values);
        expect([...parseQuery(new URLSearchParams(entries).toString())]).toEqual(entries);
      }),
    );
  });
});

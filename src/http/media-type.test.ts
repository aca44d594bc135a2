import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMediaType } from "./media-type.ts";

describe("parseMediaType", () => {
  it.each([
    ["application/json", "application/json", {}],
    [" Application/JSON ", "application/json", {}],
    ["text/html;Level=1", "text/html", { level: "1" }],
    ["text/html ; a=b;\tc=D", "text/html", { a: "b", c: "D" }],
    ['text/html;a="b;\\"c\\\\,"', "text/html", { a: 'b;"c\\,' }],
    ['text/html;a=""', "text/html", { a: "" }],
    ["text/html; ; ;a=b;", "text/html", { a: "b" }],
    ["*/*;q=0.5", "*/*", { q: "0.5" }],
    ["application/vnd.x+json", "application/vnd.x+json", {}],
  ])("reads %s", (text, type, parameters) => {
    const parsed = parseMediaType(text);
    expect(parsed?.type).toBe(type);
    expect(Object.fromEntries(parsed?.parameters.map(({ name, value }) => [name, value]) ?? [])).toEqual(parameters);
  });

  it.each([
    "",
    "json",
    "a/",
    "/b",
    "a/b/c",
    "a /b",
    "a/b c",
    "a/b;c",
    "a/b;c=",
    "a/b;c =d",
    "a/b;c= d",
    'a/b;c="d',
    "a/b,c/d",
    'a/b;c="\x7f"',
  ])("does not read %j", (text) => {
    expect(parseMediaType(text)).toBeNull();
  });

  it("never throws, and takes a hostile row of blanks and semicolons", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseMediaType(text)));
    expect(parseMediaType(`a/b${" ; ".repeat(4000)}?`)).toBeNull();
  });
});

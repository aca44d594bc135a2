import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { negotiate, parseMediaType } from "./negotiation.ts";

const JSON_TYPE = "application/json";
const documents = [JSON_TYPE, "text/markdown", "text/plain", "text/html"];

describe("negotiate", () => {
  it.each([
    [undefined, JSON_TYPE],
    ["", JSON_TYPE],
    [" , ,", JSON_TYPE],
    ["*/*", JSON_TYPE],
    ["text/*", "text/markdown"],
    ["text/html", "text/html"],
    ["TEXT/HTML", "text/html"],
    ["text/html;level=1", "text/html"],
    ["application/json; charset=utf-8", JSON_TYPE],
    ['text/plain;version="a,b;q=0"', "text/plain"],
    ["text/html, application/json", JSON_TYPE],
    ["text/html, application/json;q=0.9", "text/html"],
    ["text/html;q=0.5, application/json;Q=0.501", JSON_TYPE],
    ["application/json;q=0, */*", "text/markdown"],
    ["*/*, text/*;q=0, application/json;q=0", null],
    ["text/*;q=0.1, text/html;q=0, application/json;q=0", "text/markdown"],
    ["text/plain;q=0.3, text/plain;level=1;q=0.7, text/html;q=0.5", "text/plain"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"],
    ["image/png", null],
    ["image/*, */json", null],
    ["application/json;q=0.000", null],
    ["application/problem+json", null],
  ])("for Accept: %s answers %s", (accept, expected) => {
    expect(negotiate(accept, documents)).toBe(expected);
  });

  it.each([
    "image/png, html",
    "text/html, image/gif, *; q=.2",
    "text/html;q=2",
    "text/html;q=0.1234",
    "text/html;q=-1",
    "text/html;q=",
    "text/html;q=1;q=0",
    "text/html text/plain",
    'text/html;a="b',
    "text / html",
  ])("ignores the malformed %s", (accept) => {
    expect(negotiate(accept, documents)).toBe(JSON_TYPE);
  });

  it("answers null when nothing is offered", () => {
    expect(negotiate("*/*", [])).toBeNull();
  });

  it("never throws, and answers only what is offered", () => {
    const piece = fc.constantFrom("text/html", "*/*", "text/*", ",", ";", "q=0", "q=1", '"', "\\", " ", "a=b");
    const accept = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece).map((pieces) => pieces.join("")),
    );
    fc.assert(fc.property(accept, (text) => void expect([...documents, null]).toContain(negotiate(text, documents))));
  });
});

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

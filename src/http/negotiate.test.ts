import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { negotiate } from "./negotiate.ts";

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

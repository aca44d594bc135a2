import { expect, it } from "vitest";
import { negotiate, parseMediaType } from "./negotiation.ts";

// Most values are sent to the running service by `answers/not-acceptable`,
// `answers/accept-ignored`, `docs.get/json`, `docs.get/formats` and `http/media-type`. Here are
// those whose response would be the same without a rule.
const documents = ["application/json", "text/markdown", "text/plain", "text/html"];

it.each<[string, string | null]>([
  ['text/plain;version="a,b;q=0"', "text/plain"],
  ["text/html;level=1", "text/html"],
  ["text/html;q=0.5, application/json;Q=0.501", "application/json"],
  ["*/*, text/*;q=0, application/json;q=0", null],
  ["text/plain;level=1;q=0.7, text/plain;q=0.3, text/html;q=0.5", "text/plain"],
  ["image/*, */json", null],
  ...["text/html;q=1;q=0", "text/html text/plain", 'text/html;a="b', "text / html"].map(
    (malformed): [string, string] => [malformed, "application/json"],
  ),
])("for Accept: %s answers %s", (accept, expected) => {
  expect(negotiate(accept, documents)).toBe(expected);
});

// Spellings of the media type of a body are sent by `http/media-type`, `http/media-type-spelling`
// and `http/charset`.
it.each([
  ['text/html;a="b;\\"c\\\\,"', [{ name: "a", value: 'b;"c\\,' }]],
  ["text/html; ; ;A=b;", [{ name: "a", value: "b" }]],
  ['text/html;a="\x7f"', undefined],
])("reads the parameters of %j", (text, parameters) => {
  expect(parseMediaType(text)?.parameters).toEqual(parameters);
});

it("takes as long for blanks as for other signs: a quadratic expression would not end here", () => {
  expect(parseMediaType(`text/html${" ; ".repeat(400_000)}?`)).toBeNull();
});

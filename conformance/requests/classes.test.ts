// What a store, a form or a library does to texts shows in one of the values that follow from a schema.
import { expect, it } from "vitest";
import { membersOf, type Schema } from "../oracle/contract.ts";
import { Points } from "../oracle/points.ts";
import { faultsOf } from "../oracle/schema.ts";
import { packaged } from "../packaged.ts";
import { addressesOf, valuesOf } from "./classes.ts";

const { contract } = packaged.oracle;
const operation = contract.operations["user.create"] ?? expect.fail();

/** Whether a text is right by a schema, for a member of any operation. */
const isRightFor = (schema: Schema) => (value: unknown) =>
  faultsOf({ contract, operation, at: new Points() }, schema, value, { member: "x", place: "#" })
    .length === 0;
const textsOf = (schema: Schema, example = "x") =>
  valuesOf(contract, schema, example, isRightFor(schema)).map(String);

const { name = {}, email = {} } = membersOf(contract, operation.schema);
const names = textsOf(name);

it.each<readonly [what: string, change: (text: string) => string]>([
  ["composes", (text) => text.normalize("NFC")],
  ["decomposes", (text) => text.normalize("NFD")],
  ["makes compatible letters alike", (text) => text.normalize("NFKC")],
  ["makes blanks one", (text) => text.replace(/\s+/g, " ")],
  ["takes other spaces for blanks", (text) => text.replace(/[\u00a0\u3000]/g, " ")],
  ["takes lines for blanks", (text) => text.replace(/[\u2028\u2029]/g, " ")],
  ["makes letters small", (text) => text.toLowerCase()],
  ["makes letters capital", (text) => text.toUpperCase()],
  ["cuts at 127 characters", (text) => [...text].slice(0, 127).join("")],
  ["cuts at 199 characters", (text) => [...text].slice(0, 199).join("")],
  ["cuts at 255 bytes", (text) => Buffer.from(text).subarray(0, 255).toString()],
  ["cuts at 799 bytes", (text) => Buffer.from(text).subarray(0, 799).toString()],
  ["has two bytes for a character", (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, "\ufffd")],
  ["has three bytes for a character", (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, "")],
  ["has one byte for a character", (text) => Buffer.from(text, "latin1").toString("latin1")],
  ["drops marks", (text) => text.replace(/\p{M}/gu, "")],
  ["drops what cannot be seen", (text) => text.replace(/\p{Cf}/gu, "")],
  ["drops private use", (text) => text.replace(/\p{Co}/gu, "")],
  ["drops a mark of byte order", (text) => text.replaceAll("\ufeff", "")],
  ["replaces noncharacters", (text) => text.replaceAll("\u{10ffff}", "\ufffd")],
  ["reads numbers", (text) => (Number.isNaN(Number(text)) ? text : String(Number(text)))],
  ["reads truth", (text) => (text === "true" ? "1" : text)],
  ["reads null", (text) => (/^(?:null|undefined)$/.test(text) ? "" : text)],
  ["reads dates", (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)],
  ["reads lists", (text) => text.split(",").join(", ")],
  ["reads JSON", (text) => (/^["[{]/.test(text) ? String(JSON.parse(text)) : text)],
  ["escapes HTML", (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")],
  ["reads HTML", (text) => text.replaceAll("&amp;", "&").replaceAll("&#65;", "A")],
  ["drops tags", (text) => text.replace(/<[^>]*>/g, "")],
  ["reads escapes", (text) => text.replace(/\\(.)/g, "$1")],
  ["reads percent", (text) => text.replaceAll("%41", "A")],
  ["doubles quotes", (text) => text.replaceAll("'", "''")],
  ["halves quotes", (text) => text.replaceAll("''", "'")],
  ["fills in", (text) => text.replaceAll("{{x}}", "")],
  ["trims what cannot be seen", (text) => text.replace(/^[\u200b\ufeff]+|[\u200b\ufeff]+$/g, "")],
  [
    "composes Hangul alone",
    (text) => text.replace(/[\u1100-\u11ff]+/g, (one) => one.normalize("NFC")),
  ],
  ["drops variants of characters", (text) => text.replace(/[\ufe00-\ufe0f]/g, "")],
  ["rejects marks of direction", (text) => text.replace(/[\u061c\u200e\u200f]/g, "")],
  [
    "counts escaped characters",
    (text) => text.replaceAll("&", "&amp;").slice(0, 200 + 4 * text.split("&").length - 4),
  ],
  ["takes fractions apart", (text) => text.replaceAll("\u00bd", "1/2")],
  ["guards formulas", (text) => text.replace(/^[=@]/, "'$&")],
])("one of them shows a deployment that %s", (_, change) => {
  expect(names.filter((text) => change(text) !== text)).not.toEqual([]);
});

it("are right, few, and of any schema", () => {
  expect(names.filter((text) => !isRightFor(name)(text))).toEqual([]);
  expect(names.length).toBeLessThan(62);
  const plate: Schema = { type: "string", pattern: "^[A-Z]{1,3}-[0-9]{1,4}$" };
  expect(textsOf(plate, "AB-12")).toEqual(["AB-12", "AA-00", "ZZ-99", "A-1", "ABB-1222"]);
  expect(textsOf({ type: "string", pattern: "^[0-9]+$", maxLength: 3 }, "12")).toContain("007");
  expect(
    textsOf({ type: "string", minLength: 5, maxLength: 6, pattern: "^a*$" }, "aaaaa"),
  ).toContain("aaaaaa");
  expect(textsOf({ type: "string" }).length).toBeGreaterThan(20);
  expect(textsOf({ type: "string", enum: ["a", "b"] }, "a")).toEqual(["a", "b"]);
});

it("of numbers and truth are at the bounds, and null where it is allowed", () => {
  const valuesIn = (schema: Schema, example: unknown) =>
    valuesOf(contract, schema, example, isRightFor(schema));
  expect(valuesIn({ type: "integer", minimum: 1, maximum: 9 }, 3)).toEqual([3, 1, 2, 8, 9]);
  expect(valuesIn({ type: "number" }, 3)).toContain(0.1);
  expect(valuesIn({ type: ["boolean", "null"] }, true)).toEqual([true, false, null]);
  expect(valuesIn({ type: "array", items: {} }, [])).toEqual([[]]);
  const lines: Schema = {
    type: "array",
    items: {
      type: "object",
      properties: {
        count: { type: "integer", minimum: 1, maximum: 9 },
        isNew: { type: "boolean" },
      },
    },
  };
  expect(valuesIn(lines, [{ count: 3, isNew: true }]).slice(0, 3)).toEqual([
    [{ count: 3, isNew: true }],
    [{ count: 1, isNew: false }],
    [{ count: 2, isNew: true }],
  ]);
});

it("of an address are right, and keep what is before the @ and its domain", () => {
  const address = "conformance+0123456789abcdef-07@example.com";
  const all = addressesOf(address, isRightFor(email));
  expect(all.length).toBe(10);
  for (const one of all)
    expect(one).toMatch(/conformance\+0123456789abcdef-07\.?@(?:\S+\.)?example\.com$/);
  expect(Math.max(...all.map(({ length }) => length))).toBe(254);
  expect(Math.max(...all.map((one) => one.indexOf("@")))).toBe(64);
  // In a language where the capital of i is another letter.
  expect(all.filter((one) => !/i/i.test(one))).toEqual([]);
});

// What a store, a form or a library does to texts shows in one of the values that follow from a
// schema.
import { expect, it } from "vitest";
import { membersOf, type Schema } from "../oracle/contract.ts";
import { isValid } from "../oracle/schema.ts";
import { packaged } from "../packaged.ts";
import { addressesOf, valuesOf } from "./classes.ts";

const { contract } = packaged.oracle;
const operation = contract.operations["user.create"] ?? expect.fail();

/** Whether a text is right by a schema, for a member of any operation. */
const isRightFor = (schema: Schema) => (value: unknown) =>
  isValid(contract, operation, schema, value);
const textsOf = (schema: Schema, example = "x") =>
  valuesOf(contract, schema, example, isRightFor(schema)).map(String);

const { name = {}, email = {} } = membersOf(contract, operation.schema);
const names = textsOf(name);

it.each(["NFC", "NFD", "NFKC"])("one of them shows a deployment that normalizes to %s", (form) => {
  expect(names.filter((text) => text.normalize(form) !== text)).not.toEqual([]);
});

it.each<readonly [what: string, form: RegExp]>([
  ["blanks that are not one", /\s{2}|[^ \S]/],
  ["other spaces", /[\u00a0\u3000]/],
  ["lines that are none of ASCII", /[\u2028\u2029]/],
  ["capital letters", /\p{Lu}/u],
  ["small letters", /\p{Ll}/u],
  ["200 characters", /^.{200}$/su],
  ["800 bytes", /^[\u{10000}-\u{10ffff}]{200}$/u],
  ["characters of two bytes", /[^\p{ASCII}\u{10000}-\u{10ffff}]/u],
  ["a mark at the beginning", /^\p{M}/u],
  ["what cannot be seen, at an end", /^[\u200b\ufeff]|[\u200b\ufeff]$/],
  ["a mark of byte order", /\ufeff/],
  ["marks of direction", /[\u061c\u200e\u200f]/],
  ["private use", /\p{Co}/u],
  ["a noncharacter", /\u{10ffff}/u],
  ["a number", /^0\d+$|^\d+\.0$/],
  ["truth", /^true$/],
  ["null", /^(?:null|undefined)$/],
  ["a date", /^\d{4}-\d\d-\d\d$/],
  ["a list", /,/],
  ["JSON", /^[[{"].*[\]}"]$/],
  ["what HTML escapes", /[&<]/],
  ["what HTML reads", /&amp;|&#65;/],
  ["tags", /<[^>]*>/],
  ["the most characters, more once escaped", /^(?=.*&).{197,200}$/su],
  ["an escape", /\\./],
  ["an escape of a URL", /%41/],
  ["two quotes", /''/],
  ["a template", /\{\{x\}\}/],
  ["Hangul in parts", /[\u1100-\u11ff]{2}/],
  ["variants of characters", /[\ufe00-\ufe0f]/],
  ["a fraction", /\u00bd/],
  ["a formula", /^[=@]/],
  ["an address", /^\S+@\S+$|^https?:/],
])("one of them has %s", (_, form) => {
  expect(names.some((text) => form.test(text))).toBe(true);
});

it("are right, few, and of any schema", () => {
  expect(names.filter((text) => !isRightFor(name)(text))).toEqual([]);
  expect(names.length).toBeLessThan(62);
  const plate: Schema = { type: "string", pattern: "^[A-Z]{1,3}-[0-9]{1,4}$" };
  expect(textsOf(plate, "AB-12")).toEqual(["AB-12", "AA-00", "ZZ-99", "A-1", "ABB-1222"]);
  const digits: Schema = { type: "string", pattern: "^[0-9]+$", maxLength: 3 };
  expect(textsOf(digits, "12")).toContain("007");
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
  expect(valuesIn({}, 3)).toContainEqual(expect.objectContaining({ a: null }));
  const free = valuesIn({ type: "object", additionalProperties: {} }, { colour: "red" });
  expect(free).toContainEqual({ colour: null, further: null });
  const properties = {
    count: { type: "integer", maximum: 9 },
    isNew: { type: "boolean" },
  } as const;
  const lines: Schema = { type: "array", items: { type: "object", properties } };
  const [first, second] = valuesIn(lines, [{ count: 3, isNew: true }]);
  expect([first, second]).toEqual([[{ count: 3, isNew: true }], [{ count: 8, isNew: false }]]);
});

it("of an address are right, and keep what is before the @ and its domain", () => {
  const address = "conformance+0123456789abcdef-07@example.com";
  const all = addressesOf(address, isRightFor(email));
  expect(all.length).toBe(10);
  for (const variant of all)
    expect(variant).toMatch(/conformance\+0123456789abcdef-07\.?@(?:\S+\.)?example\.com$/);
  expect(Math.max(...all.map(({ length }) => length))).toBe(254);
  expect(Math.max(...all.map((one) => one.indexOf("@")))).toBe(64);
  // In a language where the capital of i is another letter.
  expect(all.filter((one) => !/i/i.test(one))).toEqual([]);
});

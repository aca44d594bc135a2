import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { headerInput } from "./input.ts";
import { faultText } from "./input-errors.ts";

/** The text of the first fault that the validator finds. */
function textOf(schema: object, value: unknown): string | undefined {
  const formats = { email: /@/, hex: /^[0-9a-f]+$/ };
  const validate = new Ajv2020({ strict: false, verbose: true, formats }).compile(schema);
  expect(validate(value)).toBe(false);
  return validate.errors?.map(({ keyword, params, parentSchema: { properties, format } = {} }) =>
    faultText({ keyword, params, parentSchema: { properties, format } }),
  )[0];
}

it.each([
  [{ type: "integer" }, "5", "must be an integer"],
  [{ type: ["string", "null"] }, 5, "must be a string or null"],
  [{ minimum: 1 }, 0, "must be at least 1"],
  [{ maximum: 200 }, 201, "must be at most 200"],
  [{ minLength: 1 }, "", "must have at least 1 character"],
  [{ maxLength: 2 }, "abc", "must have at most 2 characters"],
  [{ minItems: 1 }, [], "must have at least 1 item"],
  [{ maxItems: 2 }, [1, 2, 3], "must have at most 2 items"],
  [{ enum: ["a", "b"] }, "c", "must be one of a, b"],
  [{ const: "a" }, "b", 'must be "a"'],
  [{ format: "email" }, "a", "must be an e-mail address"],
  [{ format: "hex" }, "x", "must be of the format hex"],
  [{ pattern: "^a$" }, "s3cret", "does not have the form that docs.get.reference gives for it"],
  [
    { pattern: "^a@b$", format: "email" },
    "s3@cret",
    "must be an e-mail address in the form that docs.get.reference gives for it",
  ],
  [{ required: ["a"] }, {}, "is required"],
  [{ additionalProperties: false }, { s3cret: 1 }, "takes no members"],
  [
    { properties: { a: {} }, additionalProperties: false },
    { s3cret: 1 },
    "has members that are not known; allowed are a",
  ],
  [{ not: {} }, "s3cret", "is not valid"],
])("says of %j in our own words what is wrong with %j", (schema, value, text) => {
  expect(textOf(schema, value)).toBe(text);
});

it("calls the members of a query parameters", () => {
  const fault = {
    keyword: "additionalProperties",
    params: {},
    parentSchema: { properties: { a: {}, part: {} } },
  };
  expect(faultText(fault, ["part"], "parameters")).toBe(
    "has parameters that are not known; allowed are a",
  );
  expect(faultText(fault, ["a", "part"], "parameters")).toBe("takes no parameters");
});

const operation = {
  ...contract.operations.sysinfo,
  headers: {
    "X-Tags": { type: "strings", required: false },
    "X-Sizes": { type: "integers", required: false },
    "X-Text": { type: "string", required: false },
  },
} as const;
const validator = { query: null, body: null, headers: () => true, answers: {} };
const read = (...rawHeaders: string[]) => headerInput(operation, validator, rawHeaders).headers;

it("takes the items of a list without the blanks around them, from all fields of the name", () => {
  expect(read("x-tags", "a b , \tc\t,,d\u00a0", "X-TAGS", "", "X-Tags", "e")).toEqual({
    "X-Tags": ["a b", "c", "", "d\u00a0", "e"],
  });
  expect(read("X-Sizes", "1 ,\t2", "X-Text", "a , b")).toEqual({
    "X-Sizes": [1, 2],
    "X-Text": "a , b",
  });
});

it("takes as long for blanks as for other signs: a quadratic expression would not end here", () => {
  const blanks = " \t".repeat(500_000);
  expect(read("X-Tags", `a${blanks}b${blanks},${blanks}c`)).toEqual({
    "X-Tags": [`a${blanks}b`, "c"],
  });
});

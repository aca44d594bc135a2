import { expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { headerInput } from "./input.ts";
import { faultText } from "./input-errors.ts";

it.each([
  [{ keyword: "type", params: { type: ["string", "null"] } }, "must be a string or null"],
  [{ keyword: "minLength", params: { limit: 1 } }, "must have at least 1 character"],
  [{ keyword: "maxItems", params: { limit: 2 } }, "must have at most 2 items"],
  [
    { keyword: "pattern", params: {} },
    "does not have the form that docs.get.reference gives for it",
  ],
  [{ keyword: "additionalProperties", params: {} }, "takes no members"],
  [{ keyword: "not", params: {} }, "is not valid"],
])("says of the fault %j in our own words what is wrong", (fault, text) => {
  expect(faultText(fault)).toBe(text);
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

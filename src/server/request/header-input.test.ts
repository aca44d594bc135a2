import { expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { headerInput } from "./input.ts";

const { operations } = contract;

const operation = {
  ...operations.sysinfo,
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
  expect(read("X-Sizes", "1 ,\t2", "X-Text", "a , b")).toEqual({ "X-Sizes": [1, 2], "X-Text": "a , b" });
});

it("takes as long for blanks as for other signs: a quadratic expression would not end here", () => {
  const blanks = " \t".repeat(500_000);
  expect(read("X-Tags", `a${blanks}b${blanks},${blanks}c`)).toEqual({ "X-Tags": [`a${blanks}b`, "c"] });
});

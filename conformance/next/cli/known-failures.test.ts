import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { contract } from "../../contract.ts";
import { readKnownFailures } from "./known-failures.ts";

const folder = mkdtempSync(join(tmpdir(), "atpoint-known-"));
const file = join(folder, "known.json");
afterAll(() => rmSync(folder, { recursive: true }));

function read(value: unknown) {
  writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
  return readKnownFailures(file, contract);
}

const entry = { id: "http/malformed-request", reason: "the proxy", until: "2026-12-31" };

it("reads entries for all cases of a requirement, or for some", () => {
  expect(read([entry, { ...entry, case: "path %00*" }])).toEqual([entry, { ...entry, case: "path %00*" }]);
  expect(read(`\uFEFF${JSON.stringify([entry])}`)).toEqual([entry]);
});

it.each([
  ["{", /known\.json: .*JSON/],
  [{}, /must be a JSON array/],
  [["x"], /entry 0 is no object/],
  [[entry, { id: "x" }], /entry 1 needs id, reason, until/],
  [[{ ...entry, cases: "x" }], /entry 0: cases is none of id, case, reason, until/],
  [[{ ...entry, until: "2027-02-30" }], /until must be a day/],
  [[{ ...entry, case: "" }], /case must be a pattern/],
  [[{ ...entry, id: "no/such" }], /no\/such is no requirement of the contract$/],
  [[{ ...entry, id: "http/malformed-request#path" }], /is no requirement of the contract; what follows "#"/],
  [[entry, entry], /http\/malformed-request \(\*\) is there twice/],
])("rejects %j", (value, message) => {
  expect(() => read(value)).toThrow(message);
});

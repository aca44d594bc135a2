import { describe, expect, it } from "vitest";
import { contract } from "../contract.ts";
import { deploy } from "../proof/kits/deployment.test-kit.ts";
import { script, scripted } from "../run/run.test-kit.ts";
import { readKnownFailures } from "./accepted.ts";
import { command, file } from "./command.test-kit.ts";

const read = (value: unknown) => readKnownFailures(file("known.json", value), contract);
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

describe("a run with known failures", () => {
  async function run(...entries: readonly object[]) {
    const failing = async () => ({ aspect: "body", expected: "a", actual: "b" });
    const one = script("sysinfo/method", failing, { requirements: ["sysinfo/method", "sysinfo/time"] });
    const known = entries.map((own) => ({ reason: "being mended", until: "2999-12-31", ...own }));
    const words = ["--url", await deploy(), "--case", one.id, "--known-failures", file("known.json", known)];
    return command(words, { suite: scripted(one) });
  }

  it.each([{}, { case: "own *" }])("accepts the findings of a requirement, and of a script: %j", async (of) => {
    const { code, stdout } = await run({ id: "sysinfo/method", ...of });
    const accepted = /^conformant \(partial\): .*: 1 known to fail, 1 passed, /;
    expect([code, stdout, stdout.includes("FAIL")]).toEqual([0, expect.stringMatching(accepted), false]);
  });

  it("is red for an entry that is out of date, and says what to do; not for one whose cases were not sent", async () => {
    const { code, stdout } = await run({ id: "sysinfo/method", until: "2020-01-01" }, { id: "user.list/walk" });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^not conformant: /)]);
    expect(stdout).toContain("known failure sysinfo/method: accepted until 2020-01-01; correct the target");
    expect(stdout).not.toContain("user.list/walk: ");
  });
});

import { describe, expect, it } from "vitest";
import { contract } from "../contract.ts";
import { deploy } from "../proof/kits/deployment.test-kit.ts";
import { Baseline } from "../run/baseline.ts";
import type { KnownFailure } from "../run/options.ts";
import type { Outcome } from "../run/results.ts";
import { script, scripted } from "../run/run.test-kit.ts";
import { command, file } from "./command.test-kit.ts";
import { readKnownFailures } from "./files.ts";

const read = (value: unknown) => readKnownFailures(file("known.json", value), contract);
const entry = { id: "http/malformed-request", reason: "the proxy", until: "2026-12-31" };

it("reads entries for all cases of a requirement, or for some", () => {
  expect(read([entry, { ...entry, case: "path %00*" }])).toEqual([
    entry,
    { ...entry, case: "path %00*" },
  ]);
  expect(read(`\uFEFF${JSON.stringify([entry])}`)).toEqual([entry]);
});

it.each([
  ["{", /known\.json: not JSON at line 1$/],
  [{}, /must be a JSON array/],
  [["x"], /entry 0 is no object/],
  [[entry, { id: "x" }], /entry 1 needs id, reason, until/],
  [[{ ...entry, cases: "x" }], /entry 0: cases is none of id, case, reason, until/],
  [[{ ...entry, until: "2027-02-30" }], /until must be a day/],
  [[{ ...entry, case: "" }], /case must be a pattern/],
  [[{ ...entry, id: "no/such" }], /no\/such is no requirement of the contract$/],
  [
    [{ ...entry, id: "http/malformed-request#path" }],
    /is no requirement of the contract; what follows "#"/,
  ],
  [[entry, entry], /http\/malformed-request \(\*\) is there twice/],
])("rejects %j", (value, message) => {
  expect(() => read(value)).toThrow(message);
});

/** A script that fails, and what a run says of it with these entries. */
async function run(...entries: readonly object[]) {
  const requirements = ["sysinfo/method", "sysinfo/time"];
  const failing = async () => ({ aspect: "body", expected: "a", actual: "b" });
  const failingScript = script("sysinfo/method", failing, { requirements });
  const known = entries.map((own) => ({ reason: "being mended", until: "2999-12-31", ...own }));
  const words = ["--case", failingScript.id, "--known-failures", file("known.json", known)];
  return command(["--url", await deploy(), ...words], { suite: scripted(failingScript) });
}

it.each([{}, { case: "own *" }])(
  "a run accepts the findings of a requirement, and of a script: %j",
  async (of) => {
    const { code, stdout } = await run({ id: "sysinfo/method", ...of });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("FAIL")]);
    expect(stdout).toMatch(/^conformant \(partial\)\n {2}known to fail {2}1\n {2}passed {9}1\n/m);
  },
);

it.each([
  ["of other cases", { id: "sysinfo/method", case: "others *" }, "FAIL"],
  ["out of date", { id: "sysinfo/method", until: "2020-01-01" }, "accepted until 2020-01-01"],
])(
  "a run is red for an entry %s, not for one whose cases were not sent",
  async (_, knownFailure, said) => {
    const { code, stdout } = await run(knownFailure, { id: "user.list/walk" });
    expect([code, stdout]).toEqual([1, expect.stringContaining(said)]);
    expect(stdout).toMatch(/^not conformant\n {2}failed {4}1\n {2}passed {4}1\n/m);
    expect(stdout).not.toContain("user.list/walk: ");
  },
);

const today = new Date("2026-06-15T12:00:00Z");
const known: KnownFailure = {
  id: "a/b",
  case: "path %00*",
  reason: "the proxy",
  until: "2026-06-15",
};
const [requirement = expect.fail()] = contract.requirements;
const outcome = (what: Outcome["outcome"]): Outcome => ({
  requirement: { ...requirement, id: "a/b" },
  outcome: what,
  reason: null,
  planned: 1,
  sent: 1,
  findings: 0,
  unexpected: 0,
});

describe("a baseline", () => {
  const ours = "path %00 alone";
  it.each([
    [["stale"], "passed", true, [ours], [ours]],
    // Another case of the requirement fails, and this one no longer does.
    [["stale"], "failed", true, [ours, "plain"], [ours]],
    [[], "passed", false, [ours], [ours]],
    [[], "incomplete", true, [ours], [ours]],
    [[], "not selected", true, [ours], [ours]],
    // Not drawn, withheld, or cut off.
    [[], "passed", true, ["plain"], ["plain"]],
    [[], "passed", true, [ours], []],
    [[], "passed", true, [ours, "path %00 + HEAD"], [ours]],
  ] as const)(
    "has %j where what they are about is %s, sent whole: %s, of %j these: %j",
    (problems, what, isWhole, planned, sent) => {
      const baseline = new Baseline([known], today);
      for (const id of planned) baseline.planned(id, ["a/b"]);
      for (const id of sent) {
        baseline.sent(id, "a/b");
        baseline.ended(id);
      }
      const stale = baseline.staleOf([outcome(what)], () => isWhole);
      expect(stale.map(({ problem }) => problem)).toEqual(problems);
    },
  );

  it("an entry of a law is stale when every case of its pattern was sent", () => {
    const baseline = new Baseline([known], today, new Set(["a/b"]));
    baseline.planned("path %00 alone", ["c/d"]);
    baseline.sent("path %00 alone", "c/d");
    expect(baseline.staleOf([outcome("passed")], () => true)).toEqual([]);
    baseline.ended("path %00 alone");
    expect(baseline.staleOf([outcome("passed")], () => true)).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import { contract } from "../contract.ts";
import type { Finding } from "../exchange.ts";
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
  ["{", /known\.json: .*JSON/],
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

describe("a run with known failures", () => {
  async function run(...entries: readonly object[]) {
    const failing = async () => ({ aspect: "body", expected: "a", actual: "b" });
    const one = script("sysinfo/method", failing, {
      requirements: ["sysinfo/method", "sysinfo/time"],
    });
    const known = entries.map((own) => ({ reason: "being mended", until: "2999-12-31", ...own }));
    const words = [
      "--url",
      await deploy(),
      "--case",
      one.id,
      "--known-failures",
      file("known.json", known),
    ];
    return command(words, { suite: scripted(one) });
  }

  it.each([{}, { case: "own *" }])(
    "accepts the findings of a requirement, and of a script: %j",
    async (of) => {
      const { code, stdout } = await run({ id: "sysinfo/method", ...of });
      const accepted = /^conformant \(partial\): .*: 1 known to fail, 1 passed, /;
      expect([code, stdout, stdout.includes("FAIL")]).toEqual([
        0,
        expect.stringMatching(accepted),
        false,
      ]);
    },
  );

  it("is red for an entry that is out of date, and says what to do; not for one whose cases were not sent", async () => {
    const { code, stdout } = await run(
      { id: "sysinfo/method", until: "2020-01-01" },
      { id: "user.list/walk" },
    );
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^not conformant: .*: 1 failed, 1 passed, /),
    ]);
    expect(stdout).toContain(
      "known failure sysinfo/method: accepted until 2020-01-01; correct the target",
    );
    expect(stdout).not.toContain("user.list/walk: ");
  });
});

const today = new Date("2026-06-15T12:00:00Z");
const known: KnownFailure = {
  id: "a/b",
  case: "path %00*",
  reason: "the proxy",
  until: "2026-06-15",
};
const found = (script: string, requirement = "a/b"): Finding => ({
  ...{ requirement, source: "script", aspect: "status", expected: "", actual: "" },
  ...{ exchanges: [], at: 0, case: null, script },
});
const outcome = (what: Outcome["outcome"]): Outcome => {
  const of = {
    id: "a/b",
    level: "MUST",
    origin: "decided",
    clause: "",
    sentence: "",
    operation: null,
  } as const;
  return {
    requirement: of,
    outcome: what,
    reason: null,
    planned: 1,
    sent: 1,
    findings: 0,
    unexpected: 0,
  };
};

describe("a baseline", () => {
  it("accepts what is of a requirement, and of some of its cases", () => {
    const baseline = new Baseline([known], today);
    expect(baseline.accepts(found("path %00 alone"))).toBe("the proxy (until 2026-06-15)");
    expect(baseline.accepts(found("path %01"))).toBeNull();
    expect(baseline.accepts(found("path %00", "a/c"))).toBeNull();
    expect([baseline.covers("a/b", "path %00"), baseline.covers("a/b", "plain")]).toEqual([
      true,
      false,
    ]);
    // One that accepted something is not out of date.
    expect(baseline.staleOf([outcome("failed")], () => true)).toEqual([]);
  });

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

  it("has an entry of a law that is stale when every case of its pattern was sent, whatever that was for", () => {
    const baseline = new Baseline([known], today, new Set(["a/b"]));
    baseline.planned("path %00 alone", ["c/d"]);
    baseline.sent("path %00 alone", "c/d");
    expect(baseline.staleOf([outcome("passed")], () => true)).toEqual([]);
    baseline.ended("path %00 alone");
    expect(baseline.staleOf([outcome("passed")], () => true)).toHaveLength(1);
  });
});

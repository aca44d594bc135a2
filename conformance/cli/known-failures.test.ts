import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "../contract.ts";
import { packaged } from "../packaged.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import type { Script } from "../run/state.ts";
import { command, file as written } from "./command.test-kit.ts";
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

describe("a run with known failures", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  /** Of two requirements one fails. */
  const script: Script = {
    ...{ id: "own script", requirements: ["sysinfo/method", "sysinfo/time"], effect: "read" },
    async *run() {
      for (const actual of ["b", "c"]) {
        const what = { source: "script", aspect: "body", expected: "a", actual } as const;
        yield { requirement: "sysinfo/method", ...what, exchanges: [], at: -1, case: null };
      }
    },
  };
  const own = { reason: "being mended", until: "2999-12-31" };
  const suite = { ...packaged, covering: [], scripts: [script] };

  async function run(...entries: readonly object[]) {
    const words = ["--url", service.url, "--known-failures", written("known.json", entries)];
    const { key } = service.credentials.full;
    return command([...words, "--case", script.id], { suite, env: { API_KEY: key } });
  }

  it("accepts all findings of a requirement that is named, also by a script that is", async () => {
    for (const of of [{}, { case: "own *" }]) {
      const { code, stdout } = await run({ id: "sysinfo/method", ...own, ...of });
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^conformant \(partial\): .*: 1 known to fail, 1 passed, /),
      ]);
      expect(stdout).not.toContain("FAIL");
    }
  });

  it("is red for an entry that is out of date, and says what to do; not for one whose cases were not sent", async () => {
    const expired = { id: "sysinfo/method", ...own, until: "2020-01-01" };
    const { code, stdout } = await run(expired, { id: "user.list/walk", ...own });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^not conformant: /)]);
    expect(stdout).toContain("known failure sysinfo/method: accepted until 2020-01-01; correct the target");
    expect(stdout).not.toContain("user.list/walk: ");
  });
});

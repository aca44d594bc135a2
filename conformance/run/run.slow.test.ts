// Whole runs against small servers, and against the service behind a defect.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { hooksOf } from "../proof/broken/index.ts";
import { deploy } from "../proof/kits/deployment.test-kit.ts";
import type { Arrived } from "../proof/kits/server.test-kit.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { everything, type RunOptions } from "./options.ts";
import { planOf } from "./plan.ts";
import {
  begun,
  calling,
  type DeploymentOptions,
  runAt,
  script,
  scriptsAt,
  watched,
} from "./run.test-kit.ts";
import type { Run } from "./state.ts";
import { EXIT } from "./verdict.ts";

/** A deployment that does this from so many requests on. */
function turning(count: number, act: NonNullable<DeploymentOptions["before"]>) {
  let arrived = 0;
  return deploy({ before: (request: Arrived) => (++arrived > count ? act(request) : null) });
}
const outcomesOf = ({ outcomes }: Awaited<ReturnType<typeof runAt>>) =>
  outcomes.map(({ outcome }) => outcome);

describe("a run ends", () => {
  it("after so many failures", async () => {
    const report = await runAt(await deploy(), { maxFailures: 3 });
    expect(report).toMatchObject({ verdict: "not conformant", exitCode: EXIT.notConformant });
    expect(report.results.stopped).toMatch(/^the run ended after \d+ failures \(--max-failures\)$/);
    expect(outcomesOf(report)).toContain("incomplete");
  });

  it("when it is interrupted, with what it has found; what never ran is no progress", async () => {
    const interrupt = new AbortController();
    const seen: { done: number; total: number }[] = [];
    const report = await runAt(await deploy(), {
      signal: interrupt.signal,
      onProgress: (progress) => {
        seen.push(progress);
        if (seen.length === 50) interrupt.abort();
      },
    });
    expect([report.results.stopped, report.verdict]).toEqual([
      "the run was interrupted",
      "not conformant",
    ]);
    expect(outcomesOf(report)).toContain("incomplete");
    const { done = 0, total = 0 } = seen.at(-1) ?? {};
    expect([done < 100, total]).toEqual([true, report.results.planned]);
  });

  it("when it is interrupted while it makes its cases", async () => {
    const interrupt = new AbortController();
    // Behind the last request of the preflight: only then are cases made.
    const url = await turning(4, () => {
      setTimeout(() => interrupt.abort(), 100);
      return null;
    });
    const report = await runAt(url, { signal: interrupt.signal, isExhaustive: true });
    expect([report.results.planned, report.verdict]).toEqual([0, "incomplete"]);
    expect(report.results.stopped).toBe("the run was interrupted");
  });

  it("when the target has gone, which is one finding behind all others", async () => {
    const { url, arrived } = await watched({
      before: () => (arrived.length > 40 ? "silence" : null),
    });
    const { results } = await runAt(url, { concurrency: 1 });
    const [last, first] = arrived.slice(39, 41).map(({ method, url: to }) => `${method} ${to}`);
    expect(results.stopped).toMatch(/^the target has gone: 20 requests in a row had no response; /);
    expect(results.stopped).toContain(`; the last one with a response: ${last}`);
    expect(results.stopped).toContain(`; the first without: ${first}`);
    const silent = results.findings.filter(({ aspect }) => aspect === "connection");
    expect(silent).toEqual([results.findings.at(-1)]);
    expect(silent[0]?.actual).toMatch(/^the target stopped responding at \d{4}-/);
  });
});

describe("a run", () => {
  it("sends the cases of a seed in an order of its own, each time the same", async () => {
    const orderOf = async (seed: number) => {
      const planned = await planOf(begun("http://127.0.0.1:1", { seed }));
      return planned.map(({ case: { id } }) => id);
    };
    const order = await orderOf(3);
    expect(order.length).toBeGreaterThan(100);
    expect(await orderOf(3)).toEqual(order);
    expect(await orderOf(4)).not.toEqual(order);
  });

  it("lists a record as created unless the target rejected it, or was not there", async () => {
    const url = await deploy({
      before: ({ body }) => (body.includes("unwanted") ? { status: 422 } : null),
    });
    const created = async (to: (run: Run) => Run) => {
      const creating = script(
        "user.create/created",
        async (run) => {
          for (const values of [{}, { name: "unwanted" }, {}])
            await calling(to(run), "user.create", values);
          return null;
        },
        { effect: "write" },
      );
      return (await scriptsAt(url, [creating])).created.map((value) =>
        Number(/-(\d+)@/.exec(value)?.[1]),
      );
    };
    const [first = Number.NaN, ...laterNumbers] = await created((run) => run);
    expect(laterNumbers).toEqual([first + 2]);
    expect(
      await created((run) => ({ ...run, client: begun("http://127.0.0.1:1").client })),
    ).toEqual([]);
  });

  it("does not call a known failure out of date of which it sent only some cases", async () => {
    const smokeScript = script("sysinfo/time", async () => null, { isSmoke: true });
    const knownFailures = [{ id: "sysinfo/time", reason: "being mended", until: "2999-12-31" }];
    for (const part of [{ isSmoke: true }, { selection: { ...everything, case: smokeScript.id } }])
      expect(
        (await scriptsAt(await deploy(), [smokeScript], { knownFailures, ...part })).stale,
      ).toEqual([]);
  });
});

describe("the service", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  /** A run against it, behind a defect. */
  async function runBehind(id: string, options: Partial<RunOptions>, isWhole = false) {
    const { credentials } = service;
    const proxy = await startProxy(hooksOf(id), service);
    onTestFinished(proxy.close);
    return runAt(proxy.url, { credentials, ...options }, isWhole);
  }

  it.each([
    ["says br of what is not", { case: "sysinfo Accept-Encoding: br" }, false],
    ["a 304 has a body", { only: ["docs.get/*"] }, true],
    ["rejects GET and carries out user.create", { only: ["dispatch/get-changes-nothing"] }, false],
    ["request ids count to 256", { only: ["http/request-id"] }, true],
    ["never comes back from deep JSON", { only: ["http/nesting"] }, false],
    [
      "never comes back from a name that objects have",
      { only: ["dispatch/prototype-names"] },
      true,
    ],
    [
      "a service that counts calls says what is left of another policy",
      { only: ["limits/headers"] },
      true,
    ],
    ["the server speaks no HTTP", {}, true],
  ])("is not with one defect: %s", async (id, some, isSmoke) => {
    const selection = { ...everything, ...some };
    const { exitCode } = await runBehind(
      id,
      { randomCaseCount: 0, maxFailures: 1, isSmoke, selection },
      true,
    );
    expect([EXIT.notConformant, EXIT.preflight]).toContain(exitCode);
  });

  it("has no finding when it is explored, and creates records of this run alone", async () => {
    const { credentials, url } = service;
    const { results, created, outcomes } = await runAt(url, { credentials, seed: 3, explore: 400 });
    expect([results.findings, results.faults, results.planned]).toEqual([[], [], 360]);
    expect(outcomes.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(50);
    const runEmail = /^[^@]*conformance\+[0-9a-f]{16}-\d[^@]*@(?:a|(?:.+\.)?example\.com)$/;
    expect(created.filter((one) => !runEmail.test(one))).toEqual([]);
  });

  it.each([
    // One row is enough, and `--case` sends it again.
    [400, "user.list takes an invalid cursor for the end", /^user\.list cursor [^+]*$/, 1],
    // A key, and other data under it: one, where a case before has used the key.
    [3000, "user.create replays whatever the data is", /^explore$/, 2],
  ])("has a defect that the shortest of %i requests show: %s", async (explore, id, by, most) => {
    const { results } = await runBehind(id, { explore, seed: 2 });
    const wanted = ["user.list/invalid-cursor", "user.create/key-reused"];
    const finding = results.findings.find(({ requirement }) => wanted.includes(requirement));
    expect(finding?.script ?? finding?.case?.id).toMatch(by);
    expect(finding?.exchanges.length).toBeLessThanOrEqual(most);
  });
});

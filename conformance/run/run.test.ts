// Whole runs against small servers, and against the service behind a defect.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hooksOf } from "../proof/broken/index.ts";
import { deploy } from "../proof/kits/deployment.test-kit.ts";
import type { Arrived } from "../proof/kits/server.test-kit.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { planOf } from "./plan.ts";
import { begun, calling, runAt, script, scriptsAt } from "./run.test-kit.ts";
import { everything } from "./select.ts";
import type { Run } from "./state.ts";
import { EXIT } from "./verdict.ts";

type Before = NonNullable<NonNullable<Parameters<typeof deploy>[0]>["before"]>;

/** A deployment that does this from so many requests on. */
function turning(count: number, act: Before) {
  let arrived = 0;
  return deploy({ before: (request: Arrived) => (++arrived > count ? act(request) : null) });
}
const outcomesOf = ({ outcomes }: Awaited<ReturnType<typeof runAt>>) => outcomes.map(({ outcome }) => outcome);

describe("a run ends", () => {
  it("after so many failures", async () => {
    const report = await runAt(await deploy(), { maxFailures: 3 });
    expect(report).toMatchObject({ verdict: "not conformant", exitCode: EXIT.notConformant });
    expect(report.results.stopped).toMatch(/^the run ended after \d+ failures \(--max-failures\)$/);
    expect(report.requests.supertest + report.requests.socket).toBeLessThan(500);
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
    expect([report.results.stopped, report.verdict]).toEqual(["the run was interrupted", "not conformant"]);
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

  it("at its deadline, and when the target wants a longer pause than is left", async () => {
    const late = await runAt(await deploy(), { deadlineMs: 1 });
    expect(late).toMatchObject({ verdict: "incomplete", exitCode: EXIT.incomplete });
    expect(late.results.stopped).toBe("the deadline of 0 s has passed");
    const busy = { status: 429, headers: { "Retry-After": "9999999" } };
    const { results } = await runAt(await turning(40, () => busy));
    expect(results.stopped).toMatch(/^the target answers 429 with Retry-After: 9999999 and wants a pause of/);
  });

  it("when the target has gone, which is one finding behind all others", async () => {
    const { results } = await runAt(await turning(40, () => "silence"), { concurrency: 1 });
    expect(results.stopped).toMatch(/^the target has gone/);
    const silent = results.findings.filter(({ aspect }) => aspect === "connection");
    expect(silent).toEqual([results.findings.at(-1)]);
    expect(silent[0]?.actual).toMatch(/^the target stopped responding at \d{4}-/);
  });
});

describe("a run", () => {
  it("sends the cases of a seed in an order of its own, each time the same", async () => {
    const orderOf = async (seed: number) => {
      const { rest } = await planOf(begun("http://127.0.0.1:1", { seed }));
      return rest.map(({ case: { id } }) => id);
    };
    const one = await orderOf(3);
    expect(one.length).toBeGreaterThan(100);
    expect(await orderOf(3)).toEqual(one);
    expect(await orderOf(4)).not.toEqual(one);
  });

  it("gives a script the target for itself that wants it", async () => {
    let [running, beside, most] = [0, 0, 0];
    const scripts = [true, true, false, false].map((isAlone) =>
      script(
        "sysinfo/method",
        async (run) => {
          running += 1;
          most = Math.max(most, running);
          await calling(run);
          if (isAlone) beside = Math.max(beside, running - 1);
          running -= 1;
          return null;
        },
        isAlone ? { alone: true } : {},
      ),
    );
    await scriptsAt(await deploy(), scripts);
    expect([beside, most]).toEqual([0, 2]);
  });

  it("lists a record as created unless the target rejected it, or was not there", async () => {
    const url = await deploy({ before: ({ body }) => (body.includes("unwanted") ? { status: 422 } : null) });
    const created = async (to: (run: Run) => Run) => {
      const creating = script(
        "user.create/created",
        async (run) => {
          for (const more of [{}, { name: "unwanted" }, {}]) await calling(to(run), "user.create", more);
          return null;
        },
        { effect: "write" },
      );
      return (await scriptsAt(url, [creating])).created.map((value) => Number(/-(\d+)@/.exec(value)?.[1]));
    };
    const [first = Number.NaN, ...others] = await created((run) => run);
    expect(others).toEqual([first + 2]);
    expect(await created((run) => ({ ...run, client: begun("http://127.0.0.1:1").client }))).toEqual([]);
  });

  it("does not call a known failure out of date of which it sent only some cases", async () => {
    const one = script("sysinfo/time", async () => null, { isSmoke: true });
    const knownFailures = [{ id: "sysinfo/time", reason: "being mended", until: "2999-12-31" }];
    for (const part of [{ isSmoke: true }, { selection: { ...everything, case: one.id } }])
      expect((await scriptsAt(await deploy(), [one], { knownFailures, ...part })).stale).toEqual([]);
  });
});

describe("the service", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it.each([
    ["keeps Accept for the rest of a connection", "http/*"],
    ["takes the caller before for every later one", "credentials/*"],
    ["says br of what is not", "http/content-encoding"],
    ["a 304 has a body", "docs.get/*"],
    ["rejects GET and carries out user.create", "dispatch/get-changes-nothing"],
    ["request ids count to 256", "http/request-id"],
    ["never comes back from deep JSON", "http/nesting"],
    ["never comes back from a name that objects have", "dispatch/prototype-names"],
    ["a service that counts calls says what is left of another policy", "limits/headers"],
    ["the server answers at random", "*"],
    ["the server speaks no HTTP", "*"],
  ])("is not with one defect: %s", async (id, only) => {
    const { credentials } = service;
    const { url, close } = await startProxy(hooksOf(id), service);
    const selection = { ...everything, only: [only] };
    const { exitCode } = await runAt(url, { credentials, draws: 0, maxFailures: 1, selection }, true);
    expect([EXIT.notConformant, EXIT.preflight]).toContain(exitCode);
    await close();
  });
});

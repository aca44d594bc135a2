// Whole runs against small servers, and against the service itself.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mutants } from "../../proof/broken/index.ts";
import { startProxy } from "../../proof/proxy/server.ts";
import { deploy, KEY } from "../../test/deployment.test-kit.ts";
import type { Arrived } from "../../test/server.test-kit.ts";
import { type RunningService, startService } from "../../test/service.test-kit.ts";
import { runAt } from "./run.test-kit.ts";
import { EXIT } from "./verdict.ts";

/** Calls `act` when so many requests have arrived. */
function after(
  count: number,
  act: (request: Arrived) => ReturnType<NonNullable<Parameters<typeof deploy>[0]>["before"] & object>,
) {
  let arrived = 0;
  return { before: (request: Arrived) => (++arrived > count ? act(request) : null) };
}

const outcomesOf = ({ outcomes }: Awaited<ReturnType<typeof runAt>>) => new Set(outcomes.map(({ outcome }) => outcome));

describe("a run", () => {
  it("ends after so many failures", async () => {
    const report = await runAt(await deploy(), { maxFailures: 3 });
    expect(report).toMatchObject({ verdict: "not conformant", exitCode: EXIT.notConformant });
    expect(report.results.stopped).toMatch(/^the run ended after \d+ failures \(--max-failures\)$/);
    expect(report.requests.supertest + report.requests.socket).toBeLessThan(500);
    expect(outcomesOf(report)).toContain("incomplete");
  });

  it("ends when it is interrupted, with what it has found", async () => {
    const interrupt = new AbortController();
    const stop = () => {
      interrupt.abort();
      return null;
    };
    const url = await deploy(after(60, stop));
    const report = await runAt(url, { signal: interrupt.signal });
    expect(report.results.stopped).toBe("the run was interrupted");
    expect(report.verdict).toBe("not conformant");
    expect(outcomesOf(report)).toContain("incomplete");
  });

  it("is not deaf while it makes its cases", async () => {
    const interrupt = new AbortController();
    let asked = 0;
    // The last request of the preflight: only then are cases made.
    const url = await deploy({
      before: () => {
        asked += 1;
        if (asked === 5) setTimeout(() => interrupt.abort(), 100);
        return null;
      },
    });
    const report = await runAt(url, { signal: interrupt.signal, isExhaustive: true });
    expect(report).toMatchObject({ planned: 0, verdict: "incomplete" });
    expect(report.results.stopped).toBe("the run was interrupted");
  });

  it("ends at its deadline", async () => {
    const report = await runAt(await deploy(after(0, () => null)), { deadlineMs: 1 });
    expect(report).toMatchObject({ verdict: "incomplete", exitCode: EXIT.incomplete });
    expect(report.results.stopped).toBe("the deadline of 0.001 s has passed");
  });

  it("ends when the target wants a pause that is longer than is left", async () => {
    const busy = { status: 429, headers: { "Retry-After": "9999999" } };
    const report = await runAt(await deploy(after(40, () => busy)));
    expect(report.results.stopped).toMatch(/^the target answers 429 with Retry-After: 9999999 and wants a pause of/);
  });

  it("has one finding for a target that goes away, behind all others", async () => {
    const report = await runAt(await deploy(after(40, () => "silence")), { concurrency: 1 });
    expect(report.results.stopped).toMatch(/^the target has gone/);
    const silent = report.results.findings.filter(({ aspect }) => aspect === "connection");
    expect(silent).toEqual([report.results.findings.at(-1)]);
    expect(silent[0]?.actual).toMatch(/^the target stopped responding at \d{4}-/);
  });

  it("sends nothing that it may not", async () => {
    const arrived: Arrived[] = [];
    const keep = (request: Arrived) => {
      arrived.push(request);
      return null;
    };
    const report = await runAt(await deploy(after(0, keep)), { mayWrite: false, mayHarm: false, draws: 400 });
    expect(arrived.length).toBeGreaterThan(100);
    // The preflight alone sends one.
    const isWrong = ({ url, headers }: Arrived) =>
      /[?&]@=(?:user\.list|test\.health)(?:&|$)/.test(url) &&
      ![undefined, "", KEY].includes(headers["x-api-key"]?.toString());
    expect(arrived.filter(isWrong).length).toBeLessThanOrEqual(1);
    expect(arrived.filter(({ body }) => body.length > 65_536 || body.includes('"data":{"name"'))).toEqual([]);
    const reasons = new Set(report.outcomes.map(({ reason }) => reason?.replace(/:.*/, "")));
    expect(reasons).toContain("needs --allow-hostile");
  });
});

describe("the service", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it("is right; three quarters of them go by supertest", async () => {
    const { credentials } = service;
    const report = await runAt(service.url, { credentials, seed: 2 }, true);
    expect(report.results.findings).toEqual([]);
    expect(report.results.faults).toEqual([]);
    expect(report).toMatchObject({ verdict: "conformant (partial)", exitCode: 0 });
    const { supertest, socket } = report.requests;
    expect(supertest / (supertest + socket)).toBeGreaterThan(0.75);
    // All of them name the run; one label behind the @ is what one golden exchange shows.
    const isOwn = (one: string) =>
      /^[^@]*conformance\+[0-9a-f]{16}-\d[^@]*@(?:a|(?:[\w.-]+\.)?example\.com)$/.test(one);
    expect(report.created.filter((one) => !isOwn(one))).toEqual([]);
  });

  it.each([
    "takes the caller before for every later one",
    "keeps Accept for the rest of a connection",
    "says br of what is not",
  ])("is not with one defect: %s", async (id) => {
    const hooks = mutants.find((one) => one.id === id)?.hooks;
    if (!hooks) throw new Error(`no mutant is called ${id}`);
    const { credentials } = service;
    const { url, close } = await startProxy(hooks, service.url, 0, { credentials: credentials.full });
    expect(await runAt(url, { credentials, draws: 1000, maxFailures: 1 }, true)).toMatchObject({
      verdict: "not conformant",
    });
    await close();
  });
});

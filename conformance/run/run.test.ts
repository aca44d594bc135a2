// Whole runs against small servers, and against the service itself.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hooksOf } from "../proof/broken/index.ts";
import { deploy, KEY } from "../proof/kits/deployment.test-kit.ts";
import type { Arrived } from "../proof/kits/server.test-kit.ts";
import { type RunningService, startService } from "../proof/kits/service.test-kit.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { plainExchange } from "./exchange.ts";
import { planOf } from "./plan.ts";
import { begun, runAt, scriptsAt } from "./run.test-kit.ts";
import { everything } from "./select.ts";
import type { Run, Script } from "./state.ts";
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
    expect(report.results.stopped).toBe("the deadline of 0 s has passed");
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

  it("does not count as progress what never ran", async () => {
    const interrupt = new AbortController();
    const seen: { done: number; total: number }[] = [];
    const report = await runAt(await deploy(), {
      signal: interrupt.signal,
      onProgress: (progress) => {
        seen.push(progress);
        if (seen.length === 50) interrupt.abort();
      },
    });
    const { done = 0, total = 0 } = seen.at(-1) ?? {};
    expect([done < 100, total]).toEqual([true, report.planned]);
  });

  it("sends the cases of a seed in an order of its own, each time the same", async () => {
    const orderOf = async (seed: number) => {
      const { rest } = await planOf(begun("http://127.0.0.1:1", { seed }), new AbortController().signal);
      return rest.map(({ case: { id } }) => id);
    };
    const one = await orderOf(3);
    expect(one.length).toBeGreaterThan(100);
    expect(await orderOf(3)).toEqual(one);
    expect(await orderOf(4)).not.toEqual(one);
  });

  it("gives a script the target for itself that wants it", async () => {
    let [running, beside, most] = [0, 0, 0];
    const script = (id: string, isAlone: boolean): Script => ({
      ...{ id, requirements: [], effect: "read", ...(isAlone && { alone: true }) },
      async *run(run) {
        running += 1;
        most = Math.max(most, running);
        const [operation] = Object.values(run.suite.oracle.contract.operations);
        if (operation) await plainExchange(run, operation, operation.example);
        if (isAlone) beside = Math.max(beside, running - 1);
        running -= 1;
        yield* [];
      },
    });
    const scripts = ["a", "b", "c", "d"].map((id, at) => script(id, at < 2));
    await scriptsAt(await deploy(), scripts);
    expect([beside, most]).toEqual([0, 2]);
  });

  it("lists a record as created unless the target rejected it, or was not there", async () => {
    const url = await deploy({ before: ({ body }) => (body.includes("unwanted") ? { status: 422 } : null) });
    const numbers: number[] = [];
    const script = (to: (run: Run) => Run): Script => ({
      ...{ id: "creating", requirements: [], effect: "write" },
      async *run(run) {
        const { "user.create": create } = run.suite.oracle.contract.operations;
        for (const more of [{}, { name: "unwanted" }, {}]) {
          const input = { ...run.inputs.fresh(create ?? expect.fail()), ...more };
          if (create) await plainExchange(to(run), create, input);
        }
        numbers.push(...[...run.created].map((value) => Number(/-(\d+)@/.exec(value)?.[1])));
        yield* [];
      },
    });
    await scriptsAt(url, [script((run) => run)]);
    const [first = Number.NaN] = numbers;
    expect(numbers).toEqual([first, first + 2]);
    const gone = (run: Run): Run => ({ ...run, client: begun("http://127.0.0.1:1").client });
    expect((await scriptsAt(await deploy(), [script(gone)])).created).toEqual([]);
  });

  it("does not call a known failure out of date of which it sent only some cases", async () => {
    const script: Script = {
      id: "own",
      requirements: ["sysinfo/time"],
      effect: "read",
      isSmoke: true,
      async *run() {},
    };
    const knownFailures = [{ id: "sysinfo/time", reason: "being mended", until: "2999-12-31" }];
    const url = await deploy();
    for (const part of [{ isSmoke: true }, { selection: { ...everything, case: "own" } }])
      expect((await scriptsAt(url, [script], { knownFailures, ...part })).stale).toEqual([]);
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
      // Of the valid key sent twice, Node makes one field.
      `${headers["x-api-key"] ?? ""}`.split(", ").some((key) => key !== "" && key !== KEY);
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
    ["keeps Accept for the rest of a connection", "http/*"],
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
    const { url, close } = await startProxy(hooksOf(id), service.url, 0, { credentials: credentials.full });
    const selection = { ...everything, only: [only] };
    const { exitCode } = await runAt(url, { credentials, draws: 0, maxFailures: 1, selection }, true);
    expect([EXIT.notConformant, EXIT.preflight]).toContain(exitCode);
    await close();
  });
});

import { describe, expect, it } from "vitest";
import { BOUND_MS } from "../../src/test/patience.ts";
import { type Check, check, checkAll } from "../checks/check.ts";
import { inCase } from "../checks/probe.ts";
import type { Api } from "../client/api.ts";
import { expectProblem, expectStatus, expectSuccess, fail, leftTo } from "../client/expect.ts";
import { type Aspect, Expectation } from "../client/expectation.ts";
import { MOST_UNANSWERED } from "../client/pace.ts";
import { findEcho } from "../client/redact/echo.ts";
import { MAX_USERS } from "../client/users.ts";
import { parseTarget } from "../client/wire/target.ts";
import { deploy, KEY } from "../test/deployment.test-kit.ts";
import { run } from "./run.ts";
import type { RunOptions } from "./run-options.ts";
import type { Selection } from "./select.ts";

const selection: Selection = {
  ...{ origin: "all", level: "MAY", only: [], skip: [], slow: true, credentials: [], pair: false },
  effects: ["read", "write", "hostile"],
};

async function judge(url: string, checks: Check[], options: Partial<RunOptions> = {}) {
  const credentials = { full: { key: KEY, platform: "web" }, special: {} };
  const limits = { seed: 1, concurrency: 4, timeoutMs: BOUND_MS, deadlineMs: BOUND_MS };
  return run({ target: parseTarget(url), credentials, checks, exclusions: [], selection, ...limits, ...options });
}

const alive = (id: "sysinfo/status" | "sysinfo/time") => check(id, {}, (api) => api.alive());

describe("run", () => {
  it("obeys a 429 that no check asked for, and judges what comes after it", async () => {
    let refusals = 2;
    const url = await deploy({
      before: ({ url: target }) => {
        if (!target.includes("sysinfo") || refusals === 0) return null;
        refusals -= 1;
        return { status: 429, headers: { "Retry-After": "0" } };
      },
    });
    const raw = check("sysinfo/method", {}, async (api) => {
      const { replies } = await api.raw(api.rawRequest({ target: api.path("/api/?@=sysinfo") }));
      if (replies[0]?.status !== 200) throw new Expectation("status", "200", String(replies[0]?.status));
    });
    const report = await judge(url, [alive("sysinfo/status"), raw], { preflight: false });
    expect(report).toMatchObject({ exitCode: 0, counts: { passed: 2 }, run: { requests: 4 } });
  });

  const overload = { status: 503, headers: { "Retry-After": "0" }, body: '{"code":"overloaded"}' };

  it("waits until an overload is over, and takes no other 503 for one", async () => {
    for (const [times, answer, exitCode] of [
      [3, overload, 0],
      [100, overload, 1],
      [1, { ...overload, body: '{"code":"storage-unavailable"}' }, 1],
      [1, { ...overload, headers: {} }, 1],
    ] as const) {
      let left: number = times;
      const url = await deploy({ before: () => (left-- > 0 ? answer : null) });
      expect(await judge(url, [alive("sysinfo/status")], { preflight: false })).toMatchObject({ exitCode });
    }
  });

  it("is incomplete when the target keeps saying 429 until the deadline", async () => {
    const url = await deploy({ before: () => ({ status: 429, headers: { "Retry-After": "3600" } }) });
    const report = await judge(url, [alive("sysinfo/status")], { deadlineMs: 50 });
    expect(report).toMatchObject({
      exitCode: 5,
      verdict: "incomplete",
      results: [{ reason: "the deadline of 0.05 s has passed" }],
    });
  });

  it("blames what an operation does to any right call on what says so, and leaves the others open", async () => {
    const headers = { "Content-Type": "application/json; charset=utf-8" };
    const lists = (status: number, body: string) => (request: { url: string; headers: object }) =>
      request.url.includes("user.list") && Object.values(request.headers).includes(KEY)
        ? { status, headers, body }
        : null;
    const ask = async (api: Api) => void expectSuccess(await api.call("user.list"), "user.list");
    const bypass = check("credentials/invalid", {}, async (api) => expectStatus(await api.call("user.list"), 401));
    const header = check("http/nosniff", {}, () => Promise.reject(new Expectation("header:x", "a", "b")));
    const asks = (id: string) => check(id, {}, ask);
    const of = [asks("answers/schema"), asks("user.list/page"), asks("credentials/missing"), bypass, header];
    const outcomes = async (status: number, body: string) => {
      const { results } = await judge(await deploy({ before: lists(status, body) }), of);
      return Object.fromEntries(results.map(({ check: id, outcome }) => [id, outcome]));
    };
    const own = { "answers/schema": "failed", "credentials/invalid": "failed", "http/nosniff": "failed" };
    const open = { "credentials/missing": "incomplete" };
    expect(await outcomes(200, '{"items":[],"total":0}')).toEqual({ ...own, ...open, "user.list/page": "incomplete" });
    expect(await outcomes(200, '{"total":0}')).toEqual({ ...own, ...open, "user.list/page": "failed" });
    expect(await outcomes(201, '{"items":[]}')).toMatchObject({ ...own, ...open });
  });

  it("leaves nothing open that is broken and that nobody else says", async () => {
    const headers = { "Content-Type": "application/json; charset=utf-8" };
    const url = await deploy({
      before: ({ url: target, method }) => {
        if (target.includes("nothing")) return { status: 404, headers, body: '{"title":"Not Found"}' };
        return method === "POST" ? { status: 200, headers, body: '{"id":1}' } : null;
      },
    });
    const refused = check("dispatch/unknown", {}, async (api) => {
      expectProblem(await api.call("nothing"), 404, "operation-not-found");
    });
    const creates = check("user.create/as-sent", { effect: "write" }, async (api) => {
      expectSuccess(await api.createUser(), "user.create");
    });
    const looks = check("user.create/refused-not-stored", {}, async (api) => {
      const list = await api.call("user.list");
      await leftTo("its operation", () => fail("body:/items", "users", list.text));
    });
    const alone = await judge(url, [refused, creates, looks]);
    expect(alone).toMatchObject({ exitCode: 1, counts: { failed: 3, incomplete: 0 } });
    const say = (id: string, aspect: Aspect, operation: string) =>
      check(id, {}, async (api) => {
        await api.call(operation);
        fail(aspect, "201 application/json", "b");
      });
    const first = [say("errors/members", "body:/code", "nothing"), say("answers/schema", "status", "user.create")];
    const told = await judge(url, [refused, creates, looks, ...first]);
    const failed = told.results.filter(({ outcome }) => outcome === "failed").map((one) => one.check);
    expect(failed).toEqual(["answers/schema", "errors/members", looks.id]);
    const left = told.results.find((one) => one.check === "dispatch/unknown");
    expect(left?.reason).toMatch(/^errors\/members says this: /);
    const knownFailures = [...first, looks].map(({ id }) => ({ id, reason: "issue 7", until: "2999-12-31" }));
    const accepted = await judge(url, [refused, creates, looks, ...first], { knownFailures });
    expect(accepted).toMatchObject({ exitCode: 0, counts: { known: 5, failed: 0, incomplete: 0 } });
  });

  it("finds a target that a hostile check has broken", async () => {
    let broken = false;
    const url = await deploy({ before: () => (broken ? { status: 500 } : null) });
    const hostile = check("http/framing", { effect: "hostile" }, async () => {
      broken = true;
    });
    const report = await judge(url, [hostile]);
    expect(report.results[0]?.failure?.expected).toContain("still to be there and right");
  });

  it("leaves out what would make too many users, and says what it found before", async () => {
    const url = await deploy();
    const many = check("user.create/listed", { effect: "write" }, async (api) => {
      for (let n = 0; n <= MAX_USERS; n += 1) await api.createUser();
    });
    const found = check("sysinfo/time", {}, () => Promise.reject(new Expectation("body", "a", "b")));
    const reason = `this run would create more than ${MAX_USERS} users`;
    const report = await judge(url, [many]);
    expect(report).toMatchObject({ exitCode: 5, faults: [], results: [{ outcome: "incomplete", reason }] });
    expect(report.created).toHaveLength(MAX_USERS);
    expect(await judge(url, [many, found])).toMatchObject({ exitCode: 1, verdict: "not conformant" });
  });

  it("ends when the target has gone, and says what was found until then", async () => {
    let left = 20;
    const url = await deploy({ before: () => (left-- > 0 ? null : "silence") });
    const ids = ["sysinfo/status", "sysinfo/time"] as const;
    const many = ids.map((id) =>
      check(id, {}, async (api) => {
        for (let n = 0; n < 100; n += 1) await api.call("sysinfo").catch((error) => n < 50 || Promise.reject(error));
      }),
    );
    const all = checkAll("http/nosniff", () => {});
    const report = await judge(url, [...many, all], { concurrency: 1 });
    expect(report).toMatchObject({ exitCode: 5, counts: { incomplete: 3 } });
    const reason = `the target has gone: ${MOST_UNANSWERED} requests in a row had no answer`;
    expect(report.results.filter((result) => result.reason === reason)).toHaveLength(many.length);
    expect(report.run.requests).toBe(20 + MOST_UNANSWERED);
  });

  it("takes nothing for created where nobody listens", async () => {
    const creates = check("user.create/listed", { effect: "write" }, async (api) => {
      await api.createUser().catch(() => {});
      await api.raw(api.rawRequest({ method: "POST", target: "/api/", body: JSON.stringify(api.email()) }));
    });
    const report = await judge("http://127.0.0.1:1", [creates], { preflight: false });
    expect(report).toMatchObject({ created: [], run: { requests: 2 } });
  });

  it("shows a 429 to a check that asked for it", async () => {
    const url = await deploy({ before: () => ({ status: 429 }) });
    const statuses: number[] = [];
    const wants = check("errors/status", { rateLimited: true }, async (api) => {
      statuses.push((await api.call("sysinfo")).status);
    });
    await judge(url, [wants], { preflight: false });
    expect(statuses).toEqual([429]);
  });

  it("judges every exchange of the run, and names the check that brings the finding back", async () => {
    const never = checkAll("credentials/never-shown", (exchange, secrets) => {
      const where = findEcho(exchange, secrets);
      if (where) throw new Expectation(where, "no key in the answer", "a key");
    });
    const reruns: string[][] = [];
    const options = { rerun: (ids: readonly string[]) => ids.join(" & "), onResult: () => reruns.push([]) };
    const echoing = await deploy({ headers: { "X-Echo": encodeURIComponent(KEY) } });
    const report = await judge(echoing, [never, alive("sysinfo/status")], { ...options, preflight: false });
    const failure = report.results.find(({ outcome }) => outcome === "failed")?.failure;
    expect(failure).toMatchObject({
      aspect: "header:x-echo",
      rerun: "credentials/never-shown & sysinfo/status",
    });
    expect(JSON.stringify(report)).not.toContain(KEY);
    const clean = await judge(await deploy(), [never, alive("sysinfo/status")]);
    expect(clean).toMatchObject({ verdict: "conformant", counts: { passed: 2 } });
  });

  it("counts further findings, and does not judge nothing", async () => {
    const all = checkAll("http/nosniff", () => {
      throw new Expectation("body", "a", "b");
    });
    const report = await judge(await deploy(), [all, alive("sysinfo/status"), alive("sysinfo/time")]);
    expect(report.results[0]?.failure?.actual).toBe(`b (and in ${report.run.requests - 1} more answers)`);
    const nothing = await judge(await deploy(), [checkAll("http/nosniff", () => {})], { preflight: false });
    expect(nothing.results[0]).toMatchObject({
      outcome: "incomplete",
      reason: "no check is selected that sends requests for it to judge",
    });
    const faulty = checkAll("http/nosniff", () => {
      throw new TypeError("ours");
    });
    expect(await judge(await deploy(), [faulty])).toMatchObject({ exitCode: 4 });
  });

  it.each([
    ["the same text", "2 users", "2 users", 4],
    ["the same text in one case of several", "the page again: 2 users", "2 users", 4],
    ["a text that the other begins with", "Allow: GET, HEAD", "Allow: GET", 1],
    ["a text that the other ends with", "the address 127.0.0.11", "127.0.0.1", 1],
  ])("takes a finding without a difference for a fault of the suite: %s", async (_, expected, actual, exitCode) => {
    const checks = [check("sysinfo/time", {}, async () => inCase("limit=1", () => fail("state", expected, actual)))];
    const report = await judge(await deploy(), checks);
    expect(report).toMatchObject({ exitCode, results: [{ outcome: exitCode === 1 ? "failed" : "incomplete" }] });
    expect(report.faults.join()).toContain(exitCode === 4 ? "the finding shows no difference" : "");
  });

  it("shows the exchange that a finding names, whatever was read after it", async () => {
    const rereads = check("sysinfo/time", {}, async (api) => {
      const first = await api.call("sysinfo", { query: [["a", "1"]] });
      expectStatus(await api.call("sysinfo"), 200);
      expectStatus(first, 201);
    });
    const recovers = check("sysinfo/status", {}, async (api) => {
      const found = await api.call("sysinfo", { query: [["a", "1"]] }).then((reply) => {
        return new Expectation("status", "status 201", `${reply.status}`).shownBy(api.decisive);
      });
      expectStatus(await api.call("sysinfo"), 200);
      throw found;
    });
    const { results } = await judge(await deploy(), [rereads, recovers]);
    for (const { failure } of results) expect(failure?.exchanges[failure.guilty]?.request.url).toContain("a=1");
    expect(results).toHaveLength(2);
  });

  it("gives a hostile check the target for itself", async () => {
    let running = 0;
    let beside = 0;
    const work = (effect: "read" | "hostile", id: string) =>
      check(id, { effect }, async (api) => {
        running += 1;
        await api.alive();
        if (effect === "hostile") beside = Math.max(beside, running - 1);
        running -= 1;
      });
    const hostile = (["http/framing", "http/connect"] as const).map((id) => work("hostile", id));
    const calm = (["sysinfo/status", "sysinfo/time"] as const).map((id) => work("read", id));
    expect(await judge(await deploy(), [...hostile, ...calm])).toMatchObject({ exitCode: 0 });
    expect(beside).toBe(0);
  });

  it("runs checks in the order of the seed", async () => {
    const order = async (seed: number) => {
      const ran: string[] = [];
      const ids = ["sysinfo/status", "sysinfo/time", "http/framing", "http/connect"] as const;
      const checks = ids.map((id) => check(id, {}, async () => void ran.push(id)));
      await judge(await deploy(), checks, { seed, concurrency: 1 });
      return ran;
    };
    expect(await order(3)).toEqual(await order(3));
    expect(await order(3)).not.toEqual(await order(4));
  });

  it("lists a user as created unless the target refused it", async () => {
    const url = await deploy({ before: ({ body }) => (body.includes("unwanted") ? { status: 422 } : null) });
    const creates = check("user.create/listed", { effect: "write" }, async (api) => {
      await api.createUser();
      await api.createUser({ name: "unwanted" });
      const body = JSON.stringify({ data: { email: api.email() } });
      const headers = [["X-API-KEY", api.key]] as const;
      await api.raw(api.rawRequest({ method: "POST", target: api.path("/api/"), headers, body }));
      await api.raw([Buffer.from("POST"), Buffer.from(api.email())], { closeAfter: true });
      // A success that creates no user: a body on GET is ignored.
      await api.request({ method: "GET", target: "/api/?@=sysinfo", body: JSON.stringify(api.email()) });
    });
    const report = await judge(url, [creates]);
    // The first is from the valid call before the checks.
    expect(report.created.map((email) => email.split(/[-@]/)[1])).toEqual(["1", "2", "4", "5"]);
  });
});

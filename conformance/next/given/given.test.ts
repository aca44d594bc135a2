// Another implementation of the same given document is checked against that document only.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BOUND_MS } from "../../../src/test/patience.ts";
import { deployments, merged, type Shape } from "../../right/given.test-kit.ts";
import { command } from "../../test/command.test-kit.ts";
import { type Arrived, serve } from "../../test/server.test-kit.ts";
import { type RunningService, startService } from "../../test/service.test-kit.ts";
import { type Decisions, type Statement, startTiny } from "../../test/tiny-deployment.test-kit.ts";
import { createSuite } from "../cli/suite.ts";
import { noGateway } from "../http/gateway.ts";
import { parseTarget } from "../http/target.ts";
import { run } from "../run/run.ts";
import { givenSuite } from "./suite.ts";

const KEY = "a-key-of-somebody-else-0123456789";
const suite = givenSuite(createSuite());

async function judge(url: string, full = { key: KEY, platform: "web" }) {
  const { outcomes, verdict, fault, results } = await run(suite, {
    ...{ target: parseTarget(url), gateway: noGateway, credentials: { full, special: {} }, seed: 1, draws: 1000 },
    ...{ concurrency: 8, isExhaustive: true, isSlow: false, mayWrite: true, mayHarm: false, tell: () => {} },
    ...{ timeoutMs: BOUND_MS, deadlineMs: BOUND_MS },
  });
  const { findings, faults } = results;
  const found = findings.map(({ requirement, expected, actual }) => `${requirement}: ${expected}; ${actual}`);
  const of = (wanted: string) => outcomes.flatMap((one) => (one.outcome === wanted ? [one.requirement.id] : []));
  return { verdict, found: [fault ?? [], found, faults].flat(), failed: of("failed"), left: of("not selected") };
}

const own = (decisions: Partial<Decisions> = {}, statement: Statement | null = null) =>
  startTiny(KEY, statement, decisions);
const SAME = "deployments/same";
const LANDING = ["landing/status-and-version", "landing/shows"];
const CREATING = ["dispatch/body-style", "dispatch/every-operation", "user.create/body-only", "user.create/json"];

describe("what decides otherwise", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it("is our own service as well", async () => {
    const { full, special } = service.credentials;
    expect(special).toBeDefined();
    expect(await judge(service.url, full)).toEqual({
      ...{ verdict: "conformant (given)", found: [], failed: [], left: [SAME] },
    });
  });

  it("is right, whatever it is", async () => {
    expect(await judge(await own())).toMatchObject({ verdict: "conformant (given)", found: [], left: [SAME] });
    for (const shapes of deployments()) {
      const { id, decisions } = merged(shapes);
      const { verdict, found, left } = await judge(await own(decisions));
      const expected = decisions.landingAt === "/home" ? [...LANDING, SAME] : [SAME];
      expect({ id, verdict, found, left: left.sort() }).toEqual({
        ...{ id, verdict: "conformant (given)", found: [], left: expected.sort() },
      });
    }
  });
  it.each<[Partial<Decisions>, readonly string[]]>([
    [{ landingAt: "/home" }, LANDING],
    [{ landingAt: "/home", root: { type: "text/html", body: "Welcome" } }, LANDING],
    [{ takes: () => false }, [...CREATING, "user.list/users"]],
  ])("is left out where it cannot be found out: %o", async (decisions, lacking) => {
    const { verdict, found, left } = await judge(await own(decisions));
    expect({ verdict, found, left: left.sort() }).toEqual({
      ...{ verdict: "conformant (given)", found: [], left: [...lacking, SAME].sort() },
    });
  });
});

/** The requirement that each of them breaks, or that the preflight names: after that nothing else is checked. */
const breaks: Readonly<Partial<Record<Statement, string>>> = {
  "operation by the path": "dispatch/not-by-path",
  "version in the path": "sysinfo/json",
  "another path only": "sysinfo/json",
  "no docs.list": "dispatch/every-operation",
  "sysinfo needs a key": "sysinfo/json",
  "sysinfo is no JSON": "sysinfo/json",
  "sysinfo by POST only": "sysinfo/json",
  "health needs no key": "test.health/credentials",
  "health needs no platform": "test.health/credentials",
  "list needs no key": "user.list/credentials",
  "list needs no platform": "user.list/credentials",
  "key in the query not taken": "test.health/placements",
  "key in the header not taken": "user.list/placements",
  "platform in the query not taken": "dispatch/query-style",
  "platform in the header not taken": "user.list/placements",
  "create takes the query": "user.create/body-only",
  "create answers text": "user.create/json",
  "list is no JSON": "user.list/json",
  "no README": "docs.get/document",
  "docs.list is XML": "docs.list/json",
  "another version on the landing page": "landing/status-and-version",
  "no status label on the landing page": "landing/status-and-version",
  "no client address on the landing page": "landing/shows",
  "the list at /users": "dispatch/not-by-path",
  "a created user is never listed": "user.list/users",
  "docs.list without README": "docs.list/readme",
  "another version": "sysinfo/version",
  "another version in an envelope": "sysinfo/version",
  "any document name answers README": "docs.get/by-name",
};

/** A server in front that reads requests otherwise. */
async function before(change: (request: Arrived) => { readonly url?: string; readonly body?: string }) {
  const to = await own();
  return serve(async (arrived, response) => {
    const { url = arrived.url, body = arrived.body.toString() } = change(arrived);
    const { "x-api-key": key = "", "x-platform": platform = "" } = arrived.headers;
    const headers = { "x-api-key": String(key), "x-platform": String(platform), "content-type": "application/json" };
    const isQuery = arrived.method === "GET";
    const answer = await fetch(to + url, { method: arrived.method, headers, ...(!isQuery && { body }) });
    response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "" });
    response.end(await answer.text());
  });
}

describe("what breaks something given", () => {
  const all = deployments();
  it.each(
    Object.entries(breaks).map(
      ([statement, id], at) => [statement as Statement, id, merged(all[(at + 1) % all.length] ?? [])] as const,
    ),
  )("is found: %s (%s)", async (statement, id, { decisions }: Shape) => {
    const { verdict, failed, found } = await judge(await own({ ...decisions, landingAt: "/", root: null }, statement));
    expect([verdict, failed, found]).not.toContain("conformant (given)");
    expect(found.join("\n")).toContain(id);
  });

  it.each<[string, Parameters<typeof before>[0]]>([
    ["dispatch/no-version-in-path", ({ url }) => ({ url: url.replace("/v3/", "/") })],
    [
      "dispatch/one-path",
      ({ url, headers }) => (headers["x-action"] === "sysinfo" ? { url: "/api/?@=sysinfo" } : { url }),
    ],
    ["dispatch/one-path", ({ url }) => ({ url: url.replace("?cmd=", "?@=") })],
    [
      "dispatch/query-style",
      ({ body, url }) => (body.includes('"docs.list"') ? { url: "/api/?@=docs.list" } : { url }),
    ],
    ["dispatch/body-style", ({ body }) => ({ body: body.toString().replace('"params":', '"data":') })],
    ["dispatch/body-style", ({ body }) => ({ body: body.includes("\\u0040") ? "" : body.toString() })],
    ["dispatch/query-style", ({ url }) => ({ url: url.replace(/(\?.*)&@=user.list/, "$1") })],
    ["test.health/json", ({ url }) => ({ url: url.replace("test.health", "no.health") })],
  ])("is found by a check of its own: %s", async (id, change) => {
    const { verdict, failed } = await judge(await before(change));
    expect([verdict, failed]).toEqual(["not conformant", expect.arrayContaining([id])]);
  });
});

it("is judged by the command", async () => {
  const url = await own();
  const words = ["--next", "--url", url, "--origin", "given", "--seed", "7"];
  const { code, stdout } = await command(words, { env: { API_KEY: KEY } });
  expect([code, stdout.split("\n", 1)[0]]).toEqual([
    0,
    expect.stringMatching(/^conformant \(given\): .*24 requirements: 23 passed, 1 not selected.*seed 7$/),
  ]);
  expect(stdout).toContain("compares two deployments");
});

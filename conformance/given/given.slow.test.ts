// Another implementation of the same given document is checked against that document only.

import { describe, expect, it, onTestFinished } from "vitest";
import { command, file } from "../cli/command.test-kit.ts";
import { packaged } from "../packaged.ts";
import { type Arrived, serve } from "../proof/kits/server.test-kit.ts";
import { startService } from "../proof/kits/service.test-kit.ts";
import { type Decisions, startTiny } from "../proof/kits/tiny-deployment.test-kit.ts";
import { deployments } from "../proof/right/given.test-kit.ts";
import { runAt } from "../proof/service.ts";
import { givenSuite } from "./suite.ts";

const KEY = "a-key-of-somebody-else-0123456789";
const suite = givenSuite(packaged);

async function check(url: string, full = { key: KEY, platform: "web" }) {
  const report = await runAt(url, { full, special: {} }, { allowHostile: false }, suite);
  const { outcomes, verdict, fault, results } = report;
  const { findings, faults } = results;
  const findingTexts = findings.map(
    ({ requirement, expected, actual }) => `${requirement}: ${expected}; ${actual}`,
  );
  const of = (wanted: string) =>
    outcomes.flatMap((one) => (one.outcome === wanted ? [one.requirement.id] : []));
  return {
    verdict,
    messages: [fault ?? [], findingTexts, faults].flat(),
    failed: of("failed"),
    left: of("not selected").sort(),
  };
}

const startDeployment = (decisions: Partial<Decisions> = {}, statement: string | null = null) =>
  startTiny(KEY, statement, decisions);
const SAME = "deployments/same";
const LANDING = ["landing/status-and-version", "landing/shows"];
const CREATING = [
  "dispatch/body-style",
  "dispatch/every-operation",
  "user.create/body-only",
  "user.create/json",
];

/** Rejections that answer 200, none like another. */
const changing = {
  status: 200,
  type: "application/json",
  get body() {
    return { [crypto.randomUUID()]: "no" };
  },
};

/**
 * One form of all responses: what is accepted and what is rejected have these members, and `data`.
 */
const oneEnvelope = (refused: object, taken: object): Partial<Decisions> => ({
  refused: { status: 200, type: "application/json", body: { ...refused, data: {} } },
  wrap: (data) => ({ ...taken, data: { data } }),
});
const UNTOLD = [
  "dispatch/query-style",
  "docs.list/json",
  "sysinfo/json",
  "sysinfo/public",
  "test.health/json",
  "test.health/placements",
  "user.list/json",
  "user.list/placements",
  "user.list/users",
  ...CREATING,
];

describe("what decides otherwise", () => {
  const rightBut = (left: readonly string[]) => ({
    verdict: "conformant (given)",
    messages: [],
    failed: [],
    left: [...left, SAME].sort(),
  });

  it("is our own service as well", async () => {
    const service = await startService();
    onTestFinished(() => service.stop());
    expect(await check(service.url, service.credentials.full)).toEqual(rightBut([]));
  });

  it.each<[string, Partial<Decisions>, readonly string[]]>([
    ["by default", {}, []],
    ...deployments().map((decisions): [string, Partial<Decisions>, []] => [
      `with ${Object.keys(decisions)}`,
      decisions,
      [],
    ]),
    ["without a page at /", { landingAt: "/home" }, LANDING],
    [
      "with another page",
      { landingAt: "/home", root: { type: "text/html", body: "Welcome" } },
      LANDING,
    ],
    [
      "with errors like nothing else",
      { refused: changing },
      ["test.health/credentials", "user.list/credentials"],
    ],
    ["that creates nothing", { takes: () => false }, [...CREATING, "user.list/users"]],
    [
      "with one envelope for errors too",
      oneEnvelope({ status: "fail" }, { status: "success" }),
      [],
    ],
    ["with a number in that envelope", oneEnvelope({ code: 404 }, { code: 0 }), []],
    ["with nothing in it that tells them apart", oneEnvelope({}, {}), UNTOLD],
    ["with every path below /api/", { endpoints: /^\/api\// }, []],
    ["with /api/ below every path", { endpoints: /\/api\/$/ }, []],
  ])("is right, and what cannot be found out is left out: %s", async (_, decisions, left) => {
    expect(await check(await startDeployment(decisions))).toEqual(rightBut(left));
  });
});

/**
 * What breaks a requirement, or makes the preflight name it: after that nothing else is checked.
 */
const breaks: Readonly<Record<string, readonly string[]>> = {
  "dispatch/every-operation": ["no docs.list"],
  "dispatch/not-by-path": ["operation by the path", "the list at /users"],
  "dispatch/query-style": ["the query not taken"],
  "docs.get/by-name": ["any document name answers README"],
  "docs.get/document": ["no README"],
  "docs.list/json": ["docs.list is XML"],
  "docs.list/readme": ["docs.list without README"],
  "landing/shows": ["no client address on the landing page"],
  "landing/status-and-version": ["another version on the landing page"],
  "sysinfo answers a JSON document": ["sysinfo is no JSON"],
  "sysinfo/version": ["another version"],
  "sysinfo/json": ["another path only", "sysinfo by POST only"],
  "test.health/credentials": ["health needs no key"],
  "test.health/placements": ["the query not taken"],
  "user.create/body-only": ["create takes the query"],
  "user.create/json": ["create answers text"],
  "user.list/credentials": ["list needs no key"],
  "user.list/json": ["list is no JSON"],
  "user.list/placements": ["headers not taken"],
  "user.list/users": ["a created user is never listed"],
};

/** A server in front that reads the target and the body of a request otherwise. */
async function before(change: (request: Arrived, body: string) => string | undefined) {
  const to = await startDeployment();
  return serve(async (arrived, response) => {
    const { url, method, headers } = arrived;
    const text = arrived.body.toString();
    const changed = change(arrived, text);
    const names = ["x-api-key", "x-platform", "content-type"];
    const forwardedHeaders = names.flatMap((name) =>
      headers[name] ? [[name, `${headers[name]}`] as [string, string]] : [],
    );
    const [path, body] = method === "GET" ? [changed ?? url, {}] : [url, { body: changed ?? text }];
    const answer = await fetch(to + path, { method, headers: forwardedHeaders, ...body });
    response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "" });
    response.end(await answer.text());
  });
}

describe("what breaks something given", () => {
  const all = deployments();
  const cases = Object.entries(breaks).flatMap(([id, some]) =>
    some.map((one) => [one, id] as const),
  );
  it.each([...cases.entries()].map(([at, one]) => [...one, all[at % all.length]] as const))(
    "is found: %s (%s)",
    async (statement, id, decisions) => {
      const { verdict, messages } = await check(
        await startDeployment({ ...decisions, landingAt: "/", root: null }, statement),
      );
      expect(verdict).toMatch(/^not conformant$|^preflight failed$/);
      expect(messages.join("\n")).toContain(id);
    },
  );

  it("is found: any name answers README, with that name in it", async () => {
    const { failed } = await check(
      await startDeployment({}, "any name answers README with that name"),
    );
    expect(failed).toEqual(["docs.get/by-name"]);
  });

  it.each<[string, Parameters<typeof before>[0]]>([
    ["dispatch/no-version-in-path", ({ url }) => url.replace("/v3/", "/")],
    [
      "dispatch/one-path",
      ({ headers }) => (headers["x-action"] === "sysinfo" ? "/api/?@=sysinfo" : undefined),
    ],
    ["dispatch/one-path", ({ url }) => url.replace("?cmd=", "?@=")],
    [
      "dispatch/query-style",
      (_, body) => (body === '{"@":"docs.list"}' ? "/api/?@=docs.list" : undefined),
    ],
    ["dispatch/query-style", ({ url }) => (url.endsWith("&@=user.list") ? "/api/" : url)],
    [
      "dispatch/body-style",
      ({ method }, body) => (method === "GET" ? undefined : body.replace('"params":', '"data":')),
    ],
    ["dispatch/body-style", (_, body) => (body.includes("u0040") ? "{}" : undefined)],
    ["test.health/json", ({ url }) => url.replace("test.health", "no.health")],
  ])("is found by a check of its own: %s", async (id, change) => {
    const { verdict, failed } = await check(await before(change));
    expect([verdict, failed]).toEqual(["not conformant", expect.arrayContaining([id])]);
  });
});

it("its report has the number of checks, and what was not checked", async () => {
  const url = await startDeployment({ takes: () => false });
  const { code, stdout } = await command(["--url", url, "--origin", "given"], {
    env: { API_KEY: KEY },
  });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ {2}checks {4}18 of 23$/m)]);
  expect(stdout).toMatch(/^ {2}5 skipped: no user could be .* 418$/m);
});

it("is not about another contract", async () => {
  const { title, operations, ...contract } = packaged.oracle.contract;
  const { sysinfo, ...withoutSysinfo } = operations;
  const name = file("contract.json", { ...contract, title: "Other", operations: withoutSysinfo });
  const words = ["--contract", name, "--url", "http://127.0.0.1:1", "--origin", "given"];
  const { code, stderr } = await command(words, { env: { API_KEY: KEY } });
  const message =
    "--origin given is about the founding document of Atpoint; the contract Other has no sysinfo\n";
  expect([code, stderr]).toEqual([2, message]);
});

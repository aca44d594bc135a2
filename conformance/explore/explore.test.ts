import { afterAll, beforeAll, expect, it } from "vitest";
import { BOUND_MS } from "../../src/test/patience.ts";
import { main } from "../cli/cli.ts";
import { DEFAULT_TIMEOUT_MS } from "../client/session.ts";
import { parseTarget } from "../client/wire/target.ts";
import { run } from "../engine/run.ts";
import { ours } from "../lists/ours.ts";
import { header, jsonBody, problemCode, queryOf } from "../proof/proxy/look.ts";
import type { Hooks, ProxyRequest } from "../proof/proxy/message.ts";
import { startProxy } from "../proof/proxy/server.ts";
import { respondProblem, verbatim, withHeader, withJson, withoutHeader } from "../proof/proxy/shape.ts";
import { checks, exclusions } from "../suite.ts";
import { type RunningService, startService } from "../test/service.test-kit.ts";
import { explorable, explorer } from "./explore.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** A run of this many requests against the service behind these hooks. It ends at its first finding. */
async function exploring(hooks: Hooks, requests: number, seed = 1, share?: number) {
  const { credentials } = service;
  const proxy = await startProxy(hooks, service.url, 0, { credentials: credentials.full });
  const report = await run({
    ...{ target: parseTarget(proxy.url), credentials, oracle: ours, preflight: false, exclusions },
    checks: explorable({ checks }).checks,
    explorer: explorer(requests, { mostFindings: 1, ...(share !== undefined && { share }) }),
    selection: {
      ...({ origin: "all", level: "MAY", only: [], skip: [], slow: false, pair: false } as const),
      effects: ["read", "write", "hostile"],
      credentials: Object.keys(credentials.special),
    },
    ...{ seed, concurrency: 1, timeoutMs: DEFAULT_TIMEOUT_MS, deadlineMs: BOUND_MS },
  });
  await proxy.close();
  expect(proxy.faults).toEqual([]);
  return report;
}

/** Fields that a plain call has. */
const PLAIN = /^(host|connection|content-type|content-length|x-api-key|x-platform)$/i;

const has = (request: ProxyRequest, name: string) => header(request, name) !== null;
/**
 * A command without the members that no command has; the same request when there are none. The length of the body stays: with a
 * shorter `Content-Length`, a head above the limit would be within it.
 */
const withoutUnknownMembers = (request: ProxyRequest): ProxyRequest => {
  const { "@": name, data, ...unknown } = jsonBody(request) ?? {};
  if (Object.keys(unknown).length === 0) return request;
  const known = Buffer.from(JSON.stringify({ "@": name, data }));
  const padding = Buffer.alloc(Math.max(0, request.body.length - known.length), " ");
  return { ...request, body: Buffer.concat([known, padding]) };
};

const post = ({ method }: ProxyRequest) => method === "POST";
const fault = respondProblem(500, "internal-error");
const texts = (request: ProxyRequest) =>
  Object.values(Object(jsonBody(request)?.data)).map((one) => JSON.stringify(one));
const breaksIf = (when: (request: ProxyRequest) => boolean): Hooks => ({
  request: (request) => (when(request) ? fault : request),
});

/** Deployments with a defect that two things together show; the fields beyond a plain call that show it; its aspect. */
const BROKEN: readonly (readonly [what: string, fields: readonly string[], aspect: RegExp, hooks: Hooks])[] = [
  [
    "HEAD and a coding: the length is wrong",
    ["accept-encoding"],
    /content-length/,
    {
      answer: (answer, request) =>
        request.method === "HEAD" && has(request, "Accept-Encoding") && answer.status === 200
          ? verbatim(withHeader(answer, "Content-Length", "7"))
          : answer,
    },
  ],
  [
    "an idempotency key of 255 characters and a body of exactly the limit",
    ["idempotency-key"],
    /status/,
    breaksIf((request) => header(request, "Idempotency-Key")?.length === 255 && request.body.length === 65_536),
  ],
  [
    "a text that begins with an astral character and an origin",
    ["origin"],
    /status/,
    breaksIf((request) => has(request, "Origin") && texts(request).some((text) => /^"[^\0-\uffff]/u.test(text))),
  ],
  [
    "an origin and 415: no page may read it",
    ["origin"],
    /access-control/,
    {
      answer: (answer, request) =>
        answer.status === 415 && has(request, "Origin") ? withoutHeader(answer, "Access-Control-Allow-Origin") : answer,
    },
  ],
  [
    "the caller's request id and 404: another one in the problem",
    ["x-request-id"],
    /requestId/,
    {
      answer: (answer, request) =>
        answer.status === 404 && has(request, "X-Request-Id")
          ? withJson(answer, (json) => ({ ...json, requestId: "y".repeat(String(json.requestId).length) }))
          : answer,
    },
  ],
  [
    "a key in the query of a command with an unknown member: it is carried out",
    [],
    /status|errors/,
    {
      request: (request) =>
        post(request) && queryOf(request).has("X-API-KEY") ? withoutUnknownMembers(request) : request,
    },
  ],
  [
    "an origin and a tag: the copy is never current",
    ["if-none-match", "origin"],
    /status/,
    {
      request: (request) =>
        has(request, "Origin") && has(request, "If-None-Match") ? withHeader(request, "If-None-Match", '"x"') : request,
    },
  ],
  [
    "HEAD and %40: no operation is named",
    [],
    /status/,
    breaksIf(({ method, target }) => method === "HEAD" && target.includes("?%40=")),
  ],
  [
    "a trace and 405: nothing is allowed",
    ["traceparent"],
    /allow/,
    {
      answer: (answer, request) =>
        answer.status === 405 && has(request, "traceparent") ? withoutHeader(answer, "Allow") : answer,
    },
  ],
  [
    "a target that names its server and an origin",
    ["origin"],
    /status/,
    breaksIf((request) => request.target.startsWith("http") && has(request, "Origin")),
  ],
  [
    "a command and a representation that it does not have: rejected, and carried out",
    ["accept"],
    /state/,
    {
      answer: async (answer, request, { forward }) => {
        if (problemCode(answer) === "not-acceptable" && post(request)) await forward(withoutHeader(request, "Accept"));
        return answer;
      },
    },
  ],
  [
    "a charset and an expectation: it is not read",
    ["expect"],
    /status/,
    breaksIf((request) => has(request, "Expect") && /charset/i.test(header(request, "Content-Type") ?? "")),
  ],
];

it.each(BROKEN)("finds and shrinks: %s", async (_, fields, aspect, hooks) => {
  const { results, exitCode } = await exploring(hooks, 3000, 2, 0);
  const [failed] = results.flatMap(({ failure }) => failure ?? []);
  expect(exitCode).toBe(1);
  expect(failed?.aspect).toMatch(aspect);
  const { request } = failed?.exchanges[failed.guilty] ?? {};
  const further = request?.headers.map(([name]) => name.toLowerCase()).filter((name) => !PLAIN.test(name));
  expect(further?.sort()).toEqual(fields);
  expect(request?.url.length).toBeLessThan(120);
  expect(failed?.curl).toMatch(/curl/);
});

it("finds nothing at the right service, and sends the same for the same seed", async () => {
  const came: string[][] = [[], []];
  for (const seen of came) {
    const hooks: Hooks = {
      request: (request) => {
        // The length of the list that shows the state depends on the run before.
        if (!request.target.includes("limit=200")) seen.push(`${request.method} ${request.body.length}`);
        return request;
      },
    };
    const { results, run, exitCode, created } = await exploring(hooks, 600, 5);
    expect(results.flatMap(({ failure }) => (failure ? [failure.expected, failure.actual, failure.curl] : []))).toEqual(
      [],
    );
    expect([exitCode, run.explored]).toEqual([0, 600]);
    expect(created.length).toBeGreaterThan(5);
    expect(created.length).toBeLessThan(210);
  }
  expect(came[0]).toEqual(came[1]);
});

it("is a usage error for two deployments, or for what is given alone", async () => {
  const said: string[] = [];
  const output = { write: (text: string) => said.push(text) };
  for (const words of [
    ["--url", "http://127.0.0.1:2"],
    ["--origin", "given"],
  ]) {
    const argv = ["--url", "http://127.0.0.1:1", ...words, "--explore", "5"];
    expect(await main(argv, { stdout: output, stderr: output, env: {} })).toBe(2);
  }
  expect(said.join("")).toMatch(/^(?:--explore: one --url.*\n){2}$/);
});

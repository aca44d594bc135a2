import type { RequirementId } from "../../../generated/requirements.ts";
import type { Api } from "../../client/api.ts";
import { fail } from "../../client/expect.ts";
import { every, findOperation, queries } from "../../client/operation.ts";
import { Reply } from "../../client/reply.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check, checkAll } from "../check.ts";
import { codes, sendFaulty } from "../faults.ts";
import { inCase, reach } from "../probe.ts";
import {
  answerTo,
  at,
  type Case,
  chunked,
  listed,
  type Outcome,
  refusedPost,
  requestOf,
  sysinfo,
  withFields,
} from "./support.ts";

/** One of the layers that write responses, and a request that it responds to. */
type Layer = readonly [name: string, ask: () => Promise<Reply>];

/**
 * Checks of every response: one response of each layer (each layer may have its own bug), and all responses of the run. `judge`
 * throws an `Expectation`.
 */
export function everyAnswer(requirement: RequirementId, judge: (reply: Reply) => void): readonly Check[] {
  const judgeLayers = async (layers: readonly Layer[]) => {
    for (const [name, ask] of layers) await inCase(`the answer to ${name}`, async () => judge(await ask()));
  };
  return [
    check(`${requirement}#answers`, {}, (api) => judgeLayers([...operationLayers(api), ...pathLayers(api)])),
    check(`${requirement}#refusals`, { effect: "hostile" }, (api) =>
      judgeLayers(refusedEarly(api).map(([name, sent]): Layer => [name, () => answerTo(api, sent)])),
    ),
    checkAll(`${requirement}#all-answers`, ({ request, answer }) => {
      // CONNECT is for proxies: a server may just close the connection.
      if (answer && request.method !== "CONNECT")
        judge(new Reply({ request, answer, error: null, durationMs: 0 }, answer));
    }),
  ];
}

/** Every operation: its success if it changes nothing, and its rejections. */
function operationLayers(api: Api): readonly Layer[] {
  return [
    ...every.map((one): Layer => [one.id, () => reach(api, one)]),
    ...queries.map((one): Layer => [`${one.id} by HEAD`, () => reach(api, one, { method: "HEAD" })]),
    ...every.flatMap(({ id, auth }): Layer[] =>
      auth ? [[`${id} without credentials`, () => api.call(id, { credentials: "none" })]] : [],
    ),
    ...codes.map((one): Layer => [`${one.operation.id}, ${one.code}`, () => sendFaulty(api, one)]),
  ];
}

/** A request and its outcome. */
export type Written = readonly [request: RawRequest, outcome: Outcome];

/** One request for each kind of response that a server may write with its own code. */
export const pages = (api: Api): readonly Written[] => [
  [at(api, "/"), 200],
  [at(api, "/", { method: "HEAD" }), 200],
  [at(api, "/openapi.json"), 200],
  [at(api, "/openapi.json", { headers: [["If-None-Match", "*"]] }), 304],
  [at(api, "/openapi.yaml"), 200],
  [at(api, "/robots.txt"), 200],
  [at(api, "/robots.txt", { method: "POST" }), "method-not-allowed"],
  [at(api, "/", { headers: [["Accept", "application/json"]] }), 200],
  [at(api, "/api?@=sysinfo"), 308],
  [at(api, "/api?@=sysinfo", { method: "HEAD" }), 308],
  [at(api, "/api/", { method: "OPTIONS" }), 204],
  [at(api, `/api/?@=no.${api.runId}`), "operation-not-found"],
  [at(api, `/${api.runId}`), "path-not-found"],
  [at(api, `/${api.runId}`, { method: "HEAD" }), 404],
  [refusedPost(api), "invalid-input"],
  [requestOf(api, "user.list", { credentials: "none" }), "credentials-missing"],
  [sysinfo(api, { method: "DELETE" }), "method-not-allowed"],
];

/** The same requests, sent by the HTTP client. */
const pathLayers = (api: Api): readonly Layer[] =>
  pages(api).map(([{ method = "GET", target, headers = [], body }]) => [
    `${method} ${target} with ${headers.length} fields`,
    () => api.request({ method, target: target.slice(api.path("").length), headers, ...(body && { body }) }),
  ]);

/** Requests that are rejected before the application or outside it, each by another part of the server (D13). */
export function refusedEarly(api: Api): readonly Case[] {
  const [post, large] = [refusedPost(api), " ".repeat(70_000)];
  const url = (length: number) => ({ target: `${sysinfo(api).target}${"x".repeat(length)}` });
  const padded = (length: number) => sysinfo(api, { headers: [["X-Padding", "x".repeat(length)]] });
  const many = Array.from({ length: 150 }, () => ["X-Padding", "x"] as const);
  return [
    ["bytes that are not HTTP", "this is not HTTP\r\n\r\n", "malformed-request"],
    ["an unknown method token", sysinfo(api, { method: "FOO" }), "malformed-request"],
    ["a missing Host", sysinfo(api, { host: null }), "malformed-request"],
    ["an unknown Expect", sysinfo(api, { headers: [["Expect", api.runId]] }), "expectation-failed"],
    ["a long URL", url(10_000), "uri-too-long", "headers-too-large"],
    ["a very long URL", url(50_000), "uri-too-long", "headers-too-large"],
    ["large headers", padded(20_000), "headers-too-large"],
    ["very large headers", padded(50_000), "headers-too-large"],
    ["many headers", sysinfo(api, { headers: many }), "headers-too-large"],
    ["a large body", { ...post, body: large }, "content-too-large"],
    ["a large body in chunks", chunked(post, large, 8192), "content-too-large"],
    ["two lengths", withFields(post, ["Content-Length", "0"], ["Content-Length", "5"]), "malformed-request"],
    ["a broken chunk", { ...withFields(post, ["Transfer-Encoding", "chunked"]), body: "zz\r\n" }, "malformed-request"],
  ];
}

/** Checks the value, which some proxies send several times. */
const expectValue = (name: string, value: string) => (reply: Reply) => {
  const sent = listed(reply.header(name));
  if (sent.size !== 1 || !sent.has(value))
    fail(`header:${name.toLowerCase()}`, `${name}: ${value}`, reply.header(name) ?? "none");
};

/** Whether the response is a document: these have several representations. */
const isDocument = (reply: Reply) =>
  findOperation(reply.header("x-operation") ?? "")?.answers.some(({ mediaTypes }) => mediaTypes.length > 1) === true;

/** Successful responses with documents, the contract or static files: not from the endpoint's path, and not the landing page. */
function isCacheable(reply: Reply): boolean {
  if (reply.status !== 200 && reply.status !== 304) return false;
  // Of pipelined requests only the first is recorded: the request of this response is unknown.
  if (reply.exchange.request.raw) return true;
  const path = reply.exchange.request.url.replace(/\?.*$/s, "");
  return isDocument(reply) || !/\/(?:api)?$/.test(path);
}

function expectNoStore(reply: Reply): void {
  const value = reply.header("cache-control");
  if (!isCacheable(reply) && !listed(value).has("no-store"))
    fail("header:cache-control", "Cache-Control: no-store", value ?? "none");
}

function expectNoBanner(reply: Reply): void {
  for (const name of ["Server", "X-Powered-By", "Set-Cookie"]) {
    const value = reply.header(name);
    if (value !== undefined) fail(`header:${name.toLowerCase()}`, `no ${name}`, `${name}: ${value}`);
  }
}

/** Headers that every response has, and headers that none has (D12). */
export const headers: readonly Check[] = [
  ...everyAnswer("http/nosniff", expectValue("X-Content-Type-Options", "nosniff")),
  ...everyAnswer("http/referrer-policy", expectValue("Referrer-Policy", "no-referrer")),
  ...everyAnswer("http/no-store", expectNoStore),
  ...everyAnswer("http/no-banner", expectNoBanner),
];

import type { Api } from "../../client/api.ts";
import { fail } from "../../client/expect.ts";
import { queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { ending, inCase, toJudge } from "../probe.ts";
import { pages, refusedEarly, type Written } from "./layers.ts";
import {
  ALL,
  at,
  type Case,
  echoedId,
  expectOutcome,
  pipeline,
  refusedPost,
  requestOf,
  sysinfo,
  withFields,
} from "./support.ts";

const guardedQueries = queries.filter(({ auth }) => auth);

/** Pipelines all requests on one connection, each with its own request id; each must get its response, in order. */
async function inOrder(api: Api, steps: readonly Written[], apart = false): Promise<void> {
  const requests = steps.map(([request], index) => withFields(request, ["X-Request-Id", `${api.runId}-${index}`]));
  const bytes = pipeline(api, requests);
  const heads = requests.map(({ method }) => method === "HEAD");
  const raw = await api.rawRequests(bytes, { apart, heads });
  const sent = (index: number) => `${api.runId}-${index}`;
  const ids = raw.replies.map((reply, index) => echoedId(reply, sent(index))).join();
  const expected = steps.map((_, index) => sent(index)).join();
  if (ids !== expected) fail("connection", `answers to ${expected} in this order`, `${ids}: ${ending(raw)}`);
  // There are as many responses as steps.
  for (const [index, reply] of raw.replies.entries()) expectOutcome(reply, steps[index]?.[1] ?? 0);
}

/** A target may close a connection after any response. If it did not announce that, there must be a second response to check. */
export function expectSecond(replies: readonly Reply[]): void {
  if (!replies[0]?.closes) toJudge(replies.slice(1), "second answer on a connection");
}

/** Looks like a request, so that a server that does not read the body responds to it. */
const REQUEST_AS_BODY = "GET /no-such-path HTTP/1.1\r\nHost: body.example\r\n\r\n";

/** Rejected requests and responses without a body, after which the connection must still be usable. */
function interruptions(api: Api): readonly Written[] {
  const body = REQUEST_AS_BODY;
  const unchanged = { headers: [["If-None-Match", "*"]] as const };
  return [
    [at(api, `/api/?@=no.${api.runId}`), "operation-not-found"],
    [at(api, `/${api.runId}`), "path-not-found"],
    [at(api, `/${api.runId}`, { method: "POST", body }), "path-not-found"],
    [at(api, "/api/?@=%zz"), "malformed-query"],
    [requestOf(api, "user.list", { credentials: "none" }), "credentials-missing"],
    [refusedPost(api, { credentials: "none" }), "credentials-missing"],
    [sysinfo(api, { method: "DELETE" }), "method-not-allowed"],
    [sysinfo(api, { method: "PUT", body }), "method-not-allowed"],
    [at(api, "/", { method: "POST", body }), "method-not-allowed"],
    [refusedPost(api, { headers: { "Content-Type": "text/plain" }, body }), "unsupported-media-type"],
    [refusedPost(api, { headers: { "Content-Encoding": "gzip" }, body }), "unsupported-media-type"],
    [refusedPost(api, { body }), "malformed-json"],
    [refusedPost(api), "invalid-input"],
    [requestOf(api, "docs.list", { accept: "image/png" }), "not-acceptable"],
    [at(api, "/api", { method: "POST", body }), 308],
    [at(api, "/api/", { method: "OPTIONS", body }), 204],
    [sysinfo(api, { body }), "sysinfo"],
    [at(api, "/api/?@=docs.get.README", unchanged), 304],
    [at(api, "/openapi.json", unchanged), 304],
    [at(api, "/robots.txt", { body }), 200],
  ];
}

/** One request of each kind. The one that reads from the storage takes longest; the other responses are ready before it. */
const mixed = (api: Api): readonly Written[] => [
  [requestOf(api, "user.list"), "user.list"],
  ...pages(api),
  [sysinfo(api, { method: "HEAD" }), 200],
  ...queries.map(({ id }): Written => [requestOf(api, id), id]),
];

/** Several requests on one connection, which do not wait for earlier responses (D13). */
export const pipelining: readonly Check[] = [
  check("http/pipelining#ahead", { effect: "hostile" }, (api) =>
    inOrder(api, [...mixed(api), ...mixed(api), ...mixed(api)]),
  ),
  check("http/pipelining#one-by-one", { effect: "hostile" }, (api) => inOrder(api, mixed(api), true)),
  check("http/pipelining#after-each", { effect: "hostile" }, async (api) => {
    for (const step of interruptions(api)) {
      const { method = "GET", target } = step[0];
      const steps: readonly Written[] = [[sysinfo(api), "sysinfo"], step, [sysinfo(api), "sysinfo"]];
      await inCase(`${method} ${target}, ${step[1]}`, () => inOrder(api, steps));
    }
  }),
  // Credentials belong to a request, not to a connection: each request needs its own.
  check("credentials/invalid#behind-a-caller", { effect: "hostile" }, async (api) => {
    const credentials = { key: { header: `no-key-${api.runId}` }, platform: { header: api.platform } };
    for (const { id } of toJudge(guardedQueries, "query that needs a key")) {
      const [good, bad] = [requestOf(api, id), requestOf(api, id, { credentials })];
      const bytes = [good, bad, good, bad].map((request) => api.rawRequest({ connection: null, ...request }));
      const { replies } = await api.raw(bytes, { answers: bytes.length, inTurn: true });
      for (const [index, reply] of replies.entries())
        expectOutcome(reply, index % 2 === 0 ? id : "credentials-invalid");
      expectSecond(replies);
    }
  }),
  check("http/pipelining#after-what-may-end-it", { effect: "hostile" }, async (api) => {
    const large = { ...refusedPost(api), body: REQUEST_AS_BODY.repeat(2000) };
    const refused: readonly Case[] = [...refusedEarly(api), ["a large body", large, "content-too-large"]];
    const ahead = pipeline(api, [requestOf(api, "user.list"), sysinfo(api), sysinfo(api)]).slice(0, 2);
    for (const [what, sent, ...outcomes] of refused)
      await inCase(what, async () => {
        // After such a rejection the server may close the connection, but must not read the rest of a body as a request.
        const isBytes = typeof sent === "string" || Buffer.isBuffer(sent);
        const middle = isBytes ? Buffer.from(sent) : api.rawRequest({ connection: null, ...sent });
        const all = [...ahead, middle, api.rawRequest(sysinfo(api))];
        const raw = await api.rawRequests(all, { answers: ALL, least: ahead.length + 1 });
        const [list, first, refusal, ...more] = raw.replies;
        // After bytes that are no request, the server cannot find another request.
        if (!list || !first || !refusal || more.length > (isBytes ? 0 : 1))
          fail("connection", "three answers, and a fourth or the end", ending(raw));
        expectOutcome(list, "user.list");
        expectOutcome(refusal, ...outcomes);
        for (const reply of [first, ...more]) expectOutcome(reply, "sysinfo");
      });
  }),
  check("http/pipelining#then-close", { effect: "hostile" }, async (api) => {
    // After `Connection: close` nothing may be processed (RFC 9112, 9.6).
    const closing = api.rawRequest(sysinfo(api));
    const raw = await api.raw(Buffer.concat([closing, closing]), { answers: ALL });
    if (raw.replies.length !== 1) fail("connection", "one answer, then the end", ending(raw));
    for (const reply of raw.replies) expectOutcome(reply, "sysinfo");
  }),
];

import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import { queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { ending, toJudge } from "../probe.ts";
import { pipeline, refusedPost, requestOf, SYSINFO } from "./support.ts";

/** Looks like a request, so that a server that leaves a body unread answers it. */
const REQUEST_AS_BODY = "GET /no-such-path HTTP/1.1\r\nHost: body.example\r\n\r\n";

/** With an id by which the answer is known again. */
function numbered(request: RawRequest, index: number): RawRequest {
  return { ...request, headers: [...(request.headers ?? []), ["X-Request-Id", `request-${index}`]] };
}

/** Sends all ahead on one connection; every one must be answered, in order. */
async function inOrder(api: Api, requests: readonly RawRequest[], apart = false): Promise<readonly Reply[]> {
  const all = requests.map(numbered);
  const bytes = apart
    ? all.map((request, index) => api.rawRequest(index < all.length - 1 ? { connection: null, ...request } : request))
    : pipeline(api, all);
  const heads = requests.map(({ method }) => method === "HEAD");
  const raw = await api.raw(bytes, { answers: all.length, heads });
  const ids = raw.replies.map((reply) => reply.header("x-request-id") ?? "none");
  const expected = all.map((_, index) => `request-${index}`);
  if (ids.join() !== expected.join())
    fail("connection", `answers to ${expected.join(", ")} in this order`, `${ids.join(", ")}: ${ending(raw)}`);
  return raw.replies;
}

function expectStatuses(replies: readonly Reply[], statuses: readonly number[]): void {
  const actual = replies.map(({ status }) => status);
  if (actual.join() !== statuses.join()) fail("status", `the statuses ${statuses.join(", ")}`, actual.join(", "));
}

const sysinfo = (api: Api): RawRequest => ({ target: api.path(SYSINFO) });

/** What is refused, and must leave the connection in step. */
const REFUSALS: Readonly<Record<string, (api: Api) => readonly [request: RawRequest, status: number]>> = {
  "unknown-operation": (api) => [{ target: api.path("/api/?@=no.such.operation") }, 404],
  "unknown-path": (api) => [{ target: api.path("/no-such-path") }, 404],
  "unknown-path-with-body": (api) => [
    { method: "POST", target: api.path("/no-such-path"), body: REQUEST_AS_BODY },
    404,
  ],
  "bad-query": (api) => [{ target: api.path("/api/?@=%zz") }, 400],
  "missing-credentials": (api) => [requestOf(api, "user.list", { credentials: "none" }), 401],
  "missing-credentials-with-body": (api) => [refusedPost(api, { credentials: "none" }), 401],
  "wrong-method": (api) => [{ method: "DELETE", target: api.path(SYSINFO) }, 405],
  "wrong-method-with-body": (api) => [{ method: "PUT", target: api.path(SYSINFO), body: REQUEST_AS_BODY }, 405],
  "wrong-method-of-a-page": (api) => [{ method: "POST", target: api.path("/"), body: REQUEST_AS_BODY }, 405],
  "media-type": (api) => [refusedPost(api, { headers: { "Content-Type": "text/plain" }, body: REQUEST_AS_BODY }), 415],
  "content-coding": (api) => [
    refusedPost(api, { headers: { "Content-Encoding": "gzip" }, body: REQUEST_AS_BODY }),
    415,
  ],
  "not-json": (api) => [refusedPost(api, { body: REQUEST_AS_BODY }), 400],
  "invalid-input": (api) => [refusedPost(api), 422],
  "not-acceptable": (api) => [requestOf(api, "docs.list", { accept: "image/png" }), 406],
  redirect: (api) => [{ method: "POST", target: api.path("/api"), body: REQUEST_AS_BODY }, 308],
  options: (api) => [{ method: "OPTIONS", target: api.path("/api/"), body: REQUEST_AS_BODY }, 204],
  "get-with-body": (api) => [{ ...sysinfo(api), body: REQUEST_AS_BODY }, 200],
  "not-modified": (api) => [{ target: api.path("/api/?@=docs.get.README"), headers: [["If-None-Match", "*"]] }, 304],
  "unchanged-page": (api) => [{ target: api.path("/openapi.json"), headers: [["If-None-Match", "*"]] }, 304],
  "page-with-body": (api) => [{ target: api.path("/robots.txt"), body: REQUEST_AS_BODY }, 200],
};

/** Several requests on one connection, none of which waits for the answer to the one before (D13). */
export const pipelining: readonly Check[] = [
  check("http/pipelining#reads", { effect: "hostile" }, async (api) => {
    const requests = queries.map(({ id }) => requestOf(api, id));
    const replies = await inOrder(api, requests);
    // As many as there were requests.
    for (const [index, reply] of replies.entries()) expectSuccess(reply, queries[index]?.id ?? "sysinfo");
  }),
  check("http/pipelining#slow-one-first", { effect: "hostile" }, async (api) => {
    // The one that asks the storage takes longest, the others are ready before it.
    const requests = [requestOf(api, "user.list"), sysinfo(api), { target: api.path("/robots.txt") }, sysinfo(api)];
    expectStatuses(await inOrder(api, requests), [200, 200, 200, 200]);
  }),
  check("http/pipelining#posts", { effect: "hostile" }, async (api) => {
    const post = refusedPost(api);
    const unknown = refusedPost(api, { body: '{"@":"no.such.operation"}' });
    expectStatuses(await inOrder(api, [post, sysinfo(api), unknown, post, sysinfo(api)]), [422, 200, 404, 422, 200]);
  }),
  check("http/pipelining#one-by-one", { effect: "hostile" }, async (api) => {
    const post = refusedPost(api);
    expectStatuses(await inOrder(api, [sysinfo(api), post, sysinfo(api)], true), [200, 422, 200]);
  }),
  check("http/pipelining#head-then-get", { effect: "hostile" }, async (api) => {
    const head = { ...sysinfo(api), method: "HEAD" };
    const lost = { method: "HEAD", target: api.path("/no-such-path") };
    expectStatuses(await inOrder(api, [sysinfo(api), head, lost, head, sysinfo(api)]), [200, 200, 404, 200, 200]);
  }),
  check("http/pipelining#many", { effect: "hostile" }, async (api) => {
    const requests = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0 ? sysinfo(api) : index % 3 === 1 ? { target: api.path("/no-such-path") } : refusedPost(api),
    );
    const replies = await inOrder(api, requests);
    expectStatuses(
      replies,
      requests.map((_, index) => [200, 404, 422][index % 3] ?? 0),
    );
  }),
  ...Object.entries(REFUSALS).map(([name, make]) =>
    check(`http/pipelining#after-${name}`, { effect: "hostile" }, async (api) => {
      const [request, status] = make(api);
      const replies = await inOrder(api, [sysinfo(api), request, sysinfo(api)]);
      expectStatuses(replies, [200, status, 200]);
      for (const reply of [replies[0], replies[2]]) if (reply) expectSuccess(reply, "sysinfo");
    }),
  ),
  // A connection has no caller: each request is judged by its own credentials.
  check("credentials/invalid#behind-a-caller", { effect: "hostile" }, async (api) => {
    const credentials = { key: { header: "not-a-key" }, platform: { header: api.platform } };
    const [good, bad] = [requestOf(api, "user.list"), requestOf(api, "user.list", { credentials })];
    const bytes = [good, bad, good, bad].map((request) => api.rawRequest({ connection: null, ...request }));
    const { replies } = await api.raw(bytes, { answers: bytes.length, inTurn: true });
    // A target may close a connection after any answer.
    toJudge(replies.slice(1), "second answer on a connection");
    for (const [index, reply] of replies.entries()) {
      if (index % 2 === 0) expectSuccess(reply, "user.list");
      else expectProblem(reply, 401, "credentials-invalid");
    }
  }),
  check("http/pipelining#after-large-body", { effect: "hostile" }, async (api) => {
    // The rest of the body may cost the connection, but must not be taken for a request.
    const large = { ...refusedPost(api), body: REQUEST_AS_BODY.repeat(2000) };
    const bytes = pipeline(api, [sysinfo(api), large, sysinfo(api)].map(numbered));
    const { replies } = await api.raw(bytes, { answers: Number.POSITIVE_INFINITY });
    const seen = replies.map((reply) => `${reply.status} to ${reply.header("x-request-id")}`);
    const expected = ["200 to request-0", "413 to request-1", "200 to request-2"];
    if (seen.length < 2 || seen.some((one, index) => one !== expected[index]))
      fail("body", `${expected.join(", ")} or the end before the last`, seen.join(", ") || "no answer");
  }),
  check("http/pipelining#after-refused-head", { effect: "hostile" }, async (api) => {
    const target = api.path(SYSINFO);
    const refused: readonly RawRequest[] = [
      { target: api.path("/api/?@=").padEnd(9000, "x") },
      { target, headers: Array.from({ length: 110 }, () => ["X-Field", "1"] as const) },
      { target, headers: [["Expect", "a-miracle"]] },
    ];
    for (const request of refused) {
      // Such a refusal may cost the connection, but nothing else.
      const bytes = pipeline(api, [sysinfo(api), request, sysinfo(api)].map(numbered));
      const { replies } = await api.raw(bytes, { answers: Number.POSITIVE_INFINITY });
      const [first, refusal, ...more] = replies.map(({ status }) => status);
      if (first !== 200 || refusal === undefined || refusal < 400 || more.some((status) => status !== 200))
        fail(
          "status",
          "200, a refusal, and 200 or the end",
          replies.map(({ status }) => status).join(", ") || "no answer",
        );
    }
  }),
  check("http/pipelining#then-malformed", { effect: "hostile" }, async (api) => {
    for (const malformed of ["this is not HTTP\r\n\r\n", "FOO / HTTP/1.1\r\nHost: a.example\r\n\r\n"]) {
      const good = [requestOf(api, "user.list"), sysinfo(api)].map(numbered);
      const ahead = good.map((request) => api.rawRequest({ ...request, connection: null }));
      const bytes = Buffer.concat([...ahead, Buffer.from(malformed), api.rawRequest(sysinfo(api))]);
      const raw = await api.raw(bytes, { answers: Number.POSITIVE_INFINITY });
      expectStatuses(raw.replies, [200, 200, 400]);
      const [list, information, refusal] = raw.replies;
      if (list) expectSuccess(list, "user.list");
      if (information) expectSuccess(information, "sysinfo");
      if (refusal) expectProblem(refusal, 400, "malformed-request");
    }
  }),
  check("http/pipelining#then-close", { effect: "hostile" }, async (api) => {
    // After `Connection: close` nothing may be processed (RFC 9112, 9.6).
    const bytes = Buffer.concat([api.rawRequest(sysinfo(api)), api.rawRequest(numbered(sysinfo(api), 1))]);
    const { replies } = await api.raw(bytes, { answers: Number.POSITIVE_INFINITY });
    const [first, ...more] = replies;
    if (!first || more.length > 0)
      fail("body", "one answer, then the end", replies.map(describe).join("; then ") || "none");
    expectSuccess(first, "sysinfo");
  }),
];

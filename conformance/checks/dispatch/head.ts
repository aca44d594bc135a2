import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { expectStatus, fail } from "../../client/expect.ts";
import { type Aspect, Expectation } from "../../client/expectation.ts";
import { type Known, queries, queryOf } from "../../client/operation.ts";
import { memberIn, type Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { answered, credentialFields, inCase, inEach, reach } from "../probe.ts";
import { PATHS } from "./sockets.ts";

/** HEAD is GET without a body (D5). */

/** Fields that differ between two responses to the same request, or belong to the connection. */
const VOLATILE = [
  "date",
  "age",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "ratelimit",
  "x-request-id",
  "server-timing",
];

type Fields = readonly (readonly [name: string, value: string])[];
type Send = (method: string) => Promise<Reply>;

function fieldsOf(reply: Reply, ignored: readonly string[]): Map<string, string> {
  const names = new Set(reply.headers.map(([name]) => name.toLowerCase()));
  return new Map([...names].flatMap((name) => (ignored.includes(name) ? [] : [[name, reply.header(name) ?? ""]])));
}

/** Whether the body contains the request method, so that its length differs: `sysinfo` (D27) and the landing page (D29). */
const namesTheMethod = ({ body, exchange: { request } }: Reply) =>
  memberIn(body, "requestMethod") !== null || /(?<!\/api)\/$/.test(request.url);

/** The difference between HEAD and GET, or null. Sends GET before and after HEAD: other clients may write meanwhile. */
async function difference(send: Send, ignored: readonly string[]): Promise<Expectation | null> {
  const before = await send("GET");
  const head = await send("HEAD");
  const after = await send("GET");
  const found = (aspect: Aspect, expected: string, actual: string) =>
    new Expectation(aspect, expected, actual, null, head.exchange);
  const ignoring = namesTheMethod(before) ? [...ignored, "content-length", "etag"] : ignored;
  if (head.status !== before.status && head.status !== after.status)
    return found("status", `the status of GET, ${before.status}`, `${head.status} to HEAD`);
  const [one, sent, other] = [before, head, after].map((reply) => fieldsOf(reply, ignoring));
  for (const name of new Set([...(one?.keys() ?? []), ...(sent?.keys() ?? [])])) {
    const [first, value, last] = [one, sent, other].map((fields) => fields?.get(name));
    if (value === first || value === last) continue;
    // For a chunked body, HEAD may have the total length (RFC 9110, 8.6).
    const inChunks = [before, after].filter((reply) => reply.header("transfer-encoding") !== undefined);
    if (name === "content-length" && inChunks.some(({ body }) => value === String(body.length))) continue;
    // A field that has another value in each response, such as a trace id; but not the length of a growing list.
    if (value !== undefined && first !== last && name !== "content-length") continue;
    return found(`header:${name}`, `${name} as to GET, ${first ?? "absent"}`, `${value ?? "none"} to HEAD`);
  }
  return null;
}

async function expectAlike(what: string, send: Send, ...more: readonly string[]): Promise<void> {
  // A list that grows between the three requests looks like a difference, but not three times in a row.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const found = await difference(send, [...VOLATILE, ...more]);
    if (!found) return;
    if (attempt === 2) await inCase(what, () => Promise.reject(found));
  }
}

/** The same request by GET and by HEAD, with the same request id. */
const both = (api: Api, call: (options: CallOptions) => Promise<Reply>, options: CallOptions): Send => {
  const headers = { "X-Request-Id": `head-${api.runId}`, ...options.headers };
  return (method) => call({ ...options, method, headers });
};

/** Valid calls of an operation. */
const right = ({ answers }: Known): readonly CallOptions[] => [
  ...[{}, { at: "%40" as const }, { headers: { "Accept-Encoding": "gzip" } }],
  ...(answers[0]?.mediaTypes ?? []).map((accept) => ({ accept })),
];

/** Calls that are rejected, each at another step. */
const wrong = ({ auth }: Known): readonly CallOptions[] => [
  ...[{ query: [["no-such-parameter", "1"] as const] }, { accept: "image/png" }],
  ...(auth
    ? [{ credentials: "none" as const }, { credentials: { key: { header: "no" }, platform: { header: "no" } } }]
    : []),
];

/** Calls that are rejected before their operation is known, and one that is rejected for its method. */
const UNKNOWN = ["", "@=no.such.operation", "@=docs.get.no-such-document", "@=sysinfo&@=sysinfo", "@=user.create"];

/** HEAD on its own connection, read to its end: a body would follow the head. */
async function expectNoBody(api: Api, target: string, headers: Fields = credentialFields(api)): Promise<void> {
  const request = api.rawRequest({ method: "HEAD", target: api.path(target), headers });
  const raw = await api.raw(request, { answers: Infinity, heads: [true] });
  answered(raw, `HEAD ${target}`);
  if (raw.leftover.length > 0 || raw.replies.length > 1)
    fail("body", "no body to HEAD", `${raw.leftover.length} bytes behind the head`);
}

export const head = [
  ...queries.map((operation) =>
    check(`dispatch/head#${operation.id}`, { alone: operation.auth }, async (api) => {
      const call = (options: CallOptions) => reach(api, operation, options);
      expectStatus(await call({ method: "HEAD" }), ...operation.answers.map(({ status }) => status));
      for (const options of right(operation)) await expectAlike(JSON.stringify(options), both(api, call, options));
      for (const options of wrong(operation)) await expectAlike(JSON.stringify(options), both(api, call, options));
    }),
  ),
  check("dispatch/head#unknown", {}, (api) =>
    inEach(UNKNOWN, (rawQuery) =>
      expectAlike(
        rawQuery,
        both(api, (options) => api.call("", options), { rawQuery }),
        "content-length",
      ),
    ),
  ),
  check("dispatch/head#next-page", { last: true }, (api) =>
    expectAlike(
      "limit=1",
      both(api, (options) => api.call("user.list", options), { input: { limit: 1 } }),
    ),
  ),
  check("dispatch/head#conditional", {}, async (api) => {
    const call = (options: CallOptions) => api.call("docs.get.README", options);
    const etag = (await call({})).header("etag") ?? '"none"';
    await inEach([etag, '"another"', "*"], (tag) =>
      expectAlike("conditional", both(api, call, { headers: { "If-None-Match": tag } })),
    );
  }),
  check("dispatch/head#paths", {}, (api) =>
    inEach(
      [...PATHS, "/no-such-path", "/api", `/api?@=user.list&limit=1&X-PLATFORM=${api.platform}`],
      async (target) => {
        for (const accept of ["*/*", "application/json"]) {
          const headers = Object.entries({ "X-Request-Id": `head-${api.runId}`, Accept: accept });
          const send = (method: string) => api.request({ method, target, headers });
          await expectAlike(accept, send);
        }
      },
    ),
  ),
  check("dispatch/head#no-body", {}, async (api) => {
    const calls = queries.map((operation) => `/api/?${queryOf(operation, api.required(operation.id))}`);
    await inEach([...calls, "/api/", "/", "/openapi.json", "/no-such-path"], (target) => expectNoBody(api, target));
    await inEach(
      UNKNOWN.map((query) => `/api/?${query}`),
      (target) => expectNoBody(api, target),
    );
    await inEach(calls, (target) => expectNoBody(api, target, []));
  }),
];

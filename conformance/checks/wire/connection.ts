import { gunzipSync } from "node:zlib";
import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import { queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { answered, ending } from "../probe.ts";
import { refusedPost, requestOf, SYSINFO } from "./support.ts";

const ALL = Number.POSITIVE_INFINITY;

/** One answer, whole, with nothing behind it, and the end of the connection. */
async function expectWhole(api: Api, request: RawRequest, what: string): Promise<Reply> {
  const raw = await api.raw(api.rawRequest(request), { answers: ALL, heads: [request.method === "HEAD"] });
  const reply = answered(raw, what);
  if (raw.replies.length > 1 || raw.leftover.length > 0)
    fail("connection", `as many bytes as announced to ${what}`, ending(raw));
  if (!raw.closed) fail("connection", `the end of the connection after ${what}`, ending(raw));
  expectOneLength(reply);
  return reply;
}

function expectOneLength(reply: Reply): void {
  const lengths = reply.headerValues("content-length");
  const coding = reply.header("transfer-encoding");
  if (lengths.length > 1) fail("header:content-length", "one Content-Length", lengths.join(", "));
  if (coding !== undefined && lengths.length > 0)
    fail("header:content-length", "Content-Length or Transfer-Encoding", "both");
  const [length] = lengths;
  if (length !== undefined && !/^\d+$/.test(length))
    fail("header:content-length", "a Content-Length in digits", length);
  if (reply.status === 204 && (length ?? "0") !== "0") fail("status", "204 without Content-Length", length ?? "");
}

/** One of each kind of answer that has its own way of being written. */
const WRITTEN: Readonly<Record<string, (api: Api) => RawRequest>> = {
  landing: (api) => ({ target: api.path("/") }),
  "landing-head": (api) => ({ method: "HEAD", target: api.path("/") }),
  contract: (api) => ({ target: api.path("/openapi.json") }),
  yaml: (api) => ({ target: api.path("/openapi.yaml") }),
  robots: (api) => ({ target: api.path("/robots.txt") }),
  redirect: (api) => ({ target: api.path("/api?@=sysinfo") }),
  "redirect-head": (api) => ({ method: "HEAD", target: api.path("/api?@=sysinfo") }),
  options: (api) => ({ method: "OPTIONS", target: api.path("/api/") }),
  "unknown-operation": (api) => ({ target: api.path("/api/?@=no.such.operation") }),
  "unknown-path": (api) => ({ target: api.path("/no-such-path") }),
  "unknown-path-head": (api) => ({ method: "HEAD", target: api.path("/no-such-path") }),
  "invalid-input": (api) => refusedPost(api),
  "missing-credentials": (api) => requestOf(api, "user.list", { credentials: "none" }),
  "wrong-method": (api) => ({ method: "DELETE", target: api.path(SYSINFO) }),
};

/** The same of refusals before the application. */
const REFUSED: typeof WRITTEN = {
  expectation: (api) => ({ target: api.path(SYSINFO), headers: [["Expect", "a-miracle"]] }),
  "unknown-method": (api) => ({ method: "FOO", target: api.path(SYSINFO) }),
  "missing-host": (api) => ({ target: api.path(SYSINFO), host: null }),
  "large-headers": (api) => ({ target: api.path(SYSINFO), headers: [["X-Padding", "x".repeat(20_000)]] }),
  "large-body": (api) => ({ ...refusedPost(api), body: " ".repeat(66_000) }),
  "long-url": (api) => ({ target: api.path("/api/?@=").padEnd(9000, "x") }),
};

const lengths: readonly Check[] = [
  ...queries.flatMap(({ id }) =>
    ["GET", "HEAD"].map((method) =>
      check(`http/content-length#${id}-${method.toLowerCase()}`, {}, async (api) => {
        const request = requestOf(api, id, { method });
        const reply = await expectWhole(api, request, `${method} ${id}`);
        if (reply.status !== 200) fail("status", "200", describe(reply));
        if (method === "GET") expectSuccess(reply, id);
      }),
    ),
  ),
  ...queries.map(({ id }) =>
    check(`http/content-length#${id}-gzip`, {}, async (api) => {
      const request = requestOf(api, id, { headers: { "Accept-Encoding": "gzip" } });
      const reply = await expectWhole(api, request, `${id} with Accept-Encoding: gzip`);
      if (reply.status !== 200) fail("status", "200", describe(reply));
      expectDecodable(reply);
    }),
  ),
  ...Object.entries({ ...WRITTEN, ...REFUSED }).map(([name, make]) =>
    check(`http/content-length#${name}`, { effect: name in REFUSED ? "hostile" : "read" }, async (api) => {
      const request = make(api);
      await expectWhole(api, request, name);
      const coded = [...(request.headers ?? []), ["Accept-Encoding", "gzip, br"] as const];
      await expectWhole(api, { ...request, headers: coded }, name);
    }),
  ),
  check("http/content-length#not-modified", {}, async (api) => {
    const etag = (await api.request({ method: "GET", target: "/openapi.json" })).header("etag") ?? '"none"';
    const request = { target: api.path("/openapi.json"), headers: [["If-None-Match", etag]] as const };
    const reply = await expectWhole(api, request, "an unchanged contract");
    if (reply.status !== 304) fail("status", "304", describe(reply));
  }),
];

function expectDecodable(reply: Reply): void {
  const coding = (reply.header("content-encoding") ?? "identity").toLowerCase();
  if (coding !== "gzip" && coding !== "identity")
    fail("header:content-encoding", "gzip or nothing as Content-Encoding", coding);
  let text = reply.text;
  try {
    if (coding === "gzip") text = gunzipSync(reply.body).toString();
    JSON.parse(text);
  } catch {
    fail("body", `JSON in ${coding}`, describe(reply));
  }
}

/** What every deployment serves beside the operations by GET. */
const WAYS = [
  ["HEAD", SYSINFO, 200],
  ["OPTIONS", "/api/", 204],
  ["GET", "/api?@=sysinfo", 308],
  ["GET", "/", 200],
  ["GET", "/openapi.json", 200],
  ["GET", "/robots.txt", 200],
] as const;

/** Other spellings of a request that HTTP has (D13). */
const versions: readonly Check[] = [
  check("http/versions#1.0", {}, async (api) => {
    for (const host of [api.host, null]) {
      const request = { target: api.path(SYSINFO), version: "1.0", host, connection: null };
      const what = `HTTP/1.0 ${host === null ? "without" : "with"} Host`;
      const reply = await expectWhole(api, request, what);
      expectSuccess(reply, "sysinfo");
      // HTTP/1.0 has no transfer codings (RFC 9112, 6.1).
      if (reply.header("transfer-encoding") !== undefined)
        fail("body", `${what} answered without chunks`, describe(reply));
    }
  }),
  check("http/versions#1.0-every-operation", {}, async (api) => {
    for (const { id } of queries) {
      const request = { ...requestOf(api, id), version: "1.0", connection: null };
      expectSuccess(await expectWhole(api, request, `${id} by HTTP/1.0`), id);
    }
  }),
  check("http/versions#1.0-refusals", {}, async (api) => {
    const old = { version: "1.0", connection: null };
    expectProblem(await expectWhole(api, { ...refusedPost(api), ...old }, "POST by HTTP/1.0"), 422, "invalid-input");
    const lost = await expectWhole(api, { target: api.path("/no-such-path"), ...old }, "an unknown path by HTTP/1.0");
    expectProblem(lost, 404, "path-not-found");
  }),
  check("http/versions#absolute-form", {}, async (api) => {
    const absolute = (target: string): string => `${api.url}${target.slice(api.path("").length)}`;
    for (const { id } of queries) {
      const request = requestOf(api, id);
      expectSuccess(
        await expectWhole(api, { ...request, target: absolute(request.target) }, `${id} in absolute form`),
        id,
      );
    }
    const post = refusedPost(api);
    const refused = await expectWhole(api, { ...post, target: absolute(post.target) }, "POST in absolute form");
    expectProblem(refused, 422, "invalid-input");
    const lost = await expectWhole(api, { target: `${api.url}/no-such-path` }, "an unknown path in absolute form");
    expectProblem(lost, 404, "path-not-found");
  }),
  check("http/versions#1.0-every-path", {}, async (api) => {
    const old = { version: "1.0", connection: null, host: null };
    for (const [method, target, status] of WAYS) {
      const request = { ...old, method, target: api.path(target) };
      const reply = await expectWhole(api, request, `${method} ${target} by HTTP/1.0 without Host`);
      if (reply.status !== status) fail("status", `${status} to ${method} ${target} by HTTP/1.0`, describe(reply));
    }
  }),
  check("http/versions#absolute-form-every-path", {}, async (api) => {
    for (const [method, target, status] of WAYS) {
      const reply = await expectWhole(
        api,
        { method, target: api.url + target },
        `${method} ${target} in absolute form`,
      );
      if (reply.status !== status) fail("status", `${status} to ${method} ${target} in absolute form`, describe(reply));
      const [, query = ""] = target.split("?");
      if (status === 308 && !reply.header("location")?.endsWith(`?${query}`))
        fail("body", `a redirect with ?${query}`, reply.header("location") ?? "none");
    }
  }),
  check("http/versions#absolute-form-landing", {}, async (api) => {
    // An address without a path is that of its root (RFC 9110, 4.2.3).
    const addresses = api.path("") === "" ? [`${api.url}/`, api.url] : [`${api.url}/`];
    for (const target of addresses) {
      const reply = await expectWhole(api, { target }, "the landing page in absolute form");
      if (reply.status !== 200) fail("status", "200", describe(reply));
    }
  }),
];

/** How answers are written and requests are spelled (D13). */
export const connections: readonly Check[] = [...lengths, ...versions];

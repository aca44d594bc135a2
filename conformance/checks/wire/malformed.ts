import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { answered, ending } from "../probe.ts";
import { chunked, emptyCreate, refusedPost, SYSINFO } from "./support.ts";

const ALL = Number.POSITIVE_INFINITY;

/** Long enough for a loaded machine, short enough for a run: a server that only goes silent is noticed by it. */
const SILENCE_MS = 5000;

const good = (api: Api, more: Partial<RawRequest> = {}): RawRequest => ({ target: api.path(SYSINFO), ...more });

async function expectServed(api: Api): Promise<void> {
  expectSuccess(answered(await api.raw(api.rawRequest(good(api))), "the same request, well-formed"), "sysinfo");
}

/** 400 `malformed-request`, whole, and nothing after it. */
async function expectMalformed(api: Api, bytes: string | Buffer, what: string, closes = false): Promise<void> {
  const raw = await api.raw(bytes, { answers: closes ? ALL : 1, timeoutMs: SILENCE_MS });
  expectProblem(answered(raw, what), 400, "malformed-request");
  if (!closes) return;
  if (raw.replies.length > 1 || raw.leftover.length > 0) fail("connection", `one answer to ${what}`, ending(raw));
  if (!raw.closed) fail("connection", `the end of the connection after ${what}`, ending(raw));
}

/** Refused with some 4xx (or 5xx for what is not implemented), or the connection ends. */
async function expectRefusedOrClosed(api: Api, bytes: string | Buffer, what: string): Promise<void> {
  const raw = await api.raw(bytes, { answers: ALL, timeoutMs: SILENCE_MS });
  const served = raw.replies.find(({ status }) => status < 400);
  if (served) fail("connection", `a refusal of ${what}`, describe(served));
  if (raw.replies.length === 0 && !raw.closed) fail("body", `a refusal of ${what}`, ending(raw));
}

const malformed: readonly Check[] = [
  check("http/malformed-request#not-http", { effect: "hostile" }, async (api) => {
    await expectServed(api);
    for (const bytes of [
      "this is not HTTP\r\n\r\n",
      "\x00\x01\x02\x03\xff\xfe\r\n\r\n",
      '{"@":"sysinfo"}\r\n\r\n',
      // A TLS handshake, and the preface of HTTP/2 (RFC 9113, 3.4).
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "PRI /x\r\n\r\n",
    ])
      await expectMalformed(api, bytes, JSON.stringify(bytes), true);
  }),
  check("http/malformed-request#unknown-method", { effect: "hostile" }, async (api) => {
    await expectServed(api);
    for (const method of ["FOO", "GETT", "GE", "SYSINFO", "X-GET"])
      await expectMalformed(api, api.rawRequest(good(api, { method })), `the method ${method}`, true);
  }),
  check("http/malformed-request#method-in-lower-case", { effect: "hostile" }, async (api) => {
    await expectServed(api);
    for (const method of ["get", "Get", "head", "options"])
      await expectMalformed(api, api.rawRequest(good(api, { method })), `the method ${method}`);
    const post = api.rawRequest({ ...refusedPost(api), method: "post" });
    await expectMalformed(api, post, "the method post");
  }),
  check("http/malformed-request#missing-host", { effect: "hostile" }, async (api) => {
    await expectServed(api);
    await expectMalformed(api, api.rawRequest(good(api, { host: null })), "GET without Host");
    await expectMalformed(api, api.rawRequest(good(api, { host: null, method: "DELETE" })), "DELETE without Host");
    await expectMalformed(api, api.rawRequest({ ...refusedPost(api), host: null }), "POST without Host");
    const elsewhere = good(api, { host: null, target: api.path("/no-such-path") });
    await expectMalformed(api, api.rawRequest(elsewhere), "an unknown path without Host");
    for (const path of ["/", "/api?@=sysinfo", "/openapi.json"]) {
      const request = good(api, { host: null, target: api.path(path) });
      await expectMalformed(api, api.rawRequest(request), `GET ${path} without Host`);
    }
    await expectMalformed(api, api.rawRequest(good(api, { host: null, method: "OPTIONS" })), "OPTIONS without Host");
    // The address in the request line does not stand for it (RFC 9112, 3.2).
    const absolute = good(api, { host: null, target: api.url + SYSINFO });
    await expectMalformed(api, api.rawRequest(absolute), "the absolute form without Host");
    const head = api.rawRequest(good(api, { host: null, method: "HEAD" }));
    const { status } = answered(await api.raw(head, { heads: [true] }), "HEAD without Host");
    if (status !== 400) fail("status", "400 to HEAD without Host", String(status));
  }),
  check("http/malformed-request#two-hosts", { effect: "hostile" }, async (api) => {
    await expectServed(api);
    const twice = [
      ["Host", api.host],
      ["Host", "other.example"],
    ] as const;
    await expectRefusedOrClosed(api, api.rawRequest(good(api, { headers: twice })), "two Hosts");
  }),
  check("http/malformed-request#bad-lines", { effect: "hostile" }, async (api) => {
    await expectServed(api);
    const lines = (first: string, ...more: string[]) =>
      `${[first, `Host: ${api.host}`, ...more, "Connection: close"].join("\r\n")}\r\n\r\n`;
    const target = api.path(SYSINFO);
    const cases = {
      "a header line without a colon": lines(`GET ${target} HTTP/1.1`, "this is no field"),
      "a field without a name": lines(`GET ${target} HTTP/1.1`, ": value"),
      "a blank before the colon": lines(`GET ${target} HTTP/1.1`, "X-Field : value"),
      "an unknown version": lines(`GET ${target} HTTP/9.9`),
      "no such protocol": lines(`GET ${target} http/1.1`),
      "a blank in the target": lines(`GET ${api.path("/api/ ?@=sysinfo")} HTTP/1.1`),
    };
    for (const [what, bytes] of Object.entries(cases)) await expectRefusedOrClosed(api, bytes, what);
  }),
  check("http/malformed-request#targets", { effect: "hostile" }, async (api) => {
    await expectServed(api);
    const target = api.path(SYSINFO);
    // Some of these are no URL to most parsers, which throw.
    const served = [`ftp://${api.host}`, `a://${api.host}`, "file://", "a://[", "ftp://[::1", "ftp://xn--"];
    for (const start of [...served, "http://", "http://[::1", "https://a:b"])
      await expectMalformed(api, api.rawRequest({ target: start + target }), `the target ${start}…`);
    await expectMalformed(api, api.rawRequest({ target: "*" }), "the target * of GET");
  }),
  check("http/malformed-request#versions", { effect: "hostile" }, async (api) => {
    await expectServed(api);
    for (const version of ["0.9", "2.0", "3.0"])
      await expectMalformed(api, api.rawRequest(good(api, { version })), `HTTP/${version}`);
  }),
  check("http/malformed-request#transfer-codings", { effect: "hostile" }, async (api) => {
    const request = chunked(refusedPost(api), emptyCreate, emptyCreate.length);
    const coded = (...codings: string[]) =>
      api.rawRequest({
        ...request,
        headers: [
          ...(refusedPost(api).headers ?? []),
          ...codings.map((coding) => ["Transfer-Encoding", coding] as const),
        ],
      });
    expectProblem(answered(await api.raw(coded("Chunked")), "a chunked body"), 422, "invalid-input");
    for (const codings of [["gzip, chunked"], ["identity, chunked"], ["gzip", "chunked"], ["gzip"]])
      await expectMalformed(api, coded(...codings), `Transfer-Encoding: ${codings.join(", ")}`);
  }),
  check("http/malformed-request#broken-chunks", { effect: "hostile" }, async (api) => {
    const request = refusedPost(api);
    const headers = [...(request.headers ?? []), ["Transfer-Encoding", "chunked"] as const];
    const size = emptyCreate.length.toString(16);
    const whole = answered(
      await api.raw(api.rawRequest({ ...request, headers, body: `${size}\r\n${emptyCreate}\r\n0\r\n\r\n` })),
      "a body in one chunk",
    );
    expectProblem(whole, 422, "invalid-input");
    for (const chunk of ["zz", "-1", `0x${size}`, `${size} ${size}`, "fffffffffffffffff", ""]) {
      const body = `${chunk}\r\n${emptyCreate}\r\n0\r\n\r\n`;
      const bytes = api.rawRequest({ ...request, headers, body });
      await expectMalformed(api, bytes, `the chunk size ${chunk || "nothing"}`);
    }
  }),
];

/** The one expectation that HTTP knows is met; every other is refused (RFC 9110, 10.1.1). */
const expectation: readonly Check[] = [
  check("http/expectation#unknown", { effect: "hostile" }, async (api) => {
    for (const value of ["a-miracle", "200-ok", "100", "continue", "not-100-continue", "100-continue, 100-continue"]) {
      const get = good(api, { headers: [["Expect", value]] });
      expectProblem(answered(await api.raw(api.rawRequest(get)), `Expect: ${value}`), 417, "expectation-failed");
    }
    const once = ["Expect", "100-continue"] as const;
    const twice = api.rawRequest(good(api, { headers: [once, once] }));
    expectProblem(answered(await api.raw(twice), "Expect: 100-continue in two fields"), 417, "expectation-failed");
    const headers = [["Expect", "a-miracle"]] as const;
    for (const [method, target] of [
      ["OPTIONS", "/api/"],
      ["GET", "/"],
      ["GET", "/api?@=sysinfo"],
      ["GET", "/openapi.json"],
      ["GET", "/no-such-path"],
    ] as const) {
      const bytes = api.rawRequest({ method, target: api.path(target), headers });
      expectProblem(answered(await api.raw(bytes), `${method} ${target} with Expect`), 417, "expectation-failed");
    }
    const head = api.rawRequest(good(api, { method: "HEAD", headers }));
    const { status } = answered(await api.raw(head, { heads: [true] }), "HEAD with Expect");
    if (status !== 417) fail("status", "417 to HEAD with Expect: a-miracle", String(status));
    const request = refusedPost(api);
    const post = { ...request, headers: [...(request.headers ?? []), ["Expect", "a-miracle"] as const] };
    const reply = answered(await api.raw(api.rawRequest(post)), "a POST with Expect: a-miracle");
    expectProblem(reply, 417, "expectation-failed");
  }),
  check("http/expectation#continue", { effect: "hostile" }, async (api) => {
    for (const value of ["100-continue", "100-Continue"]) {
      const request = refusedPost(api);
      const post = { ...request, headers: [...(request.headers ?? []), ["Expect", value] as const] };
      expectProblem(answered(await api.raw(api.rawRequest(post)), `Expect: ${value}`), 422, "invalid-input");
    }
    const get = good(api, { headers: [["Expect", "100-continue"]] });
    expectSuccess(answered(await api.raw(api.rawRequest(get)), "GET with Expect: 100-continue"), "sysinfo");
  }),
  check("http/body-limit#expected", { effect: "hostile" }, async (api) => {
    const request = refusedPost(api);
    const post = { ...request, headers: [...(request.headers ?? []), ["Expect", "100-continue"] as const] };
    const within = answered(
      await api.raw(api.rawRequest({ ...post, body: emptyCreate.padEnd(65_536) })),
      "65,536 bytes",
    );
    expectProblem(within, 422, "invalid-input");
    const over = answered(await api.raw(api.rawRequest({ ...post, body: emptyCreate.padEnd(65_537) })), "65,537 bytes");
    expectProblem(over, 413, "content-too-large");
  }),
];

const connect: readonly Check[] = [
  check("http/connect#closed", { effect: "hostile" }, async (api) => {
    // What follows would be served if a tunnel, or the next request, began there.
    const next = api.rawRequest(good(api));
    for (const target of [api.host, "other.example:443", api.path(SYSINFO)]) {
      const opening = api.rawRequest({
        method: "CONNECT",
        target,
        host: target.startsWith("/") ? api.host : target,
        connection: null,
      });
      const raw = await api.raw(Buffer.concat([opening, next]), { answers: ALL, timeoutMs: SILENCE_MS });
      const served = raw.replies.find(({ status }) => status < 400);
      if (served) fail("connection", `CONNECT ${target} closed`, describe(served));
      if (!raw.closed) fail("connection", `CONNECT ${target} closed`, ending(raw));
    }
  }),
  check("http/connect#after-requests", { effect: "hostile" }, async (api) => {
    await expectServed(api);
    const before = api.rawRequest(good(api, { connection: null }));
    const opening = api.rawRequest({ method: "CONNECT", target: api.host, connection: null });
    const raw = await api.raw(Buffer.concat([before, before, opening]), { answers: ALL, timeoutMs: SILENCE_MS });
    if (raw.replies.length !== 2 || !raw.closed) fail("connection", "two answers, then CONNECT closed", ending(raw));
    for (const reply of raw.replies) expectSuccess(reply, "sysinfo");
  }),
];

/** What is refused by different layers. */
const REFUSED_HEADS: readonly (readonly [status: number, what: string, more: Partial<RawRequest>])[] = [
  [400, "a field without a name", { headers: [["", "value"]] }],
  [400, "no Host", { host: null }],
  [404, "an unknown operation", { target: "/api/?@=no.such.operation" }],
  [404, "an unknown path", { target: "/no-such-path" }],
  [417, "an expectation", { headers: [["Expect", "a-miracle"]] }],
  [431, "many fields", { headers: Array.from({ length: 110 }, () => ["X-Field", "1"] as const) }],
  [431, "a long field", { headers: [["X-Field", "1".repeat(40_000)]] }],
];

const heads: readonly Check[] = [
  check("http/head-refused", { effect: "hostile" }, async (api) => {
    for (const [status, what, { target = SYSINFO, ...more }] of REFUSED_HEADS) {
      const request = { ...more, target: api.path(target) };
      const whole = answered(await api.raw(api.rawRequest(request)), `GET with ${what}`);
      if (whole.status !== status || whole.body.length === 0)
        fail("status", `${status} with a body to GET`, describe(whole));
      const bytes = api.rawRequest({ ...request, method: "HEAD" });
      const raw = await api.raw(bytes, { answers: ALL, heads: [true], timeoutMs: SILENCE_MS });
      const reply = answered(raw, `HEAD with ${what}`);
      if (reply.status !== status) fail("status", `${status} to HEAD with ${what}`, describe(reply));
      if (raw.leftover.length > 0 || !raw.closed)
        fail("body", `no body, then the end, to HEAD with ${what}`, ending(raw));
    }
  }),
];

/** What is no request, or none that is served (D13). */
export const malformedRequests: readonly Check[] = [...malformed, ...expectation, ...connect, ...heads];

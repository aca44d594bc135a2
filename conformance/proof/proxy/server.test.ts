import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen, serve } from "../kits/server.test-kit.ts";
import { pathOf } from "./look.ts";
import type { Hooks } from "./message.ts";
import { startProxy } from "./server.ts";
import { respond, withHeader, withJson, withQuery, withStatus } from "./shape.ts";

/** A server with odd behaviour, by the requested path. */
const startTarget = () =>
  serve(({ url, body }, response): unknown => {
    const { socket } = response;
    response.sendDate = false;
    if (url.includes("empty")) return response.writeHead(204).end();
    if (url.includes("reset")) return socket?.resetAndDestroy();
    if (url.includes("garbage")) return socket?.end("SMTP ready\r\n");
    if (url.includes("cut"))
      return socket?.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
    if (url.includes("closing")) response.setHeader("Connection", "close");
    if (url.includes("early")) response.writeEarlyHints({ link: "</a>; rel=preload" });
    if (url.includes("unframed")) response.useChunkedEncodingByDefault = false;
    if (!url.includes("chunked")) response.setHeader("content-length", body.length + 2);
    response.writeHead(200, { "X-Odd-CASE": "Kept", "content-type": "application/json" });
    response.write("{");
    response.write(body);
    return response.end("}");
  });

/** Writes the bytes, and collects what comes until the other side ends, or until `until` appears in it. */
function talk(
  url: string,
  bytes: string | Buffer,
  { half = false, until }: { half?: boolean; until?: string } = {},
) {
  return new Promise<string>((resolve) => {
    let received = "";
    const socket = connect({
      port: Number(new URL(url).port),
      host: "127.0.0.1",
      allowHalfOpen: true,
    });
    const done = (end: string) => {
      socket.destroy();
      resolve(received + end);
    };
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (until !== undefined && received.includes(until)) done("");
    });
    socket.on("error", (error: NodeJS.ErrnoException) => done(`<${error.code}>`));
    socket.on("end", () => done("<end>"));
    socket.write(Buffer.from(bytes));
    if (half) socket.end();
  });
}

/** Node's parser sends it, with some of its rejections: another second may have begun. */
const DATE = /^Date: .*\r\n/gm;

/**
 * Ignores how the connection ended if there was a response: a server that closes before reading everything ends or resets the
 * connection, depending on a race.
 */
const answered = (talked: string) =>
  talked.startsWith("HTTP/")
    ? talked.replace(/<(end|ECONNRESET)>$/, "").replaceAll(DATE, "")
    : talked;

/** Talks to a server, or to another target, through a proxy with these hooks, and to that server directly. */
async function through(hooks: Hooks, target?: string, faults = 0) {
  const direct = target ?? (await startTarget());
  const proxy = await startProxy(hooks, { url: `${direct}/prefix` });
  onTestFinished(async () => {
    await proxy.close();
    expect(proxy.faults).toHaveLength(faults);
  });
  return {
    url: proxy.url,
    say: (bytes: string, how?: Parameters<typeof talk>[2]) => talk(proxy.url, bytes, how),
    sayDirectly: (bytes: string, how?: Parameters<typeof talk>[2]) => talk(direct, bytes, how),
  };
}

const close = "Host: t\r\nConnection: close\r\n\r\n";
const chunks = "5\r\n12345\r\n3;x=y\r\n678\r\n0\r\nTrailer: t\r\n\r\n";
const get = `GET /chunked HTTP/1.1\r\n${close}`;
const head = `HEAD / HTTP/1.1\r\n${close}`;
const NONSENSE = "nonsense\r\n\r\n";
const big = "x".repeat(1024 * 1024 + 1);

const requests: readonly [title: string, bytes: string, half?: boolean][] = [
  ["a GET", `GET /api/?@=sysinfo HTTP/1.1\r\n${close}`],
  [
    "repeated and oddly written fields",
    `GET / HTTP/1.1\r\nX-a:1\r\nx-A:   2  \r\nEmpty:\r\n${close}`,
  ],
  ["a body", `POST / HTTP/1.1\r\nContent-Length: 5\r\n${close}hello`],
  [
    "a chunked body with trailers",
    `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${close}${chunks}`,
  ],
  ["a chunked answer", get],
  ["chunks both ways", `POST /chunked HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${close}${chunks}`],
  ["HEAD", head],
  ["204", `GET /empty HTTP/1.1\r\n${close}`],
  ["HTTP/1.0", "GET / HTTP/1.0\r\n\r\n"],
  [
    "HTTP/1.0 kept alive, then closed",
    "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.0\r\n\r\n",
  ],
  ["an answer without length", `GET /unframed HTTP/1.0\r\n\r\n`],
  ["the absolute form", `GET http://t/api/ HTTP/1.1\r\n${close}`],
  ["a missing Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["early hints", `GET /early HTTP/1.1\r\n${close}`],
  [
    "Expect with its body",
    `POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n${close}hi`,
  ],
  [
    "pipelined requests",
    `GET /1 HTTP/1.1\r\nHost: t\r\n\r\nPOST /chunked HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabcGET /3 HTTP/1.1\r\n${close}`,
  ],
  [
    "a request after one that the server closed on",
    `GET /closing HTTP/1.1\r\nHost: t\r\n\r\nGET /2 HTTP/1.1\r\n${close}`,
  ],
  ["garbage after a request", "GET / HTTP/1.1\r\nHost: t\r\n\r\nnot a request\r\n\r\n"],
  ["an unknown method", `BREW / HTTP/1.1\r\n${close}`],
  ["CONNECT", `CONNECT t:80 HTTP/1.1\r\n${close}`],
  ["a bad request line", "GET  / HTTP/1.1\r\n\r\n"],
  ["a wrong version", `GET / HTTP/3.0\r\n${close}`],
  ["bare line feeds", "GET / HTTP/1.1\nHost: t\n\n"],
  ["a blank before the colon", `GET / HTTP/1.1\r\nX : 1\r\n${close}`],
  ["a folded field", `GET / HTTP/1.1\r\nX: 1\r\n 2\r\n${close}`],
  ["NUL in a field", `GET / HTTP/1.1\r\nX: \u0000\r\n${close}`],
  ["two lengths", `POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 4\r\n${close}hello`],
  ["a negative length", `POST / HTTP/1.1\r\nContent-Length: -5\r\n${close}hello`],
  [
    "length and chunks together",
    `POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n${close}0\r\n\r\n`,
  ],
  ["a bad chunk size", `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${close}zz\r\nhello\r\n`],
  [
    "a chunk that is too long",
    `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${close}2\r\nhello\r\n0\r\n\r\n`,
  ],
  ["more than 1 MiB", `POST / HTTP/1.1\r\nContent-Length: ${big.length}\r\n${close}${big}`],
  [
    "more than 1 MiB in one chunk",
    `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${close}100001\r\n${big}\r\n0\r\n\r\n`,
  ],
  ["a field of 20 KiB", `GET / HTTP/1.1\r\nX: ${"y".repeat(20_000)}\r\n${close}`],
  ["a head of 80 KiB", `GET / HTTP/1.1\r\nX: ${"y".repeat(80_000)}\r\n${close}`],
  ["half a head, then the end", "GET / HTTP/1.1\r\nHost: t\r\n", true],
  [
    "half a body, then the end",
    "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 9\r\n\r\nhalf",
    true,
  ],
  ["nothing, then the end", "", true],
  ["a request that the server resets", `GET /reset HTTP/1.1\r\n${close}`],
  ["an answer that is no HTTP", `GET /garbage HTTP/1.1\r\n${close}`],
  ["an answer that is cut off", `GET /cut HTTP/1.1\r\n${close}`],
];

describe("the transparent proxy", () => {
  it.each(requests)("passes on %s byte for byte", async (_title, bytes, half = false) => {
    const { say, sayDirectly } = await through({});
    expect(answered(await say(bytes, { half }))).toBe(answered(await sayDirectly(bytes, { half })));
  });

  it("keeps the connection open as the server does", async () => {
    const { say, sayDirectly } = await through({});
    const bytes = "GET / HTTP/1.1\r\nHost: t\r\n\r\n";
    expect(await say(bytes, { until: "{}" })).toBe(await sayDirectly(bytes, { until: "{}" }));
  });

  it("lets the server ask for a body that waits for it", async () => {
    const bytes = "POST / HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n";
    const { say } = await through({});
    expect(await say(bytes, { until: "\r\n\r\n" })).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  });

  it("keeps the target's path prefix in its address", async () => {
    expect(new URL((await through({})).url).pathname).toBe("/prefix");
  });

  it("closes the client's connection when the target is not there", async () => {
    const { say } = await through({}, "http://127.0.0.1:1");
    for (const bytes of [get, NONSENSE]) expect(await say(bytes)).toMatch(/ECONNRESET/);
  });

  it.each(["localhost", "127.0.0.1"])(
    "closes it when the certificate of %s does not hold",
    async (host) => {
      const secure = createSecureServer((_request, response) => response.end("never"));
      secure.on("tlsClientError", () => {});
      const { port } = new URL(await listen(secure));
      const { say } = await through({}, `https://${host}:${port}`);
      expect(await say(get)).toMatch(/ECONNRESET/);
    },
  );
});

/** Every mutant of the matrix shows the effects of hooks. */
describe("a hook", () => {
  it("keeps the length that HEAD was told", async () => {
    const { say } = await through({ answer: (answer) => withHeader(answer, "X-New", "1") });
    expect(await say(head)).toMatch(/content-length: 2\r\n[\s\S]*X-New: 1\r\n/i);
  });

  it("answers HEAD from a GET of its own", async () => {
    const { say } = await through({
      request: (request, { forward }) => forward({ ...request, method: "GET" }),
    });
    expect(await say(head)).toMatch(/content-length: 2\r\n[\s\S]*\r\n\r\n<end>$/i);
  });

  it("answers without asking the target, with the length of nothing", async () => {
    const empty = { ...respond(200, {}), body: Buffer.alloc(0) };
    const { say } = await through({
      request: () => empty,
      answer: (answer) => withStatus(answer, 500),
    });
    expect(await say(get)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Content-Length: 0\r\n\r\n<end>$/);
  });

  it("keeps an HTTP/1.0 client's connection only when both ask for it", async () => {
    const { say } = await through({ request: () => respond(200, {}) });
    expect(await say("GET / HTTP/1.0\r\n\r\n")).toMatch(/<end>$/);
  });

  it.each([
    ["what is no request", NONSENSE, false],
    [
      "half a request, when none comes",
      "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 9\r\n\r\nhalf",
      true,
    ],
  ])("reads other bytes instead, and passes on its own: %s", async (_, bytes, half) => {
    const { say, sayDirectly } = await through({ unreadable: () => Buffer.from(head) });
    expect(await say(bytes, { half })).toBe(await sayDirectly(head));
    const same = await through({ unreadable: (bytes) => bytes });
    expect(await same.say(bytes, { half })).toBe(await same.sayDirectly(bytes, { half }));
  });

  it.each([
    ["/api/x/../?@=sysinfo", "/api/"],
    ["/./openapi.json", "/openapi.json"],
    ["http://t", "/"],
    ["http://t/api/..?/x/", "/"],
    ["*", "*"],
  ])("reads the path of a target as a server does: %s", async (target, path) => {
    const { say } = await through({ request: (request) => respond(200, pathOf(request)) });
    expect(await say(`GET ${target} HTTP/1.1\r\n${close}`)).toContain(`\r\n\r\n"${path}"`);
  });

  it.each([
    ["/?a=1&b=2", "/?a=3&b=2"],
    ["/?a=1&%zz", "/?a=1&%zz"],
    ["/?a=1&b=%ff", "/?a=1&b=%ff"],
  ])("changes a query, unless it cannot be decoded: %s", async (target, changed) => {
    const { say } = await through({
      request: (request) => respond(200, withQuery(request, (query) => query.set("a", "3")).target),
    });
    expect(await say(`GET ${target} HTTP/1.1\r\n${close}`)).toContain(`\r\n\r\n"${changed}"`);
  });

  it("that throws is reported as a fault", async () => {
    const fail = () => {
      throw new Error("bug");
    };
    const hooks: Hooks = { answer: (answer) => withJson(answer, fail), unreadable: fail };
    const { say } = await through(hooks, undefined, 2);
    for (const bytes of [get, NONSENSE]) expect(await say(bytes)).toMatch(/<end>|ECONNRESET/);
  });
});

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Hooks } from "./message.ts";
import { type ProxyServer, startProxy } from "./server.ts";
import { respond, withHeader, withJson, withStatus } from "./shape.ts";

let server: Server;
let target: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", (): unknown => {
      const body = Buffer.concat(chunks);
      const length = request.url?.includes("chunked") ? {} : { "content-length": String(body.length + 2) };
      if (request.url?.includes("empty")) return response.writeHead(204).end();
      if (request.url?.includes("closing")) response.setHeader("Connection", "close");
      if (request.url?.includes("early")) response.writeEarlyHints({ link: "</a>; rel=preload" });
      if (request.url?.includes("unframed")) response.useChunkedEncodingByDefault = false;
      if (request.url?.includes("reset")) return request.socket.resetAndDestroy();
      if (request.url?.includes("garbage")) return request.socket.end("SMTP ready\r\n");
      if (request.url?.includes("cut"))
        return request.socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
      response.writeHead(200, { "X-Odd-CASE": "Kept", "content-type": "application/json", ...length });
      response.write("{");
      response.write(body);
      return response.end("}");
    });
  });
  server.on("request", (_request, response) => {
    response.sendDate = false;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Writes the bytes, and collects what comes until the other side ends, or until `until` appears in it. */
function talk(url: string, bytes: string | Buffer, { half = false, until }: { half?: boolean; until?: string } = {}) {
  return new Promise<string>((resolve) => {
    let received = "";
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
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

/**
 * Without how the connection ended, when there was an answer: a server that closes before it has read everything is seen to
 * end or to reset, as the race between its answer and the rest of the bytes goes.
 */
const answered = (talked: string) => (talked.startsWith("HTTP/") ? talked.replace(/<(end|ECONNRESET)>$/, "") : talked);

/** Through a proxy with these hooks; one that throws fails the test. */
async function through(hooks: Hooks, use: (proxy: ProxyServer) => Promise<void>): Promise<void> {
  const proxy = await startProxy(hooks, `${target}/prefix`);
  try {
    await use(proxy);
    expect(proxy.faults).toEqual([]);
  } finally {
    await proxy.close();
  }
}

const close = "Host: t\r\nConnection: close\r\n\r\n";
const chunks = "5\r\n12345\r\n3;x=y\r\n678\r\n0\r\nTrailer: t\r\n\r\n";
const big = "x".repeat(1024 * 1024 + 1);

const requests: readonly [title: string, bytes: string, half?: boolean][] = [
  ["a GET", `GET /api/?@=sysinfo HTTP/1.1\r\n${close}`],
  ["repeated and oddly written fields", `GET / HTTP/1.1\r\nX-a:1\r\nx-A:   2  \r\nEmpty:\r\n${close}`],
  ["a body", `POST / HTTP/1.1\r\nContent-Length: 5\r\n${close}hello`],
  ["a chunked body with trailers", `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${close}${chunks}`],
  ["a chunked answer", `GET /chunked HTTP/1.1\r\n${close}`],
  ["chunks both ways", `POST /chunked HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${close}${chunks}`],
  ["HEAD", `HEAD / HTTP/1.1\r\n${close}`],
  ["204", `GET /empty HTTP/1.1\r\n${close}`],
  ["HTTP/1.0", "GET / HTTP/1.0\r\n\r\n"],
  ["HTTP/1.0 kept alive, then closed", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.0\r\n\r\n"],
  ["an answer without length", `GET /unframed HTTP/1.0\r\n\r\n`],
  ["the absolute form", `GET http://t/api/ HTTP/1.1\r\n${close}`],
  ["a missing Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["early hints", `GET /early HTTP/1.1\r\n${close}`],
  ["Expect with its body", `POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n${close}hi`],
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
  ["a chunk that is too long", `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${close}2\r\nhello\r\n0\r\n\r\n`],
  ["more than 1 MiB", `POST / HTTP/1.1\r\nContent-Length: ${big.length}\r\n${close}${big}`],
  [
    "more than 1 MiB in one chunk",
    `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${close}100001\r\n${big}\r\n0\r\n\r\n`,
  ],
  ["a field of 20 KiB", `GET / HTTP/1.1\r\nX: ${"y".repeat(20_000)}\r\n${close}`],
  ["a head of 80 KiB", `GET / HTTP/1.1\r\nX: ${"y".repeat(80_000)}\r\n${close}`],
  ["half a head, then the end", "GET / HTTP/1.1\r\nHost: t\r\n", true],
  ["half a body, then the end", "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 9\r\n\r\nhalf", true],
  ["nothing, then the end", "", true],
  ["a request that the server resets", `GET /reset HTTP/1.1\r\n${close}`],
  ["an answer that is no HTTP", `GET /garbage HTTP/1.1\r\n${close}`],
  ["an answer that is cut off", `GET /cut HTTP/1.1\r\n${close}`],
];

describe("the transparent proxy", () => {
  it.each(requests)("passes on %s byte for byte", async (_title, bytes, half = false) => {
    await through({}, async ({ url }) => {
      const direct = await talk(target, bytes, { half });
      expect(answered(await talk(url, bytes, { half }))).toBe(answered(direct));
    });
  });

  it("keeps the connection open as the server does", async () => {
    await through({}, async ({ url }) => {
      const until = "{}";
      const bytes = "GET / HTTP/1.1\r\nHost: t\r\n\r\n";
      expect(await talk(url, bytes, { until })).toBe(await talk(target, bytes, { until }));
    });
  });

  it("lets the server ask for a body that waits for it", async () => {
    const bytes = "POST / HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n";
    await through({}, async ({ url }) => {
      expect(await talk(url, bytes, { until: "\r\n\r\n" })).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    });
  });

  it("keeps the target's path prefix in its address", async () => {
    await through({}, async ({ url }) => expect(new URL(url).pathname).toBe("/prefix"));
  });

  it("closes the client's connection when the target is not there", async () => {
    const proxy = await startProxy({}, "http://127.0.0.1:1");
    expect(await talk(proxy.url, `GET / HTTP/1.1\r\n${close}`)).toMatch(/ECONNRESET/);
    expect(await talk(proxy.url, "nonsense\r\n\r\n")).toMatch(/ECONNRESET/);
    await proxy.close();
  });
});

describe("in front of TLS, the proxy", () => {
  it.each(["localhost", "127.0.0.1"])(
    "verifies the certificate of %s and closes when it does not hold",
    async (host) => {
      const secure = createSecureServer((_request, response) => response.end("never"));
      secure.on("tlsClientError", () => {}).listen(0, "127.0.0.1");
      await once(secure, "listening");
      const proxy = await startProxy({}, `https://${host}:${(secure.address() as AddressInfo).port}`);
      expect(await talk(proxy.url, `GET / HTTP/1.1\r\n${close}`)).toMatch(/ECONNRESET/);
      await proxy.close();
      secure.close();
    },
  );
});

/** What the hooks change, every mutant of the matrix shows. */
describe("a hook", () => {
  const get = `GET /chunked HTTP/1.1\r\n${close}`;

  it("keeps the length that HEAD was told", async () => {
    await through({ answer: (answer) => withHeader(answer, "X-New", "1") }, async ({ url }) => {
      expect(await talk(url, `HEAD / HTTP/1.1\r\n${close}`)).toMatch(/content-length: 2\r\n[\s\S]*X-New: 1\r\n/i);
    });
  });

  it("answers HEAD from a GET of its own", async () => {
    const asking: Hooks = { request: (request, { forward }) => forward({ ...request, method: "GET" }) };
    await through(asking, async ({ url }) => {
      expect(await talk(url, `HEAD / HTTP/1.1\r\n${close}`)).toMatch(/content-length: 2\r\n[\s\S]*\r\n\r\n<end>$/i);
    });
  });

  it("answers without asking the target, with the length of nothing", async () => {
    const empty = { ...respond(200, {}), body: Buffer.alloc(0) };
    await through({ request: () => empty, answer: (answer) => withStatus(answer, 500) }, async ({ url }) => {
      expect(await talk(url, get)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Content-Length: 0\r\n\r\n<end>$/);
    });
  });

  it("keeps an HTTP/1.0 client's connection only when both ask for it", async () => {
    await through({ request: () => respond(200, {}) }, async ({ url }) => {
      expect(await talk(url, "GET / HTTP/1.0\r\n\r\n")).toMatch(/<end>$/);
    });
  });

  it("that leaves the answer to what is no request is not seen", async () => {
    await through({ unreadableAnswer: (answer) => answer }, async ({ url }) => {
      expect(await talk(url, "nonsense\r\n\r\n")).toBe(await talk(target, "nonsense\r\n\r\n"));
    });
  });

  it("sees no answer to half a request when none comes", async () => {
    await through({ unreadableAnswer: (answer) => answer }, async ({ url }) => {
      const half = "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 9\r\n\r\nhalf";
      expect(await talk(url, half, { half: true })).toBe(await talk(target, half, { half: true }));
    });
  });

  it("that throws is reported as a fault", async () => {
    const proxy = await startProxy(
      {
        answer: (answer) =>
          withJson(answer, () => {
            throw new Error("bug");
          }),
        unreadableAnswer: () => {
          throw new Error("another");
        },
      },
      target,
    );
    expect(await talk(proxy.url, get)).toMatch(/<end>|ECONNRESET/);
    expect(await talk(proxy.url, "nonsense\r\n\r\n")).toMatch(/<end>|ECONNRESET/);
    expect(proxy.faults).toHaveLength(2);
    await proxy.close();
  });
});

// What both ways of sending have in common, and what comes back: real servers, hostile ones too.
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Request } from "../oracle/world.ts";
import { packaged } from "../packaged.ts";
import { serve, serveSocket } from "../proof/kits/server.test-kit.ts";
import { sampleOf } from "../requests/cover.ts";
import { caseOf } from "../requests/generate.ts";
import { MOST_BODY } from "./limits.ts";
import { clientOf, lineTo, requestTo } from "./line.test-kit.ts";
import { Stopped } from "./pace.ts";
import { createResponse, shortened } from "./response.ts";
import { Sockets } from "./socket.ts";
import { isPlain, Supertest } from "./supertest.ts";
import { parseTarget } from "./target.ts";
import { isClosing, placed, write } from "./write.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

const HEAD = { status: 200, reason: "", version: "1.1", fields: [] };

/** The same request by the HTTP client and on a socket. */
const WAYS: readonly ["supertest" | "socket", Partial<Request>][] = [
  ["supertest", {}],
  ["socket", { fields: ["x-one", "X-One"].map((name) => [name, "1"]) }],
];

describe.each(WAYS)("by %s", (way, more) => {
  it("has any status, follows nothing and parses nothing that is no JSON", async () => {
    const url = await serve((_, response) => {
      response.writeHead(308, "Elsewhere", {
        Location: "/elsewhere",
        "Content-Type": "application/json",
      });
      response.end("{broken");
    });
    const client = clientOf(url);
    const { response, error, connection } = await client.send(requestTo(url, more));
    expect(response).toMatchObject({
      status: 308,
      reason: "Elsewhere",
      version: "1.1",
      json: undefined,
      omitted: 0,
    });
    expect(response?.fields[0]).toEqual(["Location", "/elsewhere"]);
    expect(response?.body.toString()).toBe("{broken");
    expect({ error, connection, sent: client.sent[way] }).toEqual({
      error: null,
      connection: 1,
      sent: 1,
    });
  });

  it("leaves a content coding in place, and reads the JSON in it", async () => {
    const zipped = gzipSync('{"a":1}');
    const url = await serve((_, response) =>
      response.setHeader("Content-Encoding", "gzip").end(zipped),
    );
    const { response } = await clientOf(url).send(requestTo(url, more));
    expect(response?.body).toEqual(zipped);
    expect(response?.fields.flat()).toContain("gzip");
    expect(response?.json).toEqual({ a: 1 });
  });

  it("keeps a connection for what may be repeated, and uses a new one if it is lost", async () => {
    let served = 0;
    const url = await serveSocket((socket) => {
      let count = 0;
      socket.on("data", () => {
        count += 1;
        served += 1;
        if (count > 2) socket.resetAndDestroy();
        else socket.write(OK);
      });
    });
    const client = clientOf(url);
    const connections: number[] = [];
    for (let n = 0; n < 4; n += 1)
      connections.push((await client.send(requestTo(url, more))).connection);
    // Supertest does not keep the new one.
    expect(connections).toEqual([1, 1, 2, way === "socket" ? 2 : 3]);
    expect(served).toBe(5);
    // A command is never sent twice, and nothing is known of a connection that was used before.
    const post = await client.send(requestTo(url, { ...more, method: "POST", body: "{}" }));
    expect(connections).not.toContain(post.connection);
    expect(post.error).toBeNull();
  });

  it("says why there is no response", async () => {
    const resetting = await serveSocket((socket) =>
      socket.once("data", () => socket.resetAndDestroy()),
    );
    const errorOf = async (url: string, options = {}) =>
      (await clientOf(url, options).send(requestTo(url, { ...more, method: "POST" }))).error;
    expect(await errorOf(resetting)).toBe("connection reset");
    expect(await errorOf(await serveSocket(() => {}), { timeoutMs: 20 })).toBe(
      "no response within 0.02 s",
    );
    expect(await errorOf("http://127.0.0.1:1")).toContain("ECONNREFUSED");
    const endless = await serve((_, response) => {
      response.writeHead(203);
      const more = () =>
        void (
          response.destroyed || response.write(Buffer.alloc(1 << 16), () => setImmediate(more))
        );
      more();
    });
    expect(await errorOf(endless)).toMatch(
      /^a response of more than 1 MiB, of which no more was read/,
    );
  });

  it("ends with the run, in flight and before", async () => {
    const stop = new AbortController();
    const silent = await serveSocket((socket) =>
      socket.once("data", () => stop.abort(new Error("enough"))),
    );
    const client = clientOf(silent, { signal: stop.signal });
    await expect(client.send(requestTo(silent, more))).rejects.toThrow(new Stopped("enough"));
    await expect(client.send(requestTo(silent, more))).rejects.toThrow(Stopped);
  });

  it("reads a file of several MiB when one may come", async () => {
    const url = await serve((_, response) => response.end(Buffer.alloc(2 * MOST_BODY)));
    const { response } = await clientOf(url).send(requestTo(url, more), { isFile: true });
    expect(response?.body).toHaveLength(2 * MOST_BODY);
  });
});

it.each<[method: string, fields: Request["fields"], times: number, error: string | null]>([
  ["GET", [], 2, null],
  ["POST", [], 1, "connection reset"],
  ["POST", [["Idempotency-Key", "one"]], 1, "connection reset"],
])(
  "sends %s with %j, on a connection that is lost with it, %i times",
  async (method, fields, times, error) => {
    let carriedOut = 0;
    const url = await serveSocket((socket) => {
      let count = 0;
      socket.on("data", (bytes) => {
        count += 1;
        carriedOut += bytes.includes("/again") ? 1 : 0;
        if (count > 1) socket.resetAndDestroy();
        else socket.write(OK);
      });
    });
    const client = clientOf(url);
    const on = client.connect();
    await client.send(requestTo(url), { on });
    const again = await client.send(
      requestTo(url, { method, fields, target: "/again", body: "" }),
      { on },
    );
    on.destroy();
    expect({ carriedOut, error: again.error }).toEqual({ carriedOut: times, error });
    // That nothing was sent cannot be said of it.
    expect(again.connection).toBeGreaterThan(0);
  },
);

it("parses JSON of 1 MiB and 200 levels, whatever is in its strings, and none with too much in it", () => {
  const nested = (levels: number, inner = "") => "[".repeat(levels) + inner + "]".repeat(levels);
  const right = (inner: string) => nested(200, `"[[{\\"[[,,${inner}"`);
  const jsonOf = (body: string | Buffer, coding = "identity") =>
    createResponse({ ...HEAD, fields: [["Content-Encoding", coding]] }, Buffer.from(body)).json;
  expect(jsonOf(right("x".repeat(MOST_BODY - right("").length)))).toEqual([expect.anything()]);
  const members = `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":{}`).join()}}`;
  for (const body of [
    `[${"[],".repeat(400_000)}[]]`.slice(0, MOST_BODY),
    members,
    nested(75_000),
    nested(201),
  ])
    expect(jsonOf(body)).toBeUndefined();
  expect(jsonOf(gzipSync(`"${"x".repeat(8 * MOST_BODY)}"`), "gzip")).toBeUndefined();
});

it("has a response to HEAD without a body, finds bytes behind it, and lets a parser answer with them", async () => {
  const silent = await serve((_, response) => response.setHeader("Content-Length", 2).end());
  const { response } = await clientOf(silent).send(requestTo(silent, { method: "HEAD" }));
  expect(response).toMatchObject({ status: 200, body: Buffer.alloc(0), json: undefined });
  const url = await serveSocket((socket) => socket.once("data", () => socket.end(OK)));
  const head = requestTo(url, { method: "HEAD", fields: [["Connection", "close"]] });
  expect((await clientOf(url).send(head)).error).toBe("2 bytes behind the response");
  expect((await clientOf(url).send(head, { mayTrail: true })).response).toMatchObject({
    status: 200,
  });
});

it("is kept up to so many bytes, and never to the middle of a character", () => {
  const response = createResponse(HEAD, Buffer.from('"12€"'));
  expect(response.json).toBe("12€");
  expect(shortened(response, 7)).toBe(response);
  const short = shortened(response, 5);
  expect(short).toMatchObject({ omitted: 4, json: undefined });
  expect(short.body.toString()).toBe('"12');
  expect(shortened(short, 1).omitted).toBe(6);
});

describe("a base address", () => {
  it("is read", () => {
    expect(parseTarget("https://a.example/prefix/")).toEqual({
      ...{
        url: "https://a.example/prefix",
        origin: "https://a.example",
        host: "a.example",
        hostname: "a.example",
      },
      ...{ port: 443, tls: true, prefix: "/prefix", loopback: false },
    });
    expect(parseTarget("http://[::1]:81")).toMatchObject({
      hostname: "::1",
      port: 81,
      prefix: "",
      loopback: true,
    });
    for (const url of ["http://127.9.9.9", "http://localhost", "http://a.localhost"])
      expect(parseTarget(url).loopback).toBe(true);
    expect(parseTarget("http://127.0.0.1.example").loopback).toBe(false);
  });

  it.each(["x", "ftp://a", "http://u:p@a", "http://a/?b", "http://a/#b"])("is not %s", (text) => {
    expect(() => parseTarget(text)).toThrow("--url");
  });
});

// The bytes that arrive are those that `write` makes, by supertest and by a socket.
const EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
/** Of the rows, which are sent with others too. */
const EVERY = 23;

it("the bytes of a request arrive unchanged: every row, and a sample of rows together; three quarters of all go by supertest", async () => {
  let expected: Buffer = Buffer.alloc(0);
  let arrived: Buffer = Buffer.alloc(0);
  const url = await serveSocket((socket) => {
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      arrived = Buffer.concat([arrived, chunk]);
      if (arrived.length >= expected.length) socket.write(EMPTY);
    });
  });
  const line = lineTo(`${url}/prefix`);
  const [supertest, sockets] = [new Supertest(line), new Sockets(line)];
  const { host } = line.target;
  const { source } = sampleOf(packaged.oracle.contract, packaged.paths, { host });
  const known = new Set<string>();
  const ids = [...packaged.tables.rows].flatMap(([operation, rows]) =>
    [...rows.keys()].flatMap((name, at, names) => {
      const alone = known.has(name) ? [] : [""];
      known.add(name);
      const together =
        at % EVERY > 0 ? [] : [" + HEAD", " + credentials in the query", ` + ${names.at(-at)}`];
      return [...alone, ...together].map((more) => `${operation} ${name}${more}`);
    }),
  );
  const all = ids.flatMap((id) => caseOf(packaged.tables, source, id) ?? []);
  const plain = all.filter(({ request }) => isPlain(request, line.target));
  expect(plain.length / all.length).toBeGreaterThan(0.75);

  const differ: string[] = [];
  for (const [at, { id, request }] of all.entries()) {
    expected = write(request, "/prefix");
    arrived = Buffer.alloc(0);
    const isByHand = !isPlain(request, line.target);
    if (!isByHand) await supertest.send(request, MOST_BODY);
    if (!isByHand && !arrived.equals(expected)) differ.push(`supertest: ${id}`);
    // A socket gets the bytes themselves.
    if (!isByHand && at % EVERY > 0) continue;
    arrived = Buffer.alloc(0);
    await sockets.send({
      ...{ bytes: expected, isHead: request.method === "HEAD", isClosing: false, mayTrail: false },
      ...{ mayReuse: !isClosing(request), most: MOST_BODY },
    });
    if (!arrived.equals(expected)) differ.push(`socket: ${id}`);
  }
  supertest.close();
  sockets.close();
  expect(differ).toEqual([]);
});

it("targets are placed below the prefix of a deployment", () => {
  expect(placed("/api/?@=x", "/a")).toBe("/a/api/?@=x");
  expect(placed("HTTP://b.example/api/", "/a")).toBe("HTTP://b.example/a/api/");
  for (const target of ["*", "api/", "?@=x", "a.example:80", "http://b.example", "ftp://a/x"])
    expect(placed(target, "/a")).toBe(target);
});

it("the bytes of a request have the length of a body, unless the request has its own framing, and chunks as they should be", () => {
  const request = { method: "POST", target: "/", body: "\xff}", fields: [["Host", "a"] as const] };
  const written = (more: object) => write({ ...request, ...more }, "").toString("latin1");
  expect(written({})).toBe("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n\xff}");
  for (const name of ["content-length", "Transfer-Encoding"])
    expect(written({ version: "1.0", fields: [[name, "x"]] })).toBe(
      `POST / HTTP/1.0\r\n${name}: x\r\n\r\n\xff}`,
    );
  const chunked = (framing: object) =>
    written({ fields: [], body: "0123456789ab", framing: { chunks: [11, 1], ...framing } });
  const head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  expect(chunked({})).toBe(`${head}b\r\n0123456789a\r\n1\r\nb\r\n0\r\n\r\n`);
  expect(chunked({ digits: "in capitals" })).toContain("\r\nB\r\n0123456789a");
  expect(chunked({ digits: "with leading zeros", extensions: ";a=b" })).toContain(
    "\r\n0000000b;a=b\r\n0123456789a",
  );
  expect(chunked({ trailers: [["X", "y"]] })).toMatch(/\r\n0\r\nX: y\r\n\r\n$/);
});

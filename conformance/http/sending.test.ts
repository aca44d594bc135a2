// What both ways of sending have in common, and what comes back: real servers, hostile ones too.
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Request } from "../oracle/model-state.ts";
import { packaged } from "../packaged.ts";
import { serve, serveSocket } from "../proof/kits/server.test-kit.ts";
import { sampleOf } from "../requests/cover.ts";
import { caseOf } from "../requests/generate.ts";
import { clientOf, endpointTo, requestTo } from "./endpoint.test-kit.ts";
import { MOST_BODY } from "./limits.ts";
import { createResponse } from "./response.ts";
import { Sockets } from "./socket.ts";
import { isPlain, Supertest } from "./supertest.ts";
import { parseTarget } from "./target.ts";
import { isClosing, withPrefix, write } from "./write.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

const HEAD = { status: 200, reason: "", version: "1.1", fields: [] };

/** The same request by the HTTP client and on a socket. */
const WAYS: readonly ["supertest" | "socket", Partial<Request>][] = [
  ["supertest", {}],
  ["socket", { fields: ["x-one", "X-One"].map((name) => [name, "1"]) }],
];

/** Sends a request there, by the way of `overrides`. */
const send = (
  url: string,
  overrides: Partial<Request> = {},
  options?: Parameters<typeof clientOf>[1],
) => clientOf(url, options).send(requestTo(url, overrides));
/** Answers so many requests of a connection, and resets it with the next one. */
async function resetting(most: number) {
  const arrived: string[] = [];
  const url = await serveSocket((socket) => {
    let count = 0;
    socket.on("data", (bytes) => {
      count += 1;
      arrived.push(`${bytes}`);
      if (count > most) socket.resetAndDestroy();
      else socket.write(OK);
    });
  });
  return { url, arrived };
}

describe.each(WAYS)("by %s", (way, overrides) => {
  it("keeps a connection for what may be repeated, and uses a new one if it is lost", async () => {
    const { url, arrived } = await resetting(2);
    const client = clientOf(url);
    const connections: number[] = [];
    for (let n = 0; n < 4; n += 1)
      connections.push((await client.send(requestTo(url, overrides))).connection);
    // Supertest does not keep the new one.
    expect(connections).toEqual([1, 1, 2, way === "socket" ? 2 : 3]);
    expect(arrived).toHaveLength(5);
    // A command is never sent twice, and nothing is known of a connection that was used before.
    const post = await client.send(requestTo(url, { ...overrides, method: "POST", body: "{}" }));
    expect([connections.includes(post.connection), post.error]).toEqual([false, null]);
  });

  it("says why there is no response", async () => {
    const endless = await serve((_, response) => {
      const writeChunk = () =>
        void (
          response.destroyed ||
          response.write(Buffer.alloc(1 << 16), () => setImmediate(writeChunk))
        );
      writeChunk();
    });
    const silent = await serveSocket(() => {});
    for (const [url, error, timeoutMs] of [
      [(await resetting(0)).url, /^connection reset$/],
      [silent, /^no response within 0.02 s$/, 20],
      ["http://127.0.0.1:1", /ECONNREFUSED/],
      [endless, /^a response of more than 1 MiB, of which no more was read/],
    ] as const)
      expect(
        (await send(url, { ...overrides, method: "POST" }, timeoutMs && { timeoutMs })).error,
      ).toMatch(error);
  });

  it("reads a file of several MiB when one may come", async () => {
    const url = await serve((_, response) => response.end(Buffer.alloc(2 * MOST_BODY)));
    const { response } = await clientOf(url).send(requestTo(url, overrides), { isFile: true });
    expect(response?.body).toHaveLength(2 * MOST_BODY);
  });
});

it.each<[method: string, fields: Request["fields"], times: number, error: string | null]>([
  ["GET", [], 2, null],
  ["POST", [["Idempotency-Key", "one"]], 1, "connection reset"],
])(
  "sends %s with %j, on a connection that is lost with it, %i times",
  async (method, fields, times, error) => {
    const { url, arrived } = await resetting(1);
    const client = clientOf(url);
    const on = client.connect();
    await client.send(requestTo(url), { on });
    const again = await client.send(requestTo(url, { method, fields, target: "/again" }), { on });
    on.destroy();
    const carriedOut = arrived.filter((text) => text.includes("/again")).length;
    expect([carriedOut, again.error]).toEqual([times, error]);
    // That nothing was sent cannot be said of it.
    expect(again.connection).toBeGreaterThan(0);
  },
);

it("leaves a connection whose server has responded and reads no more", async () => {
  const url = await serveSocket((socket) => {
    socket.once("data", () => socket.pause().write(OK));
  });
  const client = clientOf(url);
  const on = client.connect();
  const body = "x".repeat(8 * MOST_BODY);
  const first = await client.send(requestTo(url, { method: "POST", body }), { on });
  const second = await client.send(requestTo(url), { on });
  on.destroy();
  expect([first, second].map(({ response }) => response?.status)).toEqual([200, 200]);
  expect(second.connection).not.toBe(first.connection);
});

it("keeps few idle connections, however many requests had one of their own", async () => {
  let open = 0;
  const url = await serveSocket((socket) => {
    open += 1;
    socket.on("close", () => {
      open -= 1;
    });
    socket.on("data", () => socket.write(OK));
  });
  const client = clientOf(url);
  const oddPost = requestTo(url, {
    method: "POST",
    body: "{}",
    fields: [
      ["x", "1"],
      ["X", "1"],
    ],
  });
  for (let n = 0; n < 30; n += 1) await client.send(oddPost);
  await expect.poll(() => open).toBeLessThanOrEqual(8);
  client.close();
});

it("parses JSON of 1 MiB and 200 levels, and none with more", () => {
  const nested = (levels: number, inner = "") => "[".repeat(levels) + inner + "]".repeat(levels);
  const right = (inner: string) => nested(200, `"[[{\\"[[,,${inner}"`);
  const jsonOf = (body: string | Buffer, coding = "identity") =>
    createResponse({ ...HEAD, fields: [["Content-Encoding", coding]] }, Buffer.from(body)).json;
  expect(jsonOf(right("x".repeat(MOST_BODY - right("").length)))).toEqual([expect.anything()]);
  const members = `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":{}`).join()}}`;
  for (const body of [`[${"[],".repeat(300_000)}[]]`, members, nested(75_000), nested(201)])
    expect(jsonOf(body)).toBeUndefined();
  expect(jsonOf(gzipSync(`"${"x".repeat(8 * MOST_BODY)}"`), "gzip")).toBeUndefined();
});

it("reads a response to HEAD without a body, and reports bytes behind it", async () => {
  const silent = await serve((_, response) => response.setHeader("Content-Length", 2).end());
  const { response } = await send(silent, { method: "HEAD" });
  expect(response).toMatchObject({ status: 200, body: Buffer.alloc(0), json: undefined });
  const url = await serveSocket((socket) => socket.once("data", () => socket.end(OK)));
  const head = requestTo(url, { method: "HEAD", fields: [["Connection", "close"]] });
  const client = clientOf(url);
  expect((await client.send(head)).error).toBe("2 bytes behind the response");
  expect((await client.send(head, { mayTrail: true })).response?.status).toBe(200);
});

it.each(["x", "ftp://a", "http://u:p@a", "http://a/?b", "http://a/#b"])(
  "a base address is not %s",
  (text) => expect(() => parseTarget(text)).toThrow("--url"),
);

// The bytes that arrive are those that `write` makes, by supertest and by a socket.
const EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
/** Of the rows, which are sent with others too. */
const EVERY = 23;

it("the bytes of a request arrive unchanged, three quarters of them by supertest", async () => {
  let expected: Buffer = Buffer.alloc(0);
  let arrived: Buffer = Buffer.alloc(0);
  const url = await serveSocket((socket) => {
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      arrived = Buffer.concat([arrived, chunk]);
      if (arrived.length >= expected.length) socket.write(EMPTY);
    });
  });
  const endpoint = endpointTo(`${url}/prefix`);
  const [supertest, sockets] = [new Supertest(endpoint), new Sockets(endpoint)];
  const { host } = endpoint.target;
  const { source } = sampleOf(packaged.oracle.contract, packaged.paths, { host });
  const known = new Set<string>();
  const ids = [...packaged.tables.mutationsByOperation].flatMap(([operation, rows]) =>
    [...rows.keys()].flatMap((name, at, names) => {
      const alone = known.has(name) ? [] : [""];
      known.add(name);
      const suffixes = [" + HEAD", " + credentials in the query", ` + ${names.at(-at)}`];
      const all = at % EVERY > 0 ? alone : [...alone, ...suffixes];
      return all.map((more) => `${operation} ${name}${more}`);
    }),
  );
  const all = ids.flatMap((id) => caseOf(packaged.tables, source, id) ?? []);
  let plain = 0;
  const differ: string[] = [];
  const arrives = async (how: string, sending: () => Promise<unknown>) => {
    arrived = Buffer.alloc(0);
    await sending();
    if (!arrived.equals(expected)) differ.push(how);
  };
  for (const [at, { id, request }] of all.entries()) {
    expected = write(request, "/prefix");
    const isByTest = isPlain(request, endpoint.target);
    if (isByTest) plain += 1;
    if (isByTest) await arrives(`supertest: ${id}`, () => supertest.send(request, MOST_BODY));
    // A socket gets the bytes themselves.
    if (isByTest && at % EVERY > 0) continue;
    const how = { isHead: request.method === "HEAD", mayReuse: !isClosing(request) };
    const sent = { bytes: expected, isClosing: false, mayTrail: false, most: MOST_BODY, ...how };
    await arrives(`socket: ${id}`, () => sockets.send(sent));
  }
  supertest.close();
  sockets.close();
  expect(differ).toEqual([]);
  expect(plain / all.length).toBeGreaterThan(0.75);
});

it("targets are placed below the prefix of a deployment", () => {
  expect(withPrefix("/api/?@=x", "/a")).toBe("/a/api/?@=x");
  expect(withPrefix("HTTP://b.example/api/", "/a")).toBe("HTTP://b.example/a/api/");
  for (const target of ["*", "api/", "?@=x", "a.example:80", "http://b.example", "ftp://a/x"])
    expect(withPrefix(target, "/a")).toBe(target);
});

it("chunks are written as they are framed", () => {
  const request = { method: "POST", target: "/", fields: [], body: "0123456789ab" };
  const written = (framing: object) =>
    write({ ...request, framing: { chunks: [11, 1], ...framing } }, "").toString("latin1");
  const rest = "0123456789a\r\n1\r\nb\r\n0\r\n";
  expect(written({ digits: "in capitals" })).toContain(`\r\nB\r\n${rest}\r\n`);
  const trailed = written({ digits: "with leading zeros", trailers: [["X", "y"]] });
  expect(trailed).toMatch(/\r\n0000000b\r\n0123456789a\r\n.*\r\nb\r\n.*\r\nX: y\r\n\r\n$/);
});

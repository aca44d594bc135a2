// The bytes that arrive are those that `write` makes, whoever sends them.

import { expect, it } from "vitest";
import { packaged } from "../packaged.ts";
import { serveSocket } from "../proof/kits/server.test-kit.ts";
import { caseOf } from "../requests/generate.ts";
import { sampleOf } from "../requests/sample.ts";
import { MOST_BODY } from "./limits.ts";
import { lineTo } from "./line.test-kit.ts";
import { Sockets } from "./socket.ts";
import { isPlain, Supertest } from "./supertest.ts";
import { isClosing, placed, write } from "./write.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
/** Of the rows, which are sent with others too. */
const EVERY = 23;

it("arrive unchanged: every row, and a sample of rows together; three quarters of all go by supertest", async () => {
  let expected: Buffer = Buffer.alloc(0);
  let arrived: Buffer = Buffer.alloc(0);
  const url = await serveSocket((socket) => {
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      arrived = Buffer.concat([arrived, chunk]);
      if (arrived.length >= expected.length) socket.write(OK);
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
      const together = at % EVERY > 0 ? [] : [" + HEAD", " + credentials in the query", ` + ${names.at(-at)}`];
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

it("are placed below the prefix of a deployment", () => {
  expect(placed("/api/?@=x", "/a")).toBe("/a/api/?@=x");
  expect(placed("HTTP://b.example/api/", "/a")).toBe("HTTP://b.example/a/api/");
  for (const target of ["*", "api/", "?@=x", "a.example:80", "http://b.example", "ftp://a/x"])
    expect(placed(target, "/a")).toBe(target);
});

it("have the length of a body, unless the request has its own framing, and chunks as they should be", () => {
  const request = { method: "POST", target: "/", body: "\xff}", fields: [["Host", "a"] as const] };
  const written = (more: object) => write({ ...request, ...more }, "").toString("latin1");
  expect(written({})).toBe("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n\xff}");
  for (const name of ["content-length", "Transfer-Encoding"])
    expect(written({ version: "1.0", fields: [[name, "x"]] })).toBe(`POST / HTTP/1.0\r\n${name}: x\r\n\r\n\xff}`);
  const chunked = (framing: object) =>
    written({ fields: [], body: "0123456789ab", framing: { chunks: [11, 1], ...framing } });
  const head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  expect(chunked({})).toBe(`${head}b\r\n0123456789a\r\n1\r\nb\r\n0\r\n\r\n`);
  expect(chunked({ digits: "in capitals" })).toContain("\r\nB\r\n0123456789a");
  expect(chunked({ digits: "with leading zeros", extensions: ";a=b" })).toContain("\r\n0000000b;a=b\r\n0123456789a");
  expect(chunked({ trailers: [["X", "y"]] })).toMatch(/\r\n0\r\nX: y\r\n\r\n$/);
});

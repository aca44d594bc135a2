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
/** Of the cases whose rows were sent in others. */
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
  const tables = packaged.tables;
  const all = [...tables.rows].flatMap(([operation, rows]) =>
    [...rows.keys()].flatMap((name, at, names) =>
      ["", " + HEAD", " + credentials in the query", ` + ${names.at(-at)}`].flatMap(
        (more) => caseOf(tables, source, `${operation} ${name}${more}`) ?? [],
      ),
    ),
  );
  const plain = all.filter(({ request }) => isPlain(request, line.target));
  expect(plain.length / all.length).toBeGreaterThan(0.75);

  const known = new Set<string>();
  const differ: string[] = [];
  for (const [at, { id, rows, request }] of all.entries()) {
    const names = rows.map(({ name }) => name);
    if (names.every((name) => known.has(name)) && at % EVERY > 0) continue;
    for (const name of names) known.add(name);
    expected = write(request, "/prefix");
    const sending = { bytes: expected, isHead: request.method === "HEAD", isClosing: false, mayTrail: false };
    arrived = Buffer.alloc(0);
    await sockets.send({ ...sending, mayReuse: !isClosing(request), most: MOST_BODY });
    if (!arrived.equals(expected)) differ.push(`socket: ${id}`);
    if (!isPlain(request, line.target)) continue;
    arrived = Buffer.alloc(0);
    await supertest.send(request, MOST_BODY);
    if (!arrived.equals(expected)) differ.push(`supertest: ${id}`);
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

it("have the length of a body, unless the request has its own framing", () => {
  const request = { method: "POST", target: "/", body: "\xff}", fields: [["Host", "a"] as const] };
  expect(write(request, "").toString("latin1")).toBe("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n\xff}");
  for (const name of ["content-length", "Transfer-Encoding"])
    expect(write({ ...request, version: "1.0", fields: [[name, "x"]] }, "").toString("latin1")).toBe(
      `POST / HTTP/1.0\r\n${name}: x\r\n\r\n\xff}`,
    );
});

it("chunks are written as they are told to be", () => {
  const body = "0123456789ab";
  const written = (framing: object) =>
    write({ method: "POST", target: "/", fields: [], body, framing: { chunks: [11, 1], ...framing } }, "").toString();
  const head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  expect(written({})).toBe(`${head}b\r\n0123456789a\r\n1\r\nb\r\n0\r\n\r\n`);
  expect(written({ digits: "in capitals" })).toContain("\r\nB\r\n0123456789a");
  expect(written({ digits: "with leading zeros", extensions: ";a=b" })).toContain("\r\n0000000b;a=b\r\n0123456789a");
  expect(written({ trailers: [["X", "y"]] })).toMatch(/\r\n0\r\nX: y\r\n\r\n$/);
});

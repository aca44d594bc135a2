import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { Exchange } from "../client/wire/exchange.ts";
import { leakLaws } from "./leaks.ts";

/** A problem, compressed; a header of gzip has four bytes for a time (RFC 1952, 2.3), which nobody checks. */
function compressed(detail: string, time: string): Exchange {
  const body = gzipSync(JSON.stringify({ detail }));
  body.write(time, 4, 4, "latin1");
  return {
    request: { method: "GET", url: "http://127.0.0.1/api/", headers: [], body: Buffer.alloc(0), raw: null },
    answer: { status: 400, reason: "", httpVersion: "1.1", headers: [["Content-Encoding", "gzip"]], body },
    error: null,
    durationMs: 1,
  };
}

function judged(exchange: Exchange): string | null {
  try {
    for (const law of leakLaws)
      if (law.kind === "exchanges") law.judge(exchange, [], { predicted: undefined, memory: new Map() });
    return null;
  } catch (error) {
    return String(error);
  }
}

it("searches what a compressed body says, not its bytes", () => {
  expect(judged(compressed("A parameter is missing.", ".koa"))).toBeNull();
  expect(judged(compressed("koa: no body", "\0\0\0\0"))).toContain("package's name");
});

import { describe, expect, it } from "vitest";
import { check } from "../checks/check.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { exchangeText } from "../report/exchange-text.ts";
import { judge } from "./judge.ts";
import { createShortener } from "./shorten.ts";

const KIB = 1024;
const anyCheck = check("sysinfo/json", {}, async () => {});
const exchange = (body: string | Buffer): Exchange => ({
  request: { method: "GET", url: "http://one.example.com/", headers: [], body: Buffer.alloc(0), raw: null },
  answer: { status: 200, reason: "OK", httpVersion: "1.1", headers: [], body: Buffer.from(body) },
  error: null,
  durationMs: 1,
});
const failed = (exchanges: readonly Exchange[]) =>
  judge(anyCheck, exchanges, () => {
    throw new Error("anything");
  });

describe("what is kept of a response", () => {
  it("is all of it up to 64 KiB, and of a longer one the beginning and how much is missing", async () => {
    const [short, long] = [exchange("x".repeat(64 * KIB)), exchange("é".repeat(64 * KIB))];
    const { exchanges, decisive } = createShortener()(await failed([short, long]));
    expect(exchanges[0]?.answer?.body).toEqual(short.answer?.body);
    expect(exchanges[1]?.answer?.body).toMatchObject({ length: 64 * KIB, omitted: 64 * KIB });
    expect(decisive).toBe(exchanges[1]);
    expect(exchangeText(exchanges[1] ?? short)).toMatch(/ééé\n… .*\n… 65536 bytes more that were not kept$/);
  });

  it("ends with a whole character", async () => {
    const { exchanges } = createShortener()(await failed([exchange(`x${"é".repeat(64 * KIB)}`)]));
    expect(exchanges[0]?.answer?.body.toString()).toMatch(/^xé+$/);
  });

  it("is a beginning where the run has kept a great deal already", async () => {
    const shorten = createShortener();
    const all = Array.from({ length: 300 }, () => exchange("x".repeat(64 * KIB)));
    const { exchanges } = shorten(await failed(all));
    expect(exchanges.map(({ answer }) => answer?.body.length)).toEqual(
      all.map((_, index) => (index < 256 ? 64 : 1) * KIB),
    );
  });
});

// The client against a table of cases, on real sockets.
import { expect, it } from "vitest";
import { type Call, type Case, cases } from "../test/clients/cases.ts";
import type { Outcome } from "../test/clients/responses.ts";
import { serveScript } from "../test/clients/scripted-server.ts";
import { BOUND_MS, withMoreTime } from "../test/patience.ts";
import { AtpointError, createClient } from "./client.ts";

interface Given {
  readonly baseUrl: string;
  readonly key: string;
  readonly platform: string;
  readonly timeoutMs: number;
  readonly call: Call;
}

async function run({ baseUrl, key, platform, timeoutMs, call: called }: Given): Promise<Outcome> {
  const { name, input, walk, abortAfterMs, accept, idempotencyKey, ...settings } = called;
  const items: unknown[] = [];
  try {
    // Proof: that the types fit the contract, client.test.ts shows; here inputs are wrong on purpose.
    const client = createClient({ baseUrl, apiKey: key, platform, timeoutMs, ...settings }) as unknown as {
      call(...words: unknown[]): Promise<unknown>;
      walk(...words: unknown[]): AsyncGenerator<unknown>;
    };
    const signal = abortAfterMs === 0 ? AbortSignal.abort() : abortAfterMs && AbortSignal.timeout(abortAfterMs);
    if (!walk) return { answer: await client.call(name, input, { accept, idempotencyKey, signal }) };
    for await (const item of client.walk(name, input)) items.push(item);
    return { items };
  } catch (error) {
    if (!(error instanceof AtpointError)) return { raised: String(error) };
    const { name: _, cause, message, ...rest } = error;
    // Reasons and fields in the message: client.test.ts.
    return { ...(walk && { items }), error: { message: message.replace(/ \(.*\)$/, ""), ...rest } };
  }
}

/** What differs with each run. */
const steady = (found: Outcome): Outcome =>
  JSON.parse(
    JSON.stringify(found)
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "uuid")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time"),
    (_, value) => value ?? undefined,
  );

async function passes(one: Case, timeoutMs: number): Promise<void> {
  const { server: script, users, call, outcome, requests = script.length, sent } = one;
  const { url, serviceKey = "atp_key", attempts } = await serveScript(script, users);
  const { baseUrl = url, key = serviceKey, platform = "web" } = call;
  const found = steady(await run({ baseUrl, key, platform, timeoutMs, call }));
  if (outcome.raised) expect(found.raised).toContain(outcome.raised);
  else expect(found).toEqual(outcome);
  // An error may be in a log.
  expect(JSON.stringify(found)).not.toContain("s3cret");
  if (requests !== null) expect(attempts).toHaveLength(requests);
  if (sent) expect(attempts).toMatchObject(sent);
  else expect(new Set(attempts.filter(Boolean).map((attempt) => JSON.stringify(attempt))).size).toBeLessThanOrEqual(1);
}

it.each(cases)("$title", async (one) => {
  if (one.timed) await withMoreTime((timeoutMs) => passes(one, timeoutMs));
  else await passes(one, BOUND_MS);
});

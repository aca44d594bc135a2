import { type Check, check } from "../checks/check.ts";
import { answered, ending } from "../checks/probe.ts";
import type { Api } from "../client/api.ts";
import { expectProblem, fail } from "../client/expect.ts";
import { bytesOf } from "../client/send.ts";
import { askingOf } from "../lists/list.ts";
import { page, post, simple } from "./requests.ts";
import { inChunks } from "./talk.ts";

/** How long a client may take to send a request, or to read a response (D13). */

/** Tolerances: a second before the limit for clocks; more after it: a deployment checks every two seconds and may be busy. */
const EARLY_MS = 1000;
const LATE_MS = 12_000;
/** More than the buffers between two machines can hold. */
const UNREAD_BYTES = 32 * 1024 * 1024;

function slow(id: string, limitMs: number, run: (api: Api, timeoutMs: number) => Promise<void>): Check {
  return check(id, { effect: "hostile", slow: true, decided: true }, async (api) => {
    const startedAt = performance.now();
    await run(api, limitMs + LATE_MS);
    const elapsed = performance.now() - startedAt;
    if (elapsed < limitMs - EARLY_MS)
      fail("connection", `nothing before ${limitMs / 1000} s`, `the end after ${Math.round(elapsed)} ms`);
  });
}

/** Half a request: without this many bytes at its end. */
const half = (id: string, limitMs: number, missing: number, requestOf: typeof post) =>
  slow(id, limitMs, async (api, timeoutMs) => {
    const bytes = bytesOf(api, requestOf(askingOf(api)), null).subarray(0, -missing);
    expectProblem(answered(await api.raw(bytes, { timeoutMs }), "half a request"), 408, "request-timeout");
  });

export const timeouts: readonly Check[] = [
  half("http/headers-timeout#half-a-head", 10_000, 2, simple),
  half("http/headers-timeout#half-a-line", 10_000, 40, simple),
  half("http/request-timeout#half-a-body", 30_000, 3, post),
  half("http/request-timeout#half-a-chunk", 30_000, 12, (asking) => inChunks([99])(post(asking))),
  slow("http/stalled-client", 30_000, async (api, timeoutMs) => {
    const request = page(askingOf(api));
    const { body } = await api.request({ method: "GET", target: request.target, large: true });
    const all = Array.from({ length: Math.ceil(UNREAD_BYTES / body.length) }, () => bytesOf(api, request, null));
    const raw = await api.raw(Buffer.concat(all), { unread: true, timeoutMs });
    if (!raw.closed) fail("connection", "the end of the connection of a client that does not read", ending(raw));
  }),
];

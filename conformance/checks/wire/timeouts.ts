import type { Api } from "../../client/api.ts";
import { expectProblem, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { answered, ending } from "../probe.ts";
import { refusedPost, SYSINFO } from "./support.ts";

/** A second for clocks before the limit; after it the deployment looks every two seconds, and may be busy. */
const EARLY_MS = 1000;
const LATE_MS = 12_000;

/** Sends a part of a request and nothing more; the refusal must come when the time is up, not before. */
async function expectTimeout(api: Api, part: Buffer, limitMs: number, what: string): Promise<void> {
  const startedAt = performance.now();
  const raw = await api.raw(part, { timeoutMs: limitMs + LATE_MS });
  const elapsed = performance.now() - startedAt;
  expectProblem(answered(raw, what), 408, "request-timeout");
  if (elapsed < limitMs - EARLY_MS)
    fail("body", `no refusal before ${limitMs / 1000} s`, `one after ${Math.round(elapsed)} ms`);
}

/** More than the buffers between two machines hold. */
const UNREAD_BYTES = 32 * 1024 * 1024;
const STALLED_MS = 30_000;

const slow = { effect: "hostile", slow: true } as const;

/** How long a request may take to arrive (D13). */
export const timeouts: readonly Check[] = [
  check("http/headers-timeout#half-a-head", slow, (api) => {
    const whole = api.rawRequest({ target: api.path(SYSINFO), connection: null });
    return expectTimeout(api, whole.subarray(0, whole.length - 2), 10_000, "a request without the end of its headers");
  }),
  check("http/headers-timeout#half-a-line", slow, (api) =>
    expectTimeout(api, Buffer.from("GET /api/?@=sys"), 10_000, "half a request line"),
  ),
  check("http/request-timeout#half-a-body", slow, (api) => {
    const whole = api.rawRequest({ ...refusedPost(api), connection: null });
    return expectTimeout(api, whole.subarray(0, whole.length - 3), 30_000, "a request without the end of its body");
  }),
  check("http/request-timeout#half-a-chunk", slow, (api) => {
    const request = refusedPost(api);
    const headers = [...(request.headers ?? []), ["Transfer-Encoding", "chunked"] as const];
    const part = api.rawRequest({ ...request, headers, body: "5\r\n{}", connection: null });
    return expectTimeout(api, part, 30_000, "a request without the end of its chunk");
  }),
  check("http/stalled-client", slow, async (api) => {
    const contract = { target: api.path("/openapi.json") };
    const { body } = answered(await api.raw(api.rawRequest(contract)), "GET /openapi.json");
    const request = api.rawRequest({ ...contract, connection: null });
    const bytes = Buffer.concat(Array.from({ length: Math.ceil(UNREAD_BYTES / body.length) }, () => request));
    const startedAt = performance.now();
    const raw = await api.raw(bytes, { unread: true, timeoutMs: STALLED_MS + LATE_MS });
    const elapsed = performance.now() - startedAt;
    if (!raw.closed) fail("connection", "the end of the connection of a client that does not read", ending(raw));
    if (elapsed < STALLED_MS - EARLY_MS)
      fail("body", `no end before ${STALLED_MS / 1000} s`, `one after ${Math.round(elapsed)} ms`);
  }),
];

import type { Api } from "../../client/api.ts";
import { fail } from "../../client/expect.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { answered, ending } from "../probe.ts";
import { answerTo, at, expectOutcome, refusedPost, sysinfo, withFields } from "./support.ts";

/** A second for clocks before the limit; after it the deployment looks every two seconds, and may be busy. */
const EARLY_MS = 1000;
const LATE_MS = 12_000;

function expectNotBefore(limitMs: number, startedAt: number): void {
  const elapsed = performance.now() - startedAt;
  if (elapsed < limitMs - EARLY_MS)
    fail("connection", `nothing before ${limitMs / 1000} s`, `the end after ${Math.round(elapsed)} ms`);
}

type Part = readonly [
  id: `http/${"headers" | "request"}-timeout#${string}`,
  limitMs: number,
  part: (api: Api) => Buffer,
];

const unended = (api: Api, request: RawRequest) => api.rawRequest({ ...request, connection: null });

/** A part of a request and nothing more: the refusal must come when the time is up, not before. */
const PARTS: readonly Part[] = [
  ["http/headers-timeout#half-a-head", 10_000, (api) => unended(api, sysinfo(api)).subarray(0, -2)],
  ["http/headers-timeout#half-a-line", 10_000, () => Buffer.from("GET /api/?@=sys")],
  ["http/request-timeout#half-a-body", 30_000, (api) => unended(api, refusedPost(api)).subarray(0, -3)],
  [
    "http/request-timeout#half-a-chunk",
    30_000,
    (api) => unended(api, { ...withFields(refusedPost(api), ["Transfer-Encoding", "chunked"]), body: "5\r\n{}" }),
  ],
];

/** More than the buffers between two machines hold. */
const UNREAD_BYTES = 32 * 1024 * 1024;
const STALLED_MS = 30_000;

const slow = { effect: "hostile", slow: true } as const;

/** How long a request may take to arrive, and an answer to be read (D13). */
export const timeouts: readonly Check[] = [
  ...PARTS.map(([id, limitMs, part]) =>
    check(id, slow, async (api) => {
      const startedAt = performance.now();
      const raw = await api.raw(part(api), { timeoutMs: limitMs + LATE_MS });
      expectOutcome(answered(raw, "half a request"), "request-timeout");
      expectNotBefore(limitMs, startedAt);
    }),
  ),
  check("http/stalled-client", slow, async (api) => {
    const request = at(api, "/openapi.json", { connection: null });
    const { body } = await answerTo(api, request);
    const count = Math.ceil(UNREAD_BYTES / body.length);
    const startedAt = performance.now();
    const bytes = Buffer.concat(Array.from({ length: count }, () => api.rawRequest(request)));
    const raw = await api.raw(bytes, { unread: true, timeoutMs: STALLED_MS + LATE_MS });
    if (!raw.closed) fail("connection", "the end of the connection of a client that does not read", ending(raw));
    expectNotBefore(STALLED_MS, startedAt);
  }),
];

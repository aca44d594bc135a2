import type { Api } from "../../client/api.ts";
import { describe, expectProblem, fail } from "../../client/expect.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { answered, ending, inCase } from "../probe.ts";
import {
  ALL,
  answerTo,
  at,
  emptyCreate,
  expectCases,
  expectOutcome,
  type Field,
  refusedPost,
  SILENCE_MS,
  sysinfo,
  withFields,
} from "./support.ts";

/** Header lines of a request; `#` is replaced by the length of its whole body. */
type Lines = readonly string[];

/** 2^64: it is 0 in a 64-bit number. It is a single length, and too large as well. */
const OVERFLOWING = "18446744073709551616";

/** The body is the next request, or empty. */
const LENGTHS: readonly Lines[] = [
  ["Content-Length: 0", "Content-Length: #"],
  ["Content-Length: #", "content-length: 0"],
  ...["0, #", "-1", "-#", "+0", "0x0", "0.0", "none", "0 #", OVERFLOWING].map((length) => [
    `Content-Length: ${length}`,
  ]),
];

/** The body is a last chunk and the next request. */
const CODINGS: readonly Lines[] = [
  ["Content-Length: #", "Transfer-Encoding: chunked"],
  ["Transfer-Encoding: chunked", "Content-Length: #"],
  ["Content-Length: 5", "Transfer-Encoding: chunked"],
  ["content-length: 5", "TRANSFER-ENCODING: Chunked"],
  ["Transfer-Encoding: chunked, identity"],
  ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
  ["Transfer-Encoding: xchunked"],
  ["Content-Length: 0", "Transfer-Encoding : chunked"],
  ["Content-Length: 0", "Transfer-Encoding: \x0bchunked"],
];

const LAST_CHUNK = "0\r\n\r\n";

function fieldOf(line: string, length: number): Field {
  const [name = "", value = ""] = line.split(": ");
  return [name, value.replace("#", String(length))];
}

async function expectOneRefusal(api: Api, lines: Lines, before: string): Promise<void> {
  // Bytes that are the rest of the body by one interpretation, and a separate request by the other.
  const next = api.rawRequest(sysinfo(api, { headers: [["X-Request-Id", `next-${api.runId}`]], connection: null }));
  const body = before + next.toString("latin1");
  const request = withFields(refusedPost(api), ...lines.map((line) => fieldOf(line, body.length)));
  const bytes = api.rawRequest({ ...request, body, connection: null });
  const raw = await api.raw(bytes, { answers: ALL, timeoutMs: SILENCE_MS });
  const second = raw.replies.find((reply) => reply.header("x-request-id") === `next-${api.runId}`);
  if (second) fail("connection", "no second request read out of the body", `its answer: ${describe(second)}`);
  const served = raw.replies.find(({ status }) => status < 400);
  if (served) fail("status", "an ambiguous request refused", describe(served));
  const [refusal, ...more] = raw.replies;
  if (more.length > 0 || (!refusal && !raw.closed)) fail("connection", "one refusal", ending(raw));
  if (lines.includes(`Content-Length: ${OVERFLOWING}`) && refusal?.status === 413) return;
  // Any other code would show that the server has read the body, by one of the two lengths.
  if (refusal?.mediaType === "application/problem+json") expectProblem(refusal, 400, "malformed-request");
}

/** A server must not read one message as two (RFC 9112, 6.3 and 11.2). */
const ambiguous: readonly Check[] = Object.entries({
  lengths: { cases: LENGTHS, before: "" },
  codings: { cases: CODINGS, before: LAST_CHUNK },
}).map(([variant, { cases, before }]) =>
  check(`http/framing#${variant}`, { effect: "hostile" }, async (api) => {
    await expectCases(api, [["a body with one length", { ...refusedPost(api), body: emptyCreate }, "invalid-input"]]);
    for (const lines of cases) await inCase(lines.join(", "), () => expectOneRefusal(api, lines, before));
  }),
);

/** Tolerances: a second before the limit for clocks; more after it: a deployment checks every two seconds and may be busy. */
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

/** Incomplete requests: the rejection must come when the time is up, not before. */
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

/** More than the buffers between two machines can hold. */
const UNREAD_BYTES = 32 * 1024 * 1024;
const STALLED_MS = 30_000;

const slow = { effect: "hostile", slow: true } as const;

/** The time limits for receiving a request and for reading a response (D13). */
const timeouts: readonly Check[] = [
  ...PARTS.map(([id, limitMs, part]) =>
    check(id, slow, async (api) => {
      const startedAt = performance.now();
      const raw = await api.raw(part(api), { timeoutMs: limitMs + LATE_MS });
      const reply = answered(raw, "half a request");
      expectNotBefore(limitMs, startedAt);
      expectOutcome(reply, "request-timeout");
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

/** The end of a message: ambiguous, or too late (D13). */
export const framing: readonly Check[] = [...ambiguous, ...timeouts];

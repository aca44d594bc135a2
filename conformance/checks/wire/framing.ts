import type { Api } from "../../client/api.ts";
import { describe, expectProblem, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { answered, ending } from "../probe.ts";
import { emptyCreate, refusedPost, SYSINFO } from "./support.ts";

const SILENCE_MS = 5000;
const SMUGGLED = "conformance-smuggled";

/** Bytes that one way of reading takes for the rest of the body, and the other for a request of its own. */
function smuggled(api: Api): string {
  const request = api.rawRequest({
    target: api.path(SYSINFO),
    headers: [["X-Request-Id", SMUGGLED]],
    connection: null,
  });
  return request.toString("latin1");
}

type Fields = readonly (readonly [name: string, value: string])[];

const LAST_CHUNK = "0\r\n\r\n";

interface Case {
  readonly fields: (length: number) => Fields;
  /** Before the smuggled request. */
  readonly body?: string;
}

const CASES: Readonly<Record<string, Case>> = {
  "length-then-chunks": {
    fields: (length) => [
      ["Content-Length", String(length)],
      ["Transfer-Encoding", "chunked"],
    ],
    body: LAST_CHUNK,
  },
  "chunks-then-length": {
    fields: (length) => [
      ["Transfer-Encoding", "chunked"],
      ["Content-Length", String(length)],
    ],
    body: LAST_CHUNK,
  },
  "short-length-and-chunks": {
    fields: () => [
      ["Content-Length", "5"],
      ["Transfer-Encoding", "chunked"],
    ],
    body: LAST_CHUNK,
  },
  "chunks-in-another-case": {
    fields: () => [
      ["content-length", "5"],
      ["TRANSFER-ENCODING", "Chunked"],
    ],
    body: LAST_CHUNK,
  },
  "two-lengths": {
    fields: (length) => [
      ["Content-Length", "0"],
      ["Content-Length", String(length)],
    ],
  },
  "two-lengths-reversed": {
    fields: (length) => [
      ["Content-Length", String(length)],
      ["content-length", "0"],
    ],
  },
  "lengths-in-a-list": { fields: (length) => [["Content-Length", `0, ${length}`]] },
  "negative-length": { fields: () => [["Content-Length", "-1"]] },
  "negative-long-length": { fields: (length) => [["Content-Length", `-${length}`]] },
  "signed-length": { fields: () => [["Content-Length", "+0"]] },
  "hexadecimal-length": { fields: () => [["Content-Length", "0x0"]] },
  "fractional-length": { fields: () => [["Content-Length", "0.0"]] },
  "length-in-words": { fields: () => [["Content-Length", "none"]] },
  "length-with-a-blank": { fields: (length) => [["Content-Length", `0 ${length}`]] },
  "length-beyond-counting": { fields: () => [["Content-Length", "18446744073709551616"]] },
  "chunked-not-last": { fields: () => [["Transfer-Encoding", "chunked, identity"]], body: LAST_CHUNK },
  "two-codings": {
    fields: () => [
      ["Transfer-Encoding", "chunked"],
      ["Transfer-Encoding", "identity"],
    ],
    body: LAST_CHUNK,
  },
  "unknown-coding": { fields: () => [["Transfer-Encoding", "xchunked"]], body: LAST_CHUNK },
  "coding-after-a-blank": {
    fields: () => [
      ["Content-Length", "0"],
      ["Transfer-Encoding ", "chunked"],
    ],
    body: LAST_CHUNK,
  },
  "coding-after-a-control-character": {
    fields: () => [
      ["Content-Length", "0"],
      ["Transfer-Encoding", "\x0bchunked"],
    ],
    body: LAST_CHUNK,
  },
};

/** One message must not be two (RFC 9112, 6.3 and 11.2). */
export const framing: readonly Check[] = Object.entries(CASES).map(([name, { fields, body = "" }]) =>
  check(`http/framing#${name}`, { effect: "hostile" }, async (api) => {
    const request = refusedPost(api);
    const whole = answered(await api.raw(api.rawRequest({ ...request, body: emptyCreate })), "a body with one length");
    expectProblem(whole, 422, "invalid-input");
    const bytes = body + smuggled(api);
    const headers = [...(request.headers ?? []), ...fields(bytes.length)];
    const ambiguous = api.rawRequest({ ...request, headers, body: bytes, connection: null });
    const raw = await api.raw(ambiguous, { answers: Number.POSITIVE_INFINITY, timeoutMs: SILENCE_MS });
    const second = raw.replies.find((reply) => reply.header("x-request-id") === SMUGGLED);
    if (second) fail("connection", "no second request read out of the body", `its answer: ${describe(second)}`);
    const served = raw.replies.find(({ status }) => status < 400);
    if (served) fail("connection", "an ambiguous request refused", describe(served));
    if (raw.replies.length > 1) fail("connection", "one refusal", ending(raw));
    const [refusal] = raw.replies;
    if (!refusal && !raw.closed) fail("body", "an ambiguous request refused", ending(raw));
    // Any other code would say that the body has been read, by one of the two lengths.
    if (refusal?.mediaType === "application/problem+json") expectProblem(refusal, 400, "malformed-request");
  }),
);

import type { Api } from "../../client/api.ts";
import { describe, expectProblem, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { ending, inCase } from "../probe.ts";
import { ALL, emptyCreate, expectCases, type Field, refusedPost, SILENCE_MS, sysinfo, withFields } from "./support.ts";

/** Header lines of a request, `#` for the length of its whole body. */
type Lines = readonly string[];

/** The body is the next request, or nothing. */
const LENGTHS: readonly Lines[] = [
  ["Content-Length: 0", "Content-Length: #"],
  ["Content-Length: #", "content-length: 0"],
  ...["0, #", "-1", "-#", "+0", "0x0", "0.0", "none", "0 #", "18446744073709551616"].map((length) => [
    `Content-Length: ${length}`,
  ]),
];

/** The body is a last chunk, and the next request. */
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
  // Bytes that one way of reading takes for the rest of the body, and the other for a request of its own.
  const next = api.rawRequest(sysinfo(api, { headers: [["X-Request-Id", `next-${api.runId}`]], connection: null }));
  const body = before + next.toString("latin1");
  const request = withFields(refusedPost(api), ...lines.map((line) => fieldOf(line, body.length)));
  const ambiguous = api.rawRequest({ ...request, body, connection: null });
  const raw = await api.raw(ambiguous, { answers: ALL, timeoutMs: SILENCE_MS });
  const second = raw.replies.find((reply) => reply.header("x-request-id") === `next-${api.runId}`);
  if (second) fail("connection", "no second request read out of the body", `its answer: ${describe(second)}`);
  const served = raw.replies.find(({ status }) => status < 400);
  if (served) fail("status", "an ambiguous request refused", describe(served));
  const [refusal, ...more] = raw.replies;
  if (more.length > 0 || (!refusal && !raw.closed)) fail("connection", "one refusal", ending(raw));
  // Any other code would say that the body has been read, by one of the two lengths.
  if (refusal?.mediaType === "application/problem+json") expectProblem(refusal, 400, "malformed-request");
}

/** One message must not be two (RFC 9112, 6.3 and 11.2). */
export const framing: readonly Check[] = Object.entries({
  lengths: { cases: LENGTHS, before: "" },
  codings: { cases: CODINGS, before: LAST_CHUNK },
}).map(([variant, { cases, before }]) =>
  check(`http/framing#${variant}`, { effect: "hostile" }, async (api) => {
    await expectCases(api, [["a body with one length", { ...refusedPost(api), body: emptyCreate }, "invalid-input"]]);
    for (const lines of cases) await inCase(lines.join(", "), () => expectOneRefusal(api, lines, before));
  }),
);

import { differs } from "../laws/difference.ts";
import type { Request } from "../oracle/world.ts";
import type { Run, Script } from "../run/state.ts";
import { page, post, simple } from "./requests.ts";
import { script } from "./script.ts";

/** How long a client may take to send a request, or to read a response (D13). */

/** Tolerances: a second before the limit for clocks; more after it: a deployment checks every two seconds and may be busy. */
const EARLY_MS = 1000;
const LATE_MS = 12_000;
/** More than the buffers between two machines can hold. */
const UNREAD_BYTES = 32 * 1024 * 1024;

const early = (limitMs: number, elapsedMs: number) =>
  differs("connection", `nothing before ${limitMs / 1000} s`, `the end after ${Math.round(elapsedMs)} ms`);

/** Half a request: without this many bytes at its end. */
const half = (what: string, requirement: string, limitMs: number, missing: number, requestOf: (run: Run) => Request) =>
  script(
    `half a ${what}`,
    requirement,
    "hostile",
    async function* (talk) {
      const bytes = talk.bytesOf(requestOf(talk.run), false).subarray(0, -missing);
      const conversation = await talk.send(bytes, { heads: [false], responses: 1, timeoutMs: limitMs + LATE_MS });
      const {
        responses: [response],
        elapsedMs,
      } = conversation;
      const exchange = talk.exchangeOf(bytes, conversation);
      const status = talk.run.suite.oracle.contract.problems["request-timeout"]?.status;
      const code = String(Object(response?.json).code);
      if (!response) yield talk.unlike(`${status} request-timeout to half a request`, bytes, conversation);
      else if (response.status !== status || code !== "request-timeout")
        yield talk.found(differs("status", `${status} request-timeout`, `${response.status} ${code}`), exchange, bytes);
      else if (elapsedMs < limitMs - EARLY_MS) yield talk.found(early(limitMs, elapsedMs), exchange, bytes);
    },
    { slow: true },
  );

/**
 * A client that does not read. A server that closes the connection in order, having read all requests, shows that only to who reads:
 * then what it had sent ends before the last response.
 */
export const stalled = (limitMs: number, lateMs = LATE_MS): Script =>
  script(
    "a client that does not read",
    "http/stalled-client",
    "hostile",
    async function* (talk) {
      const request = page(talk.run);
      const { response } = await talk.run.client.send(request, { isFile: true });
      const count = Math.ceil(UNREAD_BYTES / Math.max(1, response?.body.length ?? 1));
      if (count > UNREAD_BYTES / 1024) return;
      const bytes = Buffer.concat(Array.from({ length: count }, () => talk.bytesOf(request, false)));
      const unreadMs = limitMs + lateMs;
      const heads = Array.from({ length: count }, () => false);
      const conversation = await talk.send(bytes, { heads, unreadMs, timeoutMs: 2 * unreadMs });
      const { closed, responses, elapsedMs } = conversation;
      const [one = bytes] = [talk.bytesOf(request, false)];
      if (closed === null || responses.length >= count)
        yield talk.unlike("the end of the connection of a client that does not read", one, conversation);
      else if (elapsedMs < limitMs - EARLY_MS)
        yield talk.found(early(limitMs, elapsedMs), talk.exchangeOf(one, conversation), bytes);
    },
    { slow: true },
  );

export const timeouts: readonly Script[] = [
  half("head", "http/headers-timeout", 10_000, 2, simple),
  half("line of a head", "http/headers-timeout", 10_000, 40, simple),
  half("body", "http/request-timeout", 30_000, 3, post),
  half("chunk", "http/request-timeout", 30_000, 12, (run) => ({ ...post(run), framing: { chunks: [99] } })),
  stalled(30_000),
];

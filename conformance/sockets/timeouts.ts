import type { Conversation } from "../http/conversation.ts";
import type { Request } from "../oracle/model-state.ts";
import type { Run, Script } from "../run/state.ts";
import type { SocketTestContext } from "./context.ts";
import { page, post, script, simple } from "./requests.ts";

/** How long a client may take to send a request, or to read a response (D13). */

/**
 * Tolerances: a second before the limit for clocks; more after it: a deployment checks every two
 * seconds and may be busy.
 */
const EARLY_MS = 1000;
const LATE_MS = 12_000;
/** More than the buffers between two machines can hold. */
const UNREAD_BYTES = 32 * 1024 * 1024;

const SLOW = { effect: "hostile", slow: true } as const;

function* ofEarlyEnd(
  context: SocketTestContext,
  limitMs: number,
  bytes: Buffer,
  conversation: Conversation,
  written = bytes,
) {
  const actual = `the end after ${Math.round(conversation.elapsedMs)} ms`;
  if (conversation.elapsedMs < limitMs - EARLY_MS)
    yield context.unlike(`nothing before ${limitMs / 1000} s`, bytes, conversation, {
      actual,
      written,
    });
}

/** Half a request: without this many bytes at its end. */
const half = (
  what: string,
  requirement: string,
  limitMs: number,
  missing: number,
  requestOf: (run: Run) => Request,
) =>
  script(`half a ${what}`, requirement, SLOW, async function* (context) {
    const bytes = context.bytesOf(requestOf(context.run), false).subarray(0, -missing);
    const conversation = await context.send(bytes, {
      heads: [false],
      responses: 1,
      timeoutMs: limitMs + LATE_MS,
    });
    context.exercised();
    const [response] = conversation.responses;
    const { problems } = context.run.suite.oracle.contract;
    const wanted = `${problems["request-timeout"]?.status} request-timeout`;
    const said = response && `${response.status} ${Object(response.json).code}`;
    if (said === undefined)
      yield context.unlike(`${wanted} to half a request`, bytes, conversation);
    else if (said !== wanted)
      yield context.unlike(wanted, bytes, conversation, { aspect: "status", actual: said });
    else yield* ofEarlyEnd(context, limitMs, bytes, conversation);
  });

/**
 * A client that does not read. A server that closes the connection in order, having read all
 * requests, shows that only to who reads: then what it had sent ends before the last response.
 */
export const stalled = (limitMs: number, latestMs: number): Script =>
  script("a client that does not read", "http/stalled-client", SLOW, async function* (context) {
    const request = page(context.run);
    const { response } = await context.run.client.send(request, { isFile: true });
    const count = Math.ceil(UNREAD_BYTES / Math.max(1, response?.body.length ?? 1));
    if (count > UNREAD_BYTES / 1024) return;
    const requestBytes = context.bytesOf(request, false);
    const bytes = Buffer.concat(Array<Buffer>(count).fill(requestBytes));
    const heads = Array<boolean>(count).fill(false);
    const conversation = await context.send(bytes, {
      heads,
      unreadMs: latestMs,
      timeoutMs: 2 * latestMs,
    });
    context.exercised();
    if (conversation.closed === null || conversation.responses.length >= count)
      yield context.unlike(
        "the end of the connection of a client that does not read",
        requestBytes,
        conversation,
      );
    else yield* ofEarlyEnd(context, limitMs, requestBytes, conversation, bytes);
  });

export const timeouts: readonly Script[] = [
  half("head", "http/headers-timeout", 10_000, 2, simple),
  half("line of a head", "http/headers-timeout", 10_000, 40, simple),
  half("body", "http/request-timeout", 30_000, 3, post),
  half("chunk", "http/request-timeout", 30_000, 12, (run) => ({
    ...post(run),
    framing: { chunks: [99] },
  })),
  stalled(30_000, 60_000 + LATE_MS),
];

import type { Socket } from "node:net";
import { answerBytes, keepsConnection, type Received } from "./answer.ts";
import { Inbox } from "./inbox.ts";
import type { Context, Hooks, ProxyAnswer, ProxyRequest } from "./message.ts";
import { passThrough } from "./pass-through.ts";
import { readRequest, requestBytes } from "./request.ts";
import { connect, receive, TargetClosed } from "./upstream.ts";

/** Milliseconds without a byte after which half a request is piped unchanged, so that the target's own time-outs take effect. */
const PATIENCE = 250;

/** Serves one client connection: requests go through the hooks, other bytes are passed on raw. */
export async function serve(client: Socket, hooks: Hooks, shared: Omit<Context, "forward">): Promise<void> {
  const inbox = new Inbox(client);
  for (;;) {
    const read = readRequest(inbox.bytes);
    if (read === "more" && !inbox.ended) {
      const pending = inbox.bytes.length > 0;
      if ((await inbox.change(pending ? PATIENCE : null)) === "change") continue;
    }
    if (inbox.closed) return;
    if (inbox.bytes.length === 0) break;
    // A server may drop the response to a request if garbage follows at once: both belong together.
    if (typeof read === "string" || readRequest(inbox.bytes.subarray(read.length)) === "unreadable") {
      const forward = async (request: ProxyRequest) => (await ask(request, inbox, shared.target)).answer;
      return passThrough(inbox, hooks, { ...shared, forward });
    }
    inbox.take(read.length);
    if (!(await answerOne(read.request, inbox, hooks, shared))) break;
  }
  // The client's close is not awaited, but what it still sends is read: unread bytes would reset the connection.
  client.end();
}

/** Responds to one request. False: the connection ends after it. */
async function answerOne(request: ProxyRequest, inbox: Inbox, hooks: Hooks, shared: Omit<Context, "forward">) {
  const client = inbox.socket;
  const originals = new Map<ProxyAnswer, Received>();
  const forward = async (asked: ProxyRequest, interim?: (bytes: Buffer) => void) => {
    const received = await ask(asked, inbox, shared.target, asked === request, interim);
    // For HEAD, the bytes of a response to another method would be wrong.
    if (asked.method === request.method) originals.set(received.answer, received);
    return received.answer;
  };
  const context: Context = { ...shared, forward: (asked) => forward(asked) };
  try {
    const asked = (await hooks.request?.(request, context)) ?? request;
    const answer = "status" in asked ? asked : await forward(asked, (bytes) => client.write(bytes));
    const changed = "status" in asked ? asked : ((await hooks.answer?.(answer, request, context)) ?? answer);
    const original = originals.get(changed);
    if (!client.write(original?.bytes ?? answerBytes(changed, request.method))) await drained(client);
    return keepsConnection(request, changed) && (original?.persistent ?? true);
  } catch (thrown) {
    if (!(thrown instanceof TargetClosed)) throw thrown;
    if (thrown.reset && thrown.bytes.length === 0) client.resetAndDestroy();
    else client.write(thrown.bytes);
    return false;
  }
}

/** Milliseconds in which a client must continue to read: the target, whose responses are read at once, cannot detect it (D13). */
const STALLED = 30_000;

/** Waits for a client that does not read, and finally destroys its connection. */
async function drained(client: Socket): Promise<void> {
  if (client.destroyed) return;
  const timer = setTimeout(() => client.destroy(), STALLED);
  await new Promise<void>((resolve) => client.once("drain", resolve).once("close", resolve));
  clearTimeout(timer);
}

/** Sends one request on a separate connection, which ends and breaks when the client's does. Throws `TargetClosed`. */
async function ask(
  request: ProxyRequest,
  { socket, ended }: Inbox,
  target: URL,
  untouched = false,
  interim: (bytes: Buffer) => void = () => {},
): Promise<Received> {
  const upstream = connect(target, socket.remoteAddress);
  const end = () => upstream.end();
  const close = () => upstream.destroy();
  socket.on("end", end).on("close", close);
  try {
    upstream.write(untouched ? request.rawBytes : requestBytes(request));
    if (ended) upstream.end();
    return await receive(upstream, request.method, interim);
  } finally {
    socket.off("end", end).off("close", close);
    upstream.destroy();
  }
}

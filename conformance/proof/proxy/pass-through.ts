import type { Socket } from "node:net";
import { answerBytes } from "./answer.ts";
import type { Inbox } from "./inbox.ts";
import type { Context, Hooks } from "./message.ts";
import { connect, receive, TargetClosed } from "./upstream.ts";

/** From here on the connection is the target's: bytes in both directions, closes and resets included. */
export async function passThrough(inbox: Inbox, hooks: Hooks, context: Context): Promise<void> {
  const client = inbox.socket;
  const own = await hooks.unreadable?.(inbox.bytes, context);
  if (own) {
    client.end(answerBytes(own, "GET"));
    return;
  }
  const upstream = connect(context.target, client.remoteAddress);
  const sent = inbox.release();
  upstream.write(sent);
  if (inbox.ended) upstream.end();
  else client.pipe(upstream);
  client.on("close", () => upstream.destroy());
  if (!hooks.unreadableAnswer) return join(upstream, client);
  try {
    // Read as a response to GET, since the request is unknown.
    const received = await receive(upstream, "GET", (bytes) => client.write(bytes));
    const changed = await hooks.unreadableAnswer(received.answer, sent, context);
    if (changed === received.answer) {
      client.write(Buffer.concat([received.bytes, received.rest]));
      return join(upstream, client);
    }
    client.write(answerBytes(changed, "GET"));
  } catch (thrown) {
    if (!(thrown instanceof TargetClosed)) throw thrown;
    client.write(thrown.bytes);
  }
  leave(upstream, client);
}

/** Pipes the target's bytes to the client; a reset before any of them is passed on as one. */
function join(upstream: Socket, client: Socket): void {
  if (upstream.readableEnded || upstream.destroyed) {
    leave(upstream, client);
    return;
  }
  upstream.on("error", () => {
    if (upstream.bytesRead === 0) client.resetAndDestroy();
  });
  upstream.on("close", () => leave(upstream, client));
  upstream.pipe(client);
}

/** Ends the client's connection, and continues reading: a client that still uploads must be able to read the response. */
function leave(upstream: Socket, client: Socket): void {
  client.unpipe(upstream);
  upstream.destroy();
  client.resume();
  client.end();
}

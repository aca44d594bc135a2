import type { Socket } from "node:net";
import { ResponseParser } from "../../http/response-parser.ts";
import { connect } from "../../http/socket.ts";
import type { Target } from "../../http/target.ts";
import type { Request } from "../../oracle/model-state.ts";
import {
  answerBytes,
  keepsConnection,
  type ReadRequest,
  readRequest,
  requestBytes,
} from "./bytes.ts";
import type { Context, Hooks, Reply } from "./message.ts";

/**
 * Milliseconds without a byte after which half a request is piped unchanged, so that the target's
 * own timeouts take effect.
 */
const PATIENCE = 250;

/** The bytes that a client has sent and that are not yet consumed. */
class Inbox {
  bytes: Buffer = Buffer.alloc(0);
  /** The client will send nothing more. */
  ended = false;
  private changed: () => void = () => {};

  constructor(readonly socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.bytes = Buffer.concat([this.bytes, chunk]);
      this.changed();
    });
    for (const event of ["end", "close"])
      socket.on(event, () => {
        this.ended = true;
        this.changed();
      });
  }

  /** Whether bytes have come, or the end, within so many milliseconds; null waits for ever. */
  change(patience: number | null): Promise<boolean> {
    return new Promise((resolve) => {
      // A busy event loop fires timers before it reads its sockets: bytes that already wait take
      // precedence.
      const idle = () => setImmediate(() => resolve(false));
      const timer = patience === null ? undefined : setTimeout(idle, patience);
      this.changed = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

/** Serves one client connection: requests go through the hooks, other bytes are passed on raw. */
export async function serve(hooks: Hooks, shared: Omit<Context, "forward">): Promise<void> {
  const { client, target } = shared;
  const inbox = new Inbox(client);
  const forward = (request: Request, bytes = requestBytes(request)) =>
    ask(bytes, request.method, target);
  const context: Context = { ...shared, forward: (request) => forward(request) };

  /** Responds to one request. False: the connection ends after it. */
  const respond = async ({ request, bytes }: ReadRequest) => {
    const hooked = (await hooks.request?.(request, context)) ?? request;
    let reply = hooked;
    if (!("status" in reply)) {
      // The target closes the connection without a response (D13).
      if (reply.method === "CONNECT") return false;
      reply = await forward(reply, reply === request ? bytes : undefined);
      reply = (await hooks.answer?.(reply, request, context)) ?? reply;
    }
    client.write(answerBytes(reply, request.method));
    return keepsConnection(request, reply);
  };

  for (;;) {
    const read = readRequest(inbox.bytes);
    const patience = inbox.bytes.length > 0 ? PATIENCE : null;
    if (read === "more" && !inbox.ended && (await inbox.change(patience))) continue;
    if (client.destroyed) return;
    if (inbox.bytes.length === 0) break;
    // A server may drop the response to a request if garbage follows at once: where no hook
    // changes the response, both are passed on together.
    if (
      typeof read === "string" ||
      (!hooks.answer && readRequest(inbox.bytes.subarray(read.bytes.length)) === "unreadable")
    ) {
      const instead = (await hooks.unreadable?.(inbox.bytes, context)) ?? inbox.bytes;
      if (!Buffer.isBuffer(instead)) {
        client.write(answerBytes(instead, "GET"));
        break;
      }
      if (instead.equals(inbox.bytes)) return passThrough(inbox, target);
      inbox.bytes = instead;
      continue;
    }
    inbox.bytes = inbox.bytes.subarray(read.bytes.length);
    if (!(await respond(read))) break;
  }
  // The client's close is not awaited, but what it still sends is read: unread bytes would reset
  // the connection.
  client.end();
}

/** Sends one request on a connection of its own. */
function ask(bytes: Buffer, method: string, target: Target): Promise<Reply> {
  const upstream = connect({ target, certificate: null });
  const parser = new ResponseParser(method === "HEAD", Number.POSITIVE_INFINITY);
  return new Promise((resolve, reject) => {
    const settle = () => {
      const { received } = parser;
      if (!received) return;
      resolve({ ...received.head, body: received.body });
      upstream.destroy();
    };
    upstream.on("data", (chunk) => {
      parser.add(chunk);
      settle();
    });
    upstream.on("end", () => {
      parser.finish();
      settle();
    });
    upstream.on("error", reject);
    upstream.on("close", () => reject(new Error("the target sent no whole response")));
    upstream.write(bytes);
  });
}

/**
 * From here on the connection is the target's: bytes in both directions, closes and resets
 * included.
 */
function passThrough({ bytes, ended, socket: client }: Inbox, target: Target): void {
  const upstream = connect({ target, certificate: null });
  client.removeAllListeners("data");
  upstream.write(bytes);
  if (ended) upstream.end();
  else client.pipe(upstream);
  client.on("close", () => upstream.destroy());
  // A reset before any bytes is passed on as one.
  upstream.on("error", () => upstream.bytesRead === 0 && client.resetAndDestroy());
  upstream.on("close", () => {
    // A client that still uploads must be able to read the response.
    client.unpipe(upstream);
    client.resume();
    client.end();
  });
  upstream.pipe(client);
}

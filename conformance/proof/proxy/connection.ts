import type { Socket } from "node:net";
import { Arriving } from "../../http/arriving.ts";
import { connect } from "../../http/socket.ts";
import type { Target } from "../../http/target.ts";
import type { Request } from "../../oracle/world.ts";
import {
  answerBytes,
  keepsConnection,
  type ReadRequest,
  readRequest,
  requestBytes,
} from "./bytes.ts";
import type { Context, Hooks, ProxyAnswer } from "./message.ts";

/** Milliseconds without a byte after which half a request is piped unchanged, so that the target's own time-outs take effect. */
const PATIENCE = 250;
/** Milliseconds in which a client must continue to read: the target, whose responses are read at once, cannot detect it (D13). */
const STALLED = 30_000;

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
      // A busy event loop fires timers before it reads its sockets: bytes that already wait take precedence.
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
  const originals = new WeakMap<ProxyAnswer, Received>();
  const forward = async (request: Request, bytes = requestBytes(request)) => {
    const received = await ask(bytes, request.method, inbox, target);
    originals.set(received.answer, received);
    return received.answer;
  };
  const context: Context = { ...shared, forward: (request) => forward(request) };

  /** Responds to one request. False: the connection ends after it. */
  const respond = async ({ request, bytes }: ReadRequest) => {
    const asked = (await hooks.request?.(request, context)) ?? request;
    const answer =
      "status" in asked ? asked : await forward(asked, asked === request ? bytes : undefined);
    const changed =
      "status" in asked ? asked : ((await hooks.answer?.(answer, request, context)) ?? answer);
    const received = originals.get(changed);
    // For HEAD, the bytes of a response to another method would be wrong.
    const original = received?.method === request.method ? received : undefined;
    if (!client.write(original?.bytes ?? answerBytes(changed, request.method)))
      await drained(client);
    return keepsConnection(request, changed) && (original?.persists ?? true);
  };

  for (;;) {
    const read = readRequest(inbox.bytes);
    const patience = inbox.bytes.length > 0 ? PATIENCE : null;
    if (read === "more" && !inbox.ended && (await inbox.change(patience))) continue;
    if (client.destroyed) return;
    if (inbox.bytes.length === 0) break;
    // A server may drop the response to a request if garbage follows at once: both belong together.
    if (
      typeof read === "string" ||
      readRequest(inbox.bytes.subarray(read.bytes.length)) === "unreadable"
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
    if (!(await respond(read).catch((thrown) => endAs(client, thrown)))) break;
  }
  // The client's close is not awaited, but what it still sends is read: unread bytes would reset the connection.
  client.end();
}

/** Ends a connection as the target did. */
function endAs(client: Socket, thrown: unknown): boolean {
  if (!(thrown instanceof TargetClosed)) throw thrown;
  if (thrown.reset && thrown.bytes.length === 0) client.resetAndDestroy();
  else client.write(thrown.bytes);
  return false;
}

/** Waits for a client that does not read, and finally destroys its connection. */
async function drained(client: Socket): Promise<void> {
  if (client.destroyed) return;
  const timer = setTimeout(() => client.destroy(), STALLED);
  await new Promise<void>((resolve) => client.once("drain", resolve).once("close", resolve));
  clearTimeout(timer);
}

/** The target closed the connection before a whole response came, or sent a response that is not HTTP. */
class TargetClosed extends Error {
  constructor(
    /** The bytes received. */
    readonly bytes: Buffer,
    /** The connection was reset instead of closed. */
    readonly reset: boolean,
  ) {
    super("the target closed the connection without a whole answer");
  }
}

interface Received {
  readonly answer: ProxyAnswer;
  readonly method: string;
  /** With interim responses before it. */
  readonly bytes: Buffer;
  /** The connection can carry another request after it. */
  readonly persists: boolean;
}

/** Sends one request on a separate connection, which ends and breaks when the client's does. Throws `TargetClosed`. */
async function ask(
  bytes: Buffer,
  method: string,
  { socket, ended }: Inbox,
  target: Target,
): Promise<Received> {
  const upstream = connect({ target, certificate: null });
  const end = () => upstream.end();
  const close = () => upstream.destroy();
  socket.on("end", end).on("close", close);
  try {
    upstream.write(bytes);
    if (ended) upstream.end();
    return await receive(upstream, method);
  } finally {
    socket.off("end", end).off("close", close);
    upstream.destroy();
  }
}

function receive(upstream: Socket, method: string): Promise<Received> {
  const arriving = new Arriving(method === "HEAD", Number.POSITIVE_INFINITY);
  return new Promise((resolve, reject) => {
    const look = () => {
      const { received, bytes, behind, persists } = arriving;
      if (!received) return;
      const answer = { ...received.head, body: received.body };
      resolve({ answer, method, bytes: bytes.subarray(0, bytes.length - behind), persists });
    };
    upstream.on("data", (chunk) => {
      arriving.add(chunk);
      look();
    });
    upstream.on("end", () => {
      arriving.finish();
      look();
    });
    upstream.on("error", () => reject(new TargetClosed(arriving.bytes, true)));
    upstream.on("close", () => reject(new TargetClosed(arriving.bytes, false)));
  });
}

/** From here on the connection is the target's: bytes in both directions, closes and resets included. */
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

import net from "node:net";
import tls from "node:tls";
import type { Response } from "../exchange.ts";
import type { Gateway } from "./gateway.ts";
import { stopped } from "./rate-limiter.ts";
import { createResponse } from "./response.ts";
import { ResponseParser } from "./response-parser.ts";
import type { Target } from "./target.ts";

/** How requests reach a target, by either way. */
export interface Endpoint {
  readonly target: Target;
  readonly certificate: Gateway["certificate"];
  /** Per request, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the run: a request in flight is dropped and throws `RunAborted`. */
  readonly signal: AbortSignal;
  /** The number of a connection in this run. */
  readonly numberOf: (socket: net.Socket) => number;
}

export interface Received {
  readonly response: Response | null;
  /** Why there is no response: `connection reset`. */
  readonly error: string | null;
  /** 0: there was none. */
  readonly connection: number;
}

export interface WireRequest {
  readonly bytes: Buffer;
  /** The response to HEAD has no body. */
  readonly isHead: boolean;
  /** The request ends its connection: nothing may follow its response. */
  readonly isClosing: boolean;
  /**
   * Whether bytes behind the response are right: an HTTP parser may answer a HEAD that it rejects
   * with a body.
   */
  readonly mayTrail: boolean;
  /**
   * It may be sent on a connection that was used before, and again on a new one if that is lost.
   */
  readonly mayReuse: boolean;
  /** The longest body that is read. */
  readonly most: number;
}

/** How long to wait for the end of a connection, to see that nothing follows a response. */
const LINGER_MS = 1000;

export const timedOut = (ms: number): string => `no response within ${ms / 1000} s`;

/** Numbers the connections of a run. */
export function createNumbering(): Endpoint["numberOf"] {
  const numbers = new WeakMap<net.Socket, number>();
  let last = 0;
  return (socket) => {
    const number = numbers.get(socket) ?? ++last;
    numbers.set(socket, number);
    return number;
  };
}

/** As many as a run uses at a time: a proxy may keep idle ones long, and limit them by address. */
const MOST_IDLE = 8;

/**
 * Writes exact bytes on connections that are kept for the next request, and reads the responses.
 */
export class Sockets {
  private readonly idle: net.Socket[] = [];

  constructor(private readonly endpoint: Endpoint) {}

  /** Resolves whatever the target does; throws only `RunAborted`. */
  async send(sending: WireRequest): Promise<Received> {
    const socket = sending.mayReuse ? this.idle.pop() : undefined;
    socket?.removeAllListeners();
    const received = socket && (await this.on(socket, sending));
    // A server may close a kept connection just when it is used again (RFC 9112, 9.3.1).
    return (
      received ??
      (await this.on(null, sending)) ?? { response: null, error: "no connection", connection: 0 }
    );
  }

  close(): void {
    for (const socket of this.idle.splice(0)) socket.destroy();
  }

  /** Null if a kept connection is lost before a response has begun. */
  private on(keptSocket: net.Socket | null, sending: WireRequest): Promise<Received | null> {
    const { timeoutMs, signal, numberOf } = this.endpoint;
    const { bytes, isHead, isClosing, mayTrail, most } = sending;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(stopped(signal));
      const socket = keptSocket ?? connect(this.endpoint);
      const parser = new ResponseParser(isHead, most);
      let isConnected = keptSocket !== null;
      let fault: NodeJS.ErrnoException | null = null;
      let linger: NodeJS.Timeout | undefined;
      const release = () => {
        clearTimeout(timer);
        clearTimeout(linger);
        signal.removeEventListener("abort", onStop);
        socket.removeAllListeners();
        // A later error is of no request.
        socket.on("error", () => {});
      };
      const settle = (reason: string | null) => {
        release();
        const { received, behind } = parser;
        const connection = isConnected ? numberOf(socket) : 0;
        const mayKeep = this.idle.length < MOST_IDLE && !isClosing && reason === null;
        if (parser.persists && mayKeep) this.keep(socket);
        else socket.destroy();
        const stray = behind > 0 && !mayTrail ? `${behind} bytes behind the response` : null;
        const error = received ? stray : (reason ?? parser.error);
        const response =
          received && error === null ? createResponse(received.head, received.body) : null;
        resolve({ response, error, connection });
      };
      const onStop = () => {
        release();
        socket.destroy();
        reject(stopped(signal));
      };
      const timer = setTimeout(() => settle(timedOut(timeoutMs)), timeoutMs);
      signal.addEventListener("abort", onStop, { once: true });
      socket.on("data", (chunk) => {
        parser.add(chunk);
        if (parser.error !== null || (parser.isWhole && !isClosing)) settle(null);
        else if (parser.isWhole) linger ??= setTimeout(() => settle(null), LINGER_MS);
      });
      socket.on("error", (error) => {
        fault = error;
      });
      socket.on("close", () => {
        const isLost = keptSocket !== null && parser.bytes.length === 0;
        parser.finish();
        const isCut = fault === null && parser.bytes.length > 0;
        if (!isLost)
          return settle(
            isCut ? "connection closed within a response" : explain(fault, isConnected),
          );
        release();
        resolve(null);
      });
      const begin = () => {
        isConnected = true;
        socket.write(bytes);
      };
      if (keptSocket) begin();
      else socket.once(this.endpoint.target.tls ? "secureConnect" : "connect", begin);
    });
  }

  private keep(socket: net.Socket): void {
    const drop = () => {
      const index = this.idle.indexOf(socket);
      if (index >= 0) this.idle.splice(index, 1);
      socket.destroy();
    };
    // Unexpected bytes as well: the next response would begin with them.
    for (const event of ["data", "end", "error", "close"]) socket.on(event, drop);
    this.idle.push(socket);
  }
}

/** Opens a connection to the target. */
export function connect({
  target,
  certificate,
}: Pick<Endpoint, "target" | "certificate">): net.Socket {
  const { hostname: host, port } = target;
  if (!target.tls) return net.connect({ host, port, noDelay: true });
  const name = net.isIP(host) ? {} : { servername: host };
  return tls
    .connect({
      host,
      port,
      ...name,
      ...(certificate && { cert: certificate.cert, key: certificate.key }),
    })
    .setNoDelay(true);
}

/** As text: `connection reset`. */
export function explain(error: NodeJS.ErrnoException | null, isConnected = true): string {
  if (!error) return "connection closed without a response";
  if (isConnected && (error.code === "ECONNRESET" || error.code === "EPIPE"))
    return "connection reset";
  // OpenSSL's message is a number, a library, a function, the reason, and a file of its source.
  const reason = /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(error.message)?.[1];
  if (reason) return `TLS: ${reason} (${error.code})`;
  return error.code ? `${error.message} (${error.code})` : error.message;
}

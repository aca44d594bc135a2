import { type IncomingMessage, METHODS, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressBlock } from "./limits/rate-limits.ts";
import type { OverloadGuard } from "./overload-guard.ts";
import type { Problem } from "./problem.ts";
import { receiveBody, type Upload } from "./request/body.ts";
import { clientAddress } from "./request/head.ts";
import type { Sender } from "./response/send.ts";
import { SlicedSocket } from "./sliced-socket.ts";
import type { TimeSlicedQueue } from "./time-sliced-queue.ts";

/** How the server treats what is not yet a request, D13. */
export interface ServerOptions {
  readonly sender: Sender;
  readonly guard: OverloadGuard;
  readonly limits: {
    readonly maxBodyBytes: number;
    readonly parserHeaderBytes: number;
    readonly maxConnections: number;
  };
  readonly timeouts: {
    readonly headersTimeoutMs: number;
    readonly requestTimeoutMs: number;
    readonly stalledTimeoutMs: number;
    readonly timeoutCheckMs: number;
    readonly keepAliveTimeoutMs: number;
    readonly drainTimeoutMs: number;
    readonly shutdownGraceMs: number;
  };
}

/** What the connections of a server share. */
export interface ServerState extends ServerOptions {
  readonly queue: TimeSlicedQueue;
  /** Whether the last response of each connection is to announce that it closes. */
  isClosing: boolean;
}

/** The method of a message by its first bytes; null when they hold none. */
function methodOf(bytes: Buffer): string | null {
  const [, method = ""] = /^\s*([A-Z-]+) /.exec(bytes.toString("latin1", 0, 32)) ?? [];
  return METHODS.includes(method) ? method : null;
}

/**
 * The order of one client's requests: the first is handled, and the next when its response has
 * left. Node's parser gets the next slice when no request waits, or only for the rest of its body.
 */
export class ClientConnection {
  readonly socket: SlicedSocket;
  readonly #server: ServerState;
  /** Whose turn it is to begin with what arrives, and to go on with what was sent ahead. */
  readonly #turns: { readonly arrival: string; readonly later: string };
  /** Requests without a response, oldest first. */
  readonly #pending: { readonly response: ServerResponse; readonly handle: () => void }[] = [];
  /** Whether the first of them is being handled. */
  #isHandling = false;
  #isScheduled = false;
  /** The body of the last request. */
  #upload: Upload | null = null;
  /** What the parser rejects behind the last request. */
  #failure: Problem | null = null;
  /** When the last response left. */
  #idleSince = Number.POSITIVE_INFINITY;

  constructor(socket: Socket, server: ServerState) {
    const { guard, queue, timeouts } = server;
    this.#server = server;
    const address = addressBlock(clientAddress(socket.remoteAddress, undefined, 0));
    this.#turns = { arrival: address, later: `${address} later` };
    this.socket = new SlicedSocket(socket, {
      guard,
      stalledTimeoutMs: timeouts.stalledTimeoutMs,
      onArrival: () => this.#schedule(this.#turns.arrival),
      enqueue: (task) => queue.add(this.#turns.later, task),
    });
    this.socket.drainMs = timeouts.drainTimeoutMs;
  }

  /** Registers a request, which is handled when those before it have their response. */
  add(response: ServerResponse<IncomingMessage>, handle: () => void): void {
    // RFC 9112 9.6: nothing is processed on a connection that ends.
    if (this.#isEnding) return;
    const { limits, guard } = this.#server;
    const { httpVersion, headers } = response.req;
    const { "transfer-encoding": coding } = headers;
    // RFC 9112 6.1, 6.3: where such a message ends is doubtful, so nothing behind it is read.
    if (coding !== undefined && (httpVersion !== "1.1" || coding.toLowerCase() !== "chunked"))
      response.shouldKeepAlive = false;
    this.socket.restart();
    this.#upload = receiveBody(response, limits.maxBodyBytes, guard);
    this.#pending.push({ response, handle });
    response.once("close", () => this.#next());
  }

  /**
   * Sends `problem` as the last response: to the last request when the rest of its body is
   * rejected, and otherwise behind it.
   */
  reject(problem: Problem): void {
    if (this.#isUploading) this.#upload?.fail(problem);
    else if (this.#isEnding) return;
    else if (this.#pending.length > 0) this.#failure ??= problem;
    else {
      const { sender } = this.#server;
      const { bytes, at } = this.socket.first ?? { bytes: Buffer.alloc(0), at: performance.now() };
      const method = methodOf(bytes);
      const request = { requestId: sender.requestIdOf(undefined), method, startedAt: at };
      this.socket.end(sender.serializeRaw(request, { outcome: problem, step: "readHead" }));
    }
  }

  /** Ends the connection behind the response to the last request. */
  end(): void {
    const last = this.#pending.at(-1);
    if (last) last.response.shouldKeepAlive = false;
    else this.socket.end();
  }

  /**
   * Announces with the response to the current request that the connection closes, unless another
   * one has arrived.
   */
  retire(): void {
    if (this.#pending.length === 1 && this.socket.waitingBytes === 0) this.end();
  }

  /**
   * Stops waiting: requests that have arrived completely are answered, incomplete ones are rejected
   * with `problem`.
   */
  shutDown(problem: Problem): void {
    if (this.#isUploading || (this.#pending.length === 0 && this.socket.first))
      this.reject(problem);
    else this.end();
  }

  /** Ends the connection when no further request has begun, at `now`. */
  checkIdle(now: number): void {
    if (this.#pending.length > 0) return;
    const { keepAliveTimeoutMs, requestTimeoutMs } = this.#server.timeouts;
    const { first } = this.socket;
    // Node rejects a head that has begun sooner: only empty lines take that long.
    const isIdle = first
      ? now - first.at >= 2 * requestTimeoutMs
      : now - this.#idleSince >= keepAliveTimeoutMs;
    if (isIdle) this.end();
  }

  get #isUploading(): boolean {
    return this.#pending.at(-1)?.response.req.complete === false;
  }

  get #isEnding(): boolean {
    return !this.socket.writable || this.#pending.at(-1)?.response.shouldKeepAlive === false;
  }

  /** Whether there is something for the parser, and it is between two messages, or in a body. */
  get #canFeed(): boolean {
    const { socket } = this;
    const { length } = this.#pending;
    if (!socket.hasArrived || !socket.writable || socket.isPaused() || this.#failure) return false;
    return length === 0 || (length === 1 && this.#isUploading && !this.#upload?.hasFailed());
  }

  #schedule(turn: string): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#server.queue.add(turn, this.#takeTurn);
  }

  /** Feeds the parser a slice; handles a request when all that has arrived of it is parsed. */
  readonly #takeTurn = (): void => {
    this.#isScheduled = false;
    if (this.#canFeed) this.socket.feed();
    const [current] = this.#pending;
    if (this.#canFeed) this.#schedule(this.#turns.later);
    else if (current && !this.#isHandling && !this.socket.destroyed) this.#begin(current.handle);
  };

  #begin(handle: () => void): void {
    this.#isHandling = true;
    if (this.#server.isClosing) this.retire();
    handle();
  }

  /** A response has left, or its client is gone. */
  #next(): void {
    const answered = this.#pending.shift();
    this.#isHandling = false;
    if (answered?.response.req.complete === false) {
      // The rest of an upload is not needed any more.
      this.socket.drainMs = this.#server.timeouts.requestTimeoutMs;
      this.socket.end();
    } else if (answered?.response.shouldKeepAlive === false) this.socket.end();
    if (!this.socket.writable) return;
    if (this.#pending.length === 0) {
      this.#idleSince = performance.now();
      this.socket.restart();
    }
    if (this.#pending.length === 0 && this.#failure) this.reject(this.#failure);
    else if (this.#pending.length > 0 || this.socket.hasArrived) this.#schedule(this.#turns.later);
  }
}

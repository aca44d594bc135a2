import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../config.ts";
import { Problem } from "../protocol/problem.ts";
import { breakUpload } from "./body.ts";
import { CRUMBLED, MessageReader } from "./message-reader.ts";

type ConnectionOptions = Pick<Config["timeouts"], "drainTimeoutMs" | "stalledTimeoutMs">;

/** The bytes of a response to a message that never became a request; `method` is null when unknown, `startedAt` is of `performance.now()`. */
export type Refuse = (problem: Problem, method: string | null, startedAt: number) => string;

/**
 * One socket, read message by message: nothing of the next request is parsed before the previous response has left.
 * So a client that does not read costs no more than its bytes, responses are in order, and when the parser rejects a message,
 * nothing else waits for a response.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #refuse: Refuse;
  readonly #parse: (bytes: Buffer) => void;
  readonly #message = new MessageReader();
  readonly #progress: WriteProgress;
  #request: IncomingMessage | null = null;
  /** Requests whose response has not left yet. */
  #pending: ServerResponse | null = null;
  /** Bytes after the message that is being parsed. */
  #held = 0;
  #isRetiring = false;
  #isEnding = false;
  #isClosed = false;

  /** Replaces Node's own listener between the socket and the parser. */
  constructor(socket: Socket, options: ConnectionOptions, refuse: Refuse) {
    const [parse] = socket.listeners("data");
    if (!parse) throw new Error("the parser does not listen to the socket");
    this.#parse = (bytes) => parse.call(socket, bytes);
    this.#socket = socket;
    this.#options = options;
    this.#refuse = refuse;
    this.#progress = new WriteProgress(socket);
    socket.removeAllListeners("data").on("data", (bytes: Buffer) => this.#read(bytes));
    // Node calls this after a response with `Connection: close`. It would destroy the socket at once, and any bytes that the
    // client still sends would cause a reset that destroys the response.
    socket.destroySoon = () => this.close();
  }

  /** Whether every message that has arrived was answered. */
  get isIdle(): boolean {
    return this.#pending === null && (this.#request?.complete ?? !this.#message.hasBegun);
  }

  /** When the message that is being read began, of `performance.now()`. */
  get startedAt(): number {
    return this.#message.startedAt;
  }

  /** Registers a request; `false` when the connection is ending and nothing may be processed (RFC 9112 9.6). */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#isEnding) return false;
    this.#request = request;
    this.#pending = response;
    const { "transfer-encoding": coding, "content-length": length = 0 } = request.headers;
    this.#message.expectBody(coding === undefined ? Number(length) : "chunks");
    // RFC 9112 6.1, 6.3: where such a message ends is doubtful, so nothing behind it is read.
    if (coding !== undefined && (request.httpVersion !== "1.1" || coding.toLowerCase() !== "chunked"))
      response.shouldKeepAlive = false;
    if (this.#isRetiring) this.retire();
    response.once("close", () => {
      this.#pending = null;
      if (this.#isEnding) this.close();
      else if (this.#socket.isPaused()) this.#socket.resume();
    });
    return true;
  }

  /** Ends the connection because nothing readable can follow: the response to the current request, or else `problem`, is the last one. */
  fail(problem: Problem): void {
    // Every further packet of a broken stream is reported as well.
    if (this.#isEnding || !this.#socket.writable) return;
    this.#isEnding = true;
    const isArriving = this.#request?.complete === false;
    if (this.#pending) {
      this.#pending.shouldKeepAlive = false;
      if (this.#request && isArriving) breakUpload(this.#request, problem);
      return;
    }
    const { method, startedAt } = this.#message;
    if (!isArriving) this.#socket.write(this.#refuse(problem, method, startedAt));
    this.close();
  }

  /** From now on the response to the last request that has arrived announces that the connection closes. */
  retire(): void {
    this.#isRetiring = true;
    if (this.#pending && this.#held + this.#socket.readableLength === 0) this.#pending.shouldKeepAlive = false;
  }

  /** Stops waiting: requests that have arrived completely are answered, incomplete ones are rejected with `problem`. */
  end(problem: Problem): void {
    if (this.isIdle) this.close();
    else this.fail(problem);
  }

  /** Gives up on a client that reads nothing of its responses. */
  check(now: number): void {
    if (this.#progress.stalledMs(now) >= this.#options.stalledTimeoutMs) this.#socket.destroy();
  }

  /** Half-closes, and reads on for a bounded time, so that the client can read the response before the socket is closed. */
  close(): void {
    this.#isEnding = true;
    if (this.#isClosed) return;
    this.#isClosed = true;
    const socket = this.#socket;
    socket.end(() => {
      const timer = setTimeout(() => socket.destroy(), this.#options.drainTimeoutMs).unref();
      socket.once("close", () => clearTimeout(timer));
    });
    socket.resume();
  }

  #read(bytes: Buffer): void {
    // Nothing more of a body in tiny pieces is parsed, nor what follows: it was rejected, and the connection ends.
    for (let rest = bytes; rest.length > 0 && !this.#isClosed && !this.#message.isCrumbled; ) {
      if (this.#request?.complete) {
        if (this.#pending) this.#socket.pause();
        else this.#nextMessage();
      }
      // The parser also pauses it when the body is not read as fast as it arrives.
      if (this.#socket.isPaused()) {
        this.#socket.unshift(rest);
        return;
      }
      const blank = this.#message.blank(rest);
      if (blank > 0) rest = rest.subarray(blank);
      else rest = this.#readPart(rest);
    }
  }

  /** The rest. */
  #readPart(bytes: Buffer): Buffer {
    const length = this.#message.take(bytes);
    this.#held = bytes.length - length;
    if (this.#message.isPreface) this.fail(new Problem("malformed-request"));
    else if (this.#message.isCrumbled) this.fail(new Problem("content-too-large", { detail: CRUMBLED }));
    else this.#parse(this.#held === 0 ? bytes : bytes.subarray(0, length));
    this.#held = 0;
    return bytes.subarray(length);
  }

  #nextMessage(): void {
    this.#request = null;
    this.#message.next();
  }
}

/** libuv's count of bytes that the kernel has not accepted yet: it falls with every part that leaves. Undeclared; Node's own idle timer uses it too. */
interface Queue {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/** Whether written bytes leave a socket, however slowly: the peer has to make room for them. */
export class WriteProgress {
  readonly #socket: Socket & Queue;
  #left = 0;
  #since = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Milliseconds, at `now`, during which no waiting byte has left, as far as earlier calls can show; 0 when nothing waits. */
  stalledMs(now: number): number {
    const { writableLength, bytesWritten, _handle } = this.#socket;
    const left = bytesWritten - (_handle?.writeQueueSize ?? writableLength);
    if (writableLength === 0 || left !== this.#left) {
      this.#left = left;
      this.#since = now;
    }
    return now - this.#since;
  }
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Config } from "../config.ts";
import { Problem } from "../protocol/problem.ts";
import { breakUpload } from "./body.ts";
import { MessageReader } from "./message-reader.ts";

type ConnectionOptions = Pick<Config["timeouts"], "drainTimeoutMs" | "stalledTimeoutMs">;

/** The bytes of an answer to a message that never became a request; `method` is null when it is not known, `startedAt` of `performance.now()`. */
export type Refuse = (problem: Problem, method: string | null, startedAt: number) => string;

/**
 * One socket, read message by message: nothing of the next request is parsed before the answer to the one before has left.
 * So a client that does not read costs no more than its bytes, answers are in order, and whatever the parser refuses is
 * the only thing to be answered.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #refuse: Refuse;
  readonly #parse: (bytes: Buffer) => void;
  readonly #message = new MessageReader();
  readonly #progress: WriteProgress;
  #request: IncomingMessage | null = null;
  /** Without an answer that has left. */
  #pending: ServerResponse | null = null;
  /** Behind what is being parsed. */
  #held = 0;
  #isRetiring = false;
  #isEnding = false;
  #isClosed = false;

  /** Takes the place of Node's own listener between the socket and the parser. */
  constructor(socket: Socket, options: ConnectionOptions, refuse: Refuse) {
    const [parse] = socket.listeners("data");
    if (!parse) throw new Error("the parser does not listen to the socket");
    this.#parse = (bytes) => parse.call(socket, bytes);
    this.#socket = socket;
    this.#options = options;
    this.#refuse = refuse;
    this.#progress = new WriteProgress(socket);
    socket.removeAllListeners("data").on("data", (bytes: Buffer) => this.#read(bytes));
    // Node calls this after an answer with `Connection: close`. It would destroy the socket at once, and whatever the
    // client still sends would turn into a reset that takes the answer with it.
    socket.destroySoon = () => this.close();
  }

  /** Whether nothing has come that is not answered. */
  get isIdle(): boolean {
    return this.#pending === null && (this.#request?.complete ?? !this.#message.hasBegun);
  }

  /** When the message that is being read began, of `performance.now()`. */
  get startedAt(): number {
    return this.#message.startedAt;
  }

  /** Takes note of a request; `false` when the connection is ending and nothing may be processed (RFC 9112 9.6). */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#isEnding) return false;
    this.#request = request;
    this.#pending = response;
    const { "transfer-encoding": coding, "content-length": length = 0 } = request.headers;
    this.#message.expectBody(coding === undefined ? Number(length) : "chunks");
    if (this.#isRetiring) this.retire();
    response.once("close", () => {
      this.#pending = null;
      if (this.#isEnding) this.close();
      else if (this.#socket.isPaused()) this.#socket.resume();
    });
    return true;
  }

  /** Ends the connection because nothing readable can follow: the answer to the request at hand, or else `problem`, is the last. */
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

  /** From now on the answer to the last request that has come says that the connection closes. */
  retire(): void {
    this.#isRetiring = true;
    if (this.#pending && this.#held + this.#socket.readableLength === 0) this.#pending.shouldKeepAlive = false;
  }

  /** Waits for nothing more: what has come whole is answered, what has come in part is refused with `problem`. */
  end(problem: Problem): void {
    if (this.isIdle) this.close();
    else this.fail(problem);
  }

  /** Gives up on a client that takes nothing of what it asked for. */
  check(now: number): void {
    if (this.#progress.stalledMs(now) >= this.#options.stalledTimeoutMs) this.#socket.destroy();
  }

  /** Half-closes, and reads on for a bounded time, so that the client can read the answer before the socket goes. */
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
    for (let rest = bytes; rest.length > 0 && !this.#isClosed; ) {
      if (this.#request?.complete) {
        if (this.#pending) this.#socket.pause();
        else this.#nextMessage();
      }
      // The parser pauses it, too, when the body is not read as fast as it comes.
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
    else this.#parse(this.#held === 0 ? bytes : bytes.subarray(0, length));
    this.#held = 0;
    return bytes.subarray(length);
  }

  #nextMessage(): void {
    this.#request = null;
    this.#message.next();
  }
}

/** libuv's count of what the kernel has yet to take: it falls with every part that leaves. Undeclared; Node's own idle timer looks at it too. */
interface Queue {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/** Whether what was written on a socket leaves it, however slowly: the peer has to make room for it. */
export class WriteProgress {
  readonly #socket: Socket & Queue;
  #left = 0;
  #since = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Milliseconds, at `now`, that nothing has left of what waits, as far as the calls to this one can tell; 0 when nothing waits. */
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

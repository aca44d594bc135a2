import { type IncomingMessage, METHODS, type RequestListener, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { OverloadGuard } from "./overload-guard.ts";
import { Problem } from "./problem.ts";
import { receiveBody, type Upload } from "./request/body.ts";
import type { Config } from "./settings/config.ts";
import type { TurnQueue } from "./turn-queue.ts";

const CR = 13;
const LF = 10;
const NOTHING: Buffer = Buffer.alloc(0);
const BLANK_LINE = "\r\n\r\n";
const TAIL_BYTES = BLANK_LINE.length - 1;
const PREFACE = "PRI ";
const LAST_CHUNK = "0\r\n\r\n";
/** Of a body in chunks, so much is parsed at once: after a trailer, requests may follow whose start is not looked for. */
const SLICE_BYTES = 2_048;
/** A response is written in parts of so many bytes: a slow reader makes progress with each. */
const PART_BYTES = 16_384;
/** The longest method that Node knows has eleven letters. */
const START_BYTES = 12;

export interface ConnectionOptions {
  readonly timeouts: Pick<
    Config["timeouts"],
    "drainTimeoutMs" | "keepAliveTimeoutMs" | "requestTimeoutMs" | "stalledTimeoutMs"
  >;
  readonly maxBodyBytes: number;
  readonly guard: OverloadGuard;
  /** Of all connections. */
  readonly turns: TurnQueue;
  /** The bytes of a response to a message that never became a request; `method` is null when unknown, `startedAt` is of `performance.now()`. */
  readonly renderRejection: (problem: Problem, method: string | null, startedAt: number) => string;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly handle: RequestListener;
}

type Done = (error?: Error | null) => void;

/**
 * One client's socket, as Node's HTTP server sees it. Of what has arrived, Node's parser gets one message, and the next when the response
 * has left. So a client that sends ahead costs its bytes only, does not delay others, and gets its responses in order; when the parser
 * rejects a message, nothing else waits for a response. Where a message ends is found by what is cheap to see; the parser decides, and
 * the few further requests that it may find wait for their turn.
 */
export class ClientConnection extends Duplex {
  readonly remoteAddress: string | undefined;
  /** When the message that is arriving began, of `performance.now()`; before the first message, when the connection did. */
  startedAt = performance.now();
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  /** Bytes that wait for their turn. */
  #waiting = NOTHING;
  /** The first bytes of a message whose head is not complete. */
  #start = NOTHING;
  /** Of such a head, the last bytes that the parser has: the network may cut the blank line anywhere. */
  #tail = NOTHING;
  /** Requests without a response, oldest first; only the first is being handled. */
  readonly #pending: Exchange[] = [];
  /** Of the last request. */
  #upload: Upload | null = null;
  /** Of its body, without chunks, what the parser did not get yet. */
  #bodyBytes = 0;
  #idleSince = Number.POSITIVE_INFINITY;
  #progress = { bytes: 0, at: 0 };
  #hasEnded = false;
  #isRetiring = false;
  #isEnding = false;
  #isClosed = false;

  constructor(socket: Socket, options: ConnectionOptions) {
    // The socket is closed later than this stream ends.
    super({ decodeStrings: false, autoDestroy: false });
    this.#socket = socket;
    this.#options = options;
    this.remoteAddress = socket.remoteAddress;
    socket.on("data", (bytes: Buffer) => this.#receive(bytes));
    socket.on("end", () => {
      this.#hasEnded = true;
      this.#handOn();
    });
    // A client that is gone; `close` follows.
    socket.on("error", () => {});
    socket.on("close", () => this.destroy());
    this.on("resume", () => this.#handOn());
  }

  /** Registers a request, which is handled when those before it have their response. */
  add(request: IncomingMessage, response: ServerResponse, handle: RequestListener): void {
    // RFC 9112 9.6: nothing is processed on a connection that ends.
    if (this.#isEnding) return;
    const { "transfer-encoding": coding, "content-length": length = 0 } = request.headers;
    // RFC 9112 6.1, 6.3: where such a message ends is doubtful, so nothing behind it is read.
    if (coding !== undefined && (request.httpVersion !== "1.1" || coding.toLowerCase() !== "chunked"))
      response.shouldKeepAlive = false;
    this.#start = NOTHING;
    this.#tail = NOTHING;
    this.#bodyBytes = coding === undefined ? Number(length) : 0;
    this.#upload = receiveBody(response, this.#options.maxBodyBytes, this.#options.guard);
    response.once("close", () => this.#next());
    // Later, when all that has arrived of its body is parsed.
    if (this.#pending.push({ request, response, handle }) === 1) this.#options.turns.add(() => this.#begin());
  }

  /** Ends the connection because nothing readable can follow: the response to the current request, or else `problem`, is the last one. */
  fail(problem: Problem): void {
    if (this.#isEnding || !this.#socket.writable) return;
    this.#isEnding = true;
    const last = this.#pending.at(-1);
    if (last) {
      last.response.shouldKeepAlive = false;
      this.#upload?.fail(problem);
      return;
    }
    const [name = "", ...more] = this.#start.toString("latin1", 0, START_BYTES).split(" ");
    const method = more.length > 0 && METHODS.includes(name) ? name : null;
    this.#socket.write(this.#options.renderRejection(problem, method, this.startedAt));
    this.close();
  }

  /** From now on the response to the last request that has arrived announces that the connection closes. */
  retire(): void {
    this.#isRetiring = true;
    const [current] = this.#pending;
    if (current && this.#pending.length === 1 && this.#waiting.length + this.#socket.readableLength === 0)
      current.response.shouldKeepAlive = false;
  }

  /** Stops waiting: requests that have arrived completely are answered, incomplete ones are rejected with `problem`. */
  shutDown(problem: Problem): void {
    if (this.#isIdle) this.close();
    else this.fail(problem);
  }

  /** Gives up on a client that reads nothing of its response, and on one that sends no further request, at `now`. */
  check(now: number): void {
    const { bytesWritten, writableLength } = this.#socket;
    const bytes = bytesWritten - writableLength;
    const { stalledTimeoutMs, keepAliveTimeoutMs } = this.#options.timeouts;
    if (writableLength === 0 || bytes !== this.#progress.bytes) this.#progress = { bytes, at: now };
    else if (now - this.#progress.at >= stalledTimeoutMs) this.#socket.destroy();
    if (this.#isIdle && now - this.#idleSince >= keepAliveTimeoutMs) this.close();
  }

  /** Half-closes, and reads on for a bounded time, so that the client reads the response instead of a reset. */
  close(): void {
    this.#isEnding = true;
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting = NOTHING;
    const { drainTimeoutMs, requestTimeoutMs } = this.#options.timeouts;
    const isUploading = this.#pending[0]?.request.complete === false;
    const socket = this.#socket;
    socket.end(() => {
      const timer = setTimeout(() => socket.destroy(), isUploading ? requestTimeoutMs : drainTimeoutMs).unref();
      socket.once("close", () => clearTimeout(timer));
    });
    socket.resume();
  }

  override _read(): void {
    // What arrives is pushed, as soon as it may be parsed.
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: Done): void {
    if (chunk.length <= PART_BYTES) this.#socket.write(chunk, encoding, done);
    else this.#writeParts(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk, done);
  }

  override _writev(chunks: { readonly chunk: Buffer | string; readonly encoding: BufferEncoding }[], done: Done): void {
    // Node ends each response with an empty one.
    const some = chunks.filter(({ chunk }) => chunk.length > 0);
    const last = some.pop();
    if (!last) return void done();
    this.#socket.cork();
    for (const { chunk, encoding } of some) this.#socket.write(chunk, encoding);
    this._write(last.chunk, last.encoding, done);
    this.#socket.uncork();
  }

  override _final(done: Done): void {
    this.close();
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#socket.destroy();
    done(error);
  }

  /** Whether every message that has arrived was answered. */
  get #isIdle(): boolean {
    return this.#pending.length === 0 && this.#start.length === 0;
  }

  #writeParts(bytes: Buffer, done: Done): void {
    if (bytes.length <= PART_BYTES) this.#socket.write(bytes, done);
    else
      this.#socket.write(bytes.subarray(0, PART_BYTES), (error) =>
        error ? done(error) : this.#writeParts(bytes.subarray(PART_BYTES), done),
      );
  }

  #receive(bytes: Buffer): void {
    if (this.#isClosed) return;
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
    this.#handOn();
  }

  /** Gives the parser what it may have. */
  #handOn(): void {
    while (this.#waiting.length > 0 && this.#mayHandOn) {
      const slice = this.#nextSlice();
      this.#waiting = this.#waiting.subarray(slice.length);
      // The HTTP/2 preface: Node's parser knows it, and closes without a response.
      if (this.#start.toString("latin1", 0, PREFACE.length) === PREFACE) this.fail(new Problem("malformed-request"));
      else if (slice.length > 0) this.push(slice);
    }
    if (this.#isClosed) return;
    if (this.#waiting.length > 0) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
    else if (this.#hasEnded && this.#mayHandOn && !this.readableEnded) this.push(null);
  }

  /** Whether the parser is between two messages, or in one that has not arrived completely. */
  get #mayHandOn(): boolean {
    if (this.#isEnding || this.isPaused()) return false;
    const [current] = this.#pending;
    return !current || (this.#pending.length === 1 && !current.request.complete && !this.#upload?.hasFailed);
  }

  /** Bytes of the message that is arriving: as far as can be seen, none of the next. */
  #nextSlice(): Buffer {
    const [current] = this.#pending;
    if (!current) return this.#nextOfHead();
    if (this.#bodyBytes > 0) {
      const slice = this.#waiting.subarray(0, this.#bodyBytes);
      this.#bodyBytes -= slice.length;
      return slice;
    }
    const slice = this.#waiting.subarray(0, SLICE_BYTES);
    const end = slice.indexOf(LAST_CHUNK);
    return end < 0 ? slice : slice.subarray(0, end + LAST_CHUNK.length);
  }

  #nextOfHead(): Buffer {
    if (this.#start.length === 0) {
      // Empty lines before a message are ignored (RFC 9112 2.2), and are no sign of one.
      let blank = 0;
      while (this.#waiting[blank] === CR || this.#waiting[blank] === LF) blank += 1;
      this.#waiting = this.#waiting.subarray(blank);
      this.startedAt = performance.now();
    }
    if (this.#start.length < START_BYTES)
      this.#start = Buffer.concat([this.#start, this.#waiting.subarray(0, START_BYTES)]);
    const end = this.#endOfHead();
    if (end >= 0) return this.#waiting.subarray(0, end);
    this.#tail = Buffer.concat([this.#tail, this.#waiting.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    return this.#waiting;
  }

  /** How many of the bytes that wait are of the head; -1 when all are, as far as can be seen. */
  #endOfHead(): number {
    if (this.#tail.length > 0) {
      const seam = Buffer.concat([this.#tail, this.#waiting.subarray(0, TAIL_BYTES)]).indexOf(BLANK_LINE);
      if (seam >= 0) return seam + BLANK_LINE.length - this.#tail.length;
    }
    const end = this.#waiting.indexOf(BLANK_LINE);
    return end < 0 ? end : end + BLANK_LINE.length;
  }

  #begin(): void {
    const [current] = this.#pending;
    if (!current || this.#isClosed) return;
    if (this.#isRetiring) this.retire();
    current.handle(current.request, current.response);
  }

  /** A response has left, or its client is gone. */
  #next(): void {
    // The rest of an upload is not needed any more.
    if (this.#pending[0]?.request.complete === false) this.close();
    this.#pending.shift();
    if (this.#isClosed) return;
    if (this.#pending.length > 0)
      this.#options.turns.add(() => {
        // Its head was parsed with the message before it, and its body may still wait.
        this.#handOn();
        this.#begin();
      });
    else if (this.#isEnding) this.close();
    else {
      this.#idleSince = performance.now();
      if (this.#waiting.length > 0 || this.#hasEnded) this.#options.turns.add(() => this.#handOn());
    }
  }
}

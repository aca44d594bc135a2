import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { ArrivingBytes } from "./arriving-bytes.ts";
import { Problem } from "./problem.ts";
import { receiveBody, type Upload } from "./request/body.ts";
import type { ServerState } from "./server-state.ts";

type Done = (error?: Error | null) => void;

/** What Node writes of a response: its head, with a body that is text, or before one of bytes. */
interface Chunk {
  readonly chunk: Buffer | string;
  readonly encoding: BufferEncoding;
}

const bufferOf = ({ chunk, encoding }: Chunk): Buffer =>
  typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;

/** So many bytes are written at once: a slow reader makes progress with each part. */
const PART_BYTES = 16_384;

/** Their parts, not copied: a document is one buffer for all responses with it. */
function partsOf(buffers: readonly Buffer[]): Buffer[] {
  const parts: Buffer[] = [];
  for (const buffer of buffers)
    for (let start = 0; start < buffer.length; start += PART_BYTES)
      parts.push(buffer.subarray(start, start + PART_BYTES));
  return parts;
}

/**
 * One client's socket, as Node's HTTP server sees it. Of what has arrived, Node's parser gets one message, and the next when the response
 * has left. So a client that sends ahead costs its bytes only, does not delay others, and gets its responses in order; when the parser
 * rejects a message, nothing else waits for a response. Where a message ends is found by what is cheap to see; the parser decides, and
 * the few further requests that it may find wait for their turn.
 */
export class ClientConnection extends Duplex {
  readonly remoteAddress: string | undefined;
  readonly #socket: Socket;
  readonly #server: ServerState;
  readonly arriving = new ArrivingBytes();
  /** Requests without a response, oldest first; only the first is being handled. */
  readonly #pending: { readonly response: ServerResponse; readonly handle: () => void }[] = [];
  /** Of the last request. */
  #upload: Upload | null = null;
  /** How much the client has read, and since when no more. */
  #read = { bytes: 0, at: performance.now() };
  #idleSince = Number.POSITIVE_INFINITY;
  #isEnding = false;
  #isClosed = false;

  constructor(socket: Socket, server: ServerState) {
    // The socket is closed later than this stream ends.
    super({ decodeStrings: false, autoDestroy: false, read() {} });
    this.#socket = socket;
    this.#server = server;
    this.remoteAddress = socket.remoteAddress;
    socket.on("data", (bytes: Buffer) => {
      if (this.#isClosed) return;
      this.arriving.add(bytes);
      this.#handOn();
    });
    socket.on("end", () => this.#handOn());
    // A client that is gone; `close` follows.
    socket.on("error", () => {});
    socket.on("close", () => this.destroy());
    this.on("resume", () => this.#handOn());
  }

  /** Registers a request, which is handled when those before it have their response. */
  add(response: ServerResponse<IncomingMessage>, handle: () => void): void {
    // RFC 9112 9.6: nothing is processed on a connection that ends.
    if (this.#isEnding) return;
    const { req: request } = response;
    const { "transfer-encoding": coding, "content-length": length = 0 } = request.headers;
    // RFC 9112 6.1, 6.3: where such a message ends is doubtful, so nothing behind it is read.
    if (
      coding !== undefined &&
      (request.httpVersion !== "1.1" || coding.toLowerCase() !== "chunked")
    )
      response.shouldKeepAlive = false;
    this.arriving.beginBody(coding === undefined ? Number(length) : 0);
    this.#upload = receiveBody(response, this.#server.limits.maxBodyBytes, this.#server.guard);
    response.once("close", () => this.#next());
    // Later, when all that has arrived of its body is parsed.
    if (this.#pending.push({ response, handle }) === 1) this.#server.turns.add(() => this.#begin());
  }

  /** Ends the connection because nothing readable can follow: the response to the current request, or else `problem`, is the last one. */
  fail(content: Problem): void {
    if (this.#isEnding || !this.#socket.writable) return;
    this.#isEnding = true;
    const last = this.#pending.at(-1);
    if (last) {
      last.response.shouldKeepAlive = false;
      this.#upload?.fail(content);
    } else {
      const { sender } = this.#server;
      const { method, startedAt } = this.arriving;
      const request = { requestId: sender.requestIdOf(undefined), method, startedAt };
      this.#socket.write(sender.bytes(request, { content, step: "readHead" }));
      this.close();
    }
  }

  /** Announces with the response to the current request that the connection closes, unless another one has arrived. */
  retire(): void {
    const [current, ...others] = this.#pending;
    if (current && others.length + this.arriving.length + this.#socket.readableLength === 0)
      current.response.shouldKeepAlive = false;
  }

  /** Stops waiting: requests that have arrived completely are answered, incomplete ones are rejected with `problem`. */
  shutDown(problem: Problem): void {
    if (this.#isIdle) this.close();
    else this.fail(problem);
  }

  /** Gives up on a client that reads nothing of its response, and on one that sends no further request, at `now`. */
  check(now: number): void {
    const { stalledTimeoutMs, keepAliveTimeoutMs } = this.#server.timeouts;
    const { bytesWritten, writableLength } = this.#socket;
    const bytes = bytesWritten - writableLength;
    if (writableLength === 0 || bytes !== this.#read.bytes) this.#read = { bytes, at: now };
    if (now - this.#read.at >= stalledTimeoutMs) this.#socket.destroy();
    if (this.#isIdle && now - this.#idleSince >= keepAliveTimeoutMs) this.close();
  }

  /** Half-closes, and reads on for a bounded time, so that the client reads the response instead of a reset. */
  close(): void {
    this.#isEnding = true;
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.arriving.clear();
    const { drainTimeoutMs, requestTimeoutMs } = this.#server.timeouts;
    const timeoutMs = this.#isUploading ? requestTimeoutMs : drainTimeoutMs;
    const socket = this.#socket;
    socket.end(() => {
      const timer = setTimeout(() => socket.destroy(), timeoutMs).unref();
      socket.once("close", () => clearTimeout(timer));
    });
    socket.resume();
  }

  override _writev(chunks: readonly Chunk[], done: Done): void {
    const { guard } = this.#server;
    const buffers = chunks.map(bufferOf);
    const parts = partsOf(buffers);
    let isHeld = false;
    this.#writeParts(parts, 0, (error) => {
      if (isHeld) for (const buffer of buffers) guard.release(buffer);
      done(error);
    });
    // The kernel takes most responses at once.
    if (parts.length <= 2 && this.#socket.writableLength === 0) return;
    isHeld = true;
    for (const buffer of buffers) guard.hold(buffer);
  }

  /** Writes a part, and the next when it is out; the first two in one system call. */
  #writeParts(parts: readonly Buffer[], at: number, done: Done): void {
    const socket = this.#socket;
    const { [at]: part, [at + 1]: second } = parts;
    if (!part) return void done();
    const goOn = (next: number) => (error?: Error | null) =>
      error ? done(error) : this.#writeParts(parts, next, done);
    if (at > 0 || !second) return void socket.write(part, goOn(at + 1));
    socket.cork();
    socket.write(part);
    socket.write(second, goOn(2));
    socket.uncork();
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
    return this.#pending.length === 0 && !this.arriving.hasBegun;
  }

  get #isUploading(): boolean {
    return this.#pending[0]?.response.req.complete === false;
  }

  /** Gives the parser what it may have. */
  #handOn(): void {
    const { arriving } = this;
    while (arriving.length > 0 && this.#mayHandOn) {
      const slice = arriving.next(this.#pending.length > 0);
      // Of HTTP/2: Node's parser knows it, and closes without a response.
      if (arriving.isPreface) this.fail(new Problem("malformed-request"));
      else if (slice.length > 0) this.push(slice);
    }
    if (this.#isClosed) return;
    if (arriving.length > 0) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
    else if (this.#socket.readableEnded && this.#mayHandOn && !this.readableEnded) this.push(null);
  }

  /** Whether the parser is between two messages, or in one that has not arrived completely. */
  get #mayHandOn(): boolean {
    if (this.#isEnding || this.isPaused()) return false;
    const { length } = this.#pending;
    return length === 0 || (length === 1 && this.#isUploading && !this.#upload?.hasFailed());
  }

  #begin(): void {
    // Its head may have been parsed with the message before it, and its body still waits then.
    this.#handOn();
    const [current] = this.#pending;
    if (this.#server.isClosing) this.retire();
    if (!this.#isClosed) current?.handle();
  }

  /** A response has left, or its client is gone. */
  #next(): void {
    // The rest of an upload is not needed any more.
    if (this.#isUploading) this.close();
    this.#pending.shift();
    if (this.#isClosed) return;
    if (this.#pending.length > 0) this.#server.turns.add(() => this.#begin());
    else if (this.#isEnding) this.close();
    else {
      this.#idleSince = performance.now();
      if (this.arriving.length > 0 || this.#socket.readableEnded)
        this.#server.turns.add(() => this.#handOn());
    }
  }
}

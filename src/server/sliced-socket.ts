import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { OverloadGuard } from "./overload-guard.ts";

type Done = (error?: Error | null) => void;

interface Chunk {
  readonly chunk: Buffer | string;
  readonly encoding: BufferEncoding;
}

export interface SlicedSocketOptions {
  readonly guard: OverloadGuard;
  readonly stalledTimeoutMs: number;
  /** Called when bytes, or the end, have arrived: `feed` hands them on. */
  readonly onArrival: () => void;
  /** Runs a task when it is this client's turn. */
  readonly enqueue: (task: () => void) => void;
}

const NOTHING: Buffer = Buffer.alloc(0);
/** Bytes that are parsed at once when no more has arrived. */
const WHOLE_BYTES = 2_048;
/**
 * Of more, slices are parsed, each twice as long as the one before it. A client that sends ahead
 * has few requests in a slice: the objects of many, for 20 clients, outgrow the young generation,
 * and collecting them takes half as long again as handling them.
 */
const FIRST_SLICE_BYTES = 128;
const MAX_SLICE_BYTES = 4_096;
/** Bytes that are sent at once. */
const PART_BYTES = 65_536;

/** Views, not copies: all responses with a document share it. */
function partsOf(whole: Chunk): Chunk[] {
  const { chunk, encoding } = whole;
  // Node ends each response with nothing.
  if (chunk.length <= PART_BYTES) return chunk.length === 0 ? [] : [whole];
  const bytes = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
  return Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, index) => ({
    chunk: bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES),
    encoding,
  }));
}

/** A client's socket that hands on what arrives in slices, and sends in parts. */
export class SlicedSocket extends Duplex {
  readonly remoteAddress: string | undefined;
  /** How long it reads on behind its end. */
  drainMs = 0;
  /** The first slice since the last `restart`, and when it was handed on. */
  first: { readonly bytes: Buffer; readonly at: number } | null = null;
  readonly #socket: Socket;
  readonly #options: SlicedSocketOptions;
  #waiting = NOTHING;
  #sliceBytes = FIRST_SLICE_BYTES;
  #isEndHandedOn = false;

  constructor(socket: Socket, options: SlicedSocketOptions) {
    // The socket closes later than this stream ends.
    super({ decodeStrings: false, autoDestroy: false, read() {} });
    this.#socket = socket;
    this.#options = options;
    this.remoteAddress = socket.remoteAddress;
    const { stalledTimeoutMs, onArrival } = options;
    socket.on("data", (bytes: Buffer) => {
      if (this.writableEnded) return;
      this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
      if (this.#waiting.length > WHOLE_BYTES) socket.pause();
      onArrival();
    });
    socket.on("end", onArrival);
    this.on("resume", onArrival);
    // A client that reads nothing. Node's timer starts again for one that has read something.
    socket.setTimeout(stalledTimeoutMs);
    socket.on("timeout", () => socket.writableLength > 0 && socket.destroy());
    // A client that is gone; `close` follows.
    socket.on("error", () => {});
    socket.on("close", () => this.destroy());
  }

  /** How many bytes have arrived and are not handed on. */
  get waitingBytes(): number {
    return this.#waiting.length + this.#socket.readableLength;
  }

  /** Whether there is something for `feed` to hand on. */
  get hasArrived(): boolean {
    return this.#waiting.length > 0 || (this.#socket.readableEnded && !this.#isEndHandedOn);
  }

  /** Begins again with a short slice, which is the `first`. */
  restart(): void {
    this.first = null;
    this.#sliceBytes = FIRST_SLICE_BYTES;
  }

  /** Hands on the next slice, or the end. */
  feed(): void {
    const waiting = this.#waiting;
    const isShort = waiting.length <= WHOLE_BYTES;
    const slice = isShort ? waiting : waiting.subarray(0, this.#sliceBytes);
    // An empty view would keep all that was read with it.
    this.#waiting = isShort ? NOTHING : waiting.subarray(slice.length);
    this.#sliceBytes = Math.min(2 * this.#sliceBytes, MAX_SLICE_BYTES);
    if (slice.length > 0) {
      this.first ??= { bytes: slice, at: performance.now() };
      this.push(slice);
    } else if (this.hasArrived) {
      this.#isEndHandedOn = true;
      this.push(null);
    }
    if (this.#waiting.length === 0 && this.#socket.isPaused()) this.#socket.resume();
  }

  override _writev(chunks: readonly Chunk[], done: Done): void {
    const { guard } = this.#options;
    const parts = chunks.flatMap(partsOf);
    let isHeld = false;
    this.#send(parts, (error) => {
      if (isHeld) for (const { chunk } of chunks) guard.release(chunk);
      done(error);
    });
    // The kernel takes most responses at once.
    isHeld = parts.length + this.#socket.writableLength > 0;
    if (isHeld) for (const { chunk } of chunks) guard.hold(chunk);
  }

  /** Sends a part, and each of the others in a later turn. */
  #send(parts: Chunk[], done: Done): void {
    const part = parts.shift();
    if (!part) return void done();
    this.#socket.write(part.chunk, part.encoding, (error) => {
      if (error || parts.length === 0) done(error);
      else this.#options.enqueue(() => this.#send(parts, done));
    });
  }

  /**
   * Half-closes, and reads on for a bounded time, so that the client reads the last response
   * instead of a reset.
   */
  override _final(done: Done): void {
    const socket = this.#socket;
    this.#waiting = NOTHING;
    socket.end(() => {
      const timer = setTimeout(() => socket.destroy(), this.drainMs).unref();
      socket.once("close", () => clearTimeout(timer));
    });
    socket.resume();
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#socket.destroy();
    done(error);
  }
}

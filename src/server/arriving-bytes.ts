import { METHODS } from "node:http";

const CR = 13;
const LF = 10;
const NOTHING: Buffer = Buffer.alloc(0);
const BLANK_LINE = "\r\n\r\n";
const TAIL_BYTES = BLANK_LINE.length - 1;
const PREFACE = "PRI ";
const LAST_CHUNK = "0\r\n\r\n";
/** Of a body in chunks, so much is parsed at once: after a trailer, requests may follow whose start is not looked for. */
const SLICE_BYTES = 2_048;
/** The longest method that Node knows has eleven letters. */
const START_BYTES = 12;

/**
 * What has arrived from a client and is not parsed yet. It is cut into slices, each of bytes of one message as far as is cheap to see: the
 * parser decides where a message ends.
 */
export class ArrivingBytes {
  /** When the message that is arriving began, of `performance.now()`; before the first message, when the connection did. */
  startedAt = performance.now();
  #waiting = NOTHING;
  /** The first bytes of a message whose head is not complete. */
  #start = NOTHING;
  /** Of such a head, the last bytes that were cut off: the network may cut the blank line anywhere. */
  #tail = NOTHING;
  /** Of a body without chunks, what was not cut off yet. */
  #bodyBytes = 0;

  get length(): number {
    return this.#waiting.length;
  }

  /** Whether a message has begun whose head is not complete. */
  get hasBegun(): boolean {
    return this.#start.length > 0;
  }

  /** Of that message; null when it is unknown. */
  get method(): string | null {
    const [name = "", ...more] = this.#start.toString("latin1", 0, START_BYTES).split(" ");
    return more.length > 0 && METHODS.includes(name) ? name : null;
  }

  /** Whether it is the preface of HTTP/2. */
  get isPreface(): boolean {
    return this.#start.toString("latin1", 0, PREFACE.length) === PREFACE;
  }

  add(bytes: Buffer): void {
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
  }

  clear(): void {
    this.#waiting = NOTHING;
  }

  /** The body has so many bytes, 0 when it is in chunks. */
  beginBody(bytes: number): void {
    this.#start = NOTHING;
    this.#tail = NOTHING;
    this.#bodyBytes = bytes;
  }

  /** Cuts off a slice of a head, which may be empty, or of a body. */
  next(isBody: boolean): Buffer {
    const slice = isBody ? this.#nextOfBody() : this.#nextOfHead();
    this.#waiting = this.#waiting.subarray(slice.length);
    return slice;
  }

  #nextOfBody(): Buffer {
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
    if (!this.hasBegun) {
      // Empty lines before a message are ignored (RFC 9112 2.2), and are no sign of one.
      let blank = 0;
      while (this.#waiting[blank] === CR || this.#waiting[blank] === LF) blank += 1;
      this.#waiting = this.#waiting.subarray(blank);
      this.startedAt = performance.now();
    }
    if (this.#start.length < START_BYTES)
      this.#start = Buffer.concat([this.#start, this.#waiting.subarray(0, START_BYTES)]);
    // The blank line may begin in what was cut off.
    const tail = this.#tail;
    const seam =
      tail.length > 0 ? Buffer.concat([tail, this.#waiting.subarray(0, TAIL_BYTES)]).indexOf(BLANK_LINE) : -1;
    if (seam >= 0) return this.#waiting.subarray(0, seam + BLANK_LINE.length - tail.length);
    const end = this.#waiting.indexOf(BLANK_LINE);
    if (end >= 0) return this.#waiting.subarray(0, end + BLANK_LINE.length);
    this.#tail = Buffer.concat([tail, this.#waiting.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    return this.#waiting;
  }
}

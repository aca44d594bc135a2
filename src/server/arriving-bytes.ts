import { METHODS } from "node:http";

const CR = 13;
const LF = 10;
const NOTHING: Buffer = Buffer.alloc(0);
const BLANK_LINE = "\r\n\r\n";
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
  /** Of a message whose head is not complete, what was cut off; the parser rejects one that is long. */
  #head = NOTHING;
  /** Of a body without chunks, what was not cut off yet. */
  #bodyBytes = 0;

  get length(): number {
    return this.#waiting.length;
  }

  /** Whether a message has begun whose head is not complete. */
  get hasBegun(): boolean {
    return this.#head.length > 0;
  }

  /** Of that message; null when it is unknown. */
  get method(): string | null {
    const [name = "", ...more] = this.#head.toString("latin1", 0, START_BYTES).split(" ");
    return more.length > 0 && METHODS.includes(name) ? name : null;
  }

  /** Whether it is the preface of HTTP/2. */
  get isPreface(): boolean {
    return this.#head.toString("latin1", 0, PREFACE.length) === PREFACE;
  }

  add(bytes: Buffer): void {
    this.#waiting = this.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
  }

  clear(): void {
    this.#waiting = NOTHING;
  }

  /** The body has so many bytes, 0 when it is in chunks. */
  beginBody(bytes: number): void {
    this.#head = NOTHING;
    this.#bodyBytes = bytes;
  }

  /** Cuts off a slice of a head, which may be empty, or of a body. */
  next(isBody: boolean): Buffer {
    const bytes = isBody ? this.#nextOfBody() : this.#nextOfHead();
    const slice = this.#waiting.subarray(0, bytes);
    // An empty view would keep all that was read with it.
    this.#waiting = slice.length < this.length ? this.#waiting.subarray(slice.length) : NOTHING;
    return slice;
  }

  #nextOfBody(): number {
    if (this.#bodyBytes > 0) {
      const bytes = Math.min(this.#bodyBytes, this.length);
      this.#bodyBytes -= bytes;
      return bytes;
    }
    const end = this.#waiting.subarray(0, SLICE_BYTES).indexOf(LAST_CHUNK);
    return end < 0 ? SLICE_BYTES : end + LAST_CHUNK.length;
  }

  #nextOfHead(): number {
    const before = this.#head.length;
    if (before === 0) {
      // Empty lines before a message are ignored (RFC 9112 2.2), and are no sign of one.
      let blank = 0;
      while (this.#waiting[blank] === CR || this.#waiting[blank] === LF) blank += 1;
      this.#waiting = this.#waiting.subarray(blank);
      this.startedAt = performance.now();
    }
    const head = before === 0 ? this.#waiting : Buffer.concat([this.#head, this.#waiting]);
    // It may begin, but not end, in what was cut off.
    const end = head.indexOf(BLANK_LINE, Math.max(0, before - BLANK_LINE.length + 1));
    this.#head = end < 0 ? head : head.subarray(0, end + BLANK_LINE.length);
    return this.#head.length - before;
  }
}

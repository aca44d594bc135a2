import { METHODS } from "node:http";

const CR = 13;
const LF = 10;
const LINE_END: Buffer = Buffer.from("\r\n");
const BLANK_LINE = Buffer.from("\r\n\r\n");
/** The longest method that Node knows has eleven letters. */
const START_BYTES = 12;
/** Of the line before a chunk; the parser refuses a longer number. */
const SIZE_BYTES = 17;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Says where in what a client sends one message ends, so that the next is kept from the parser until its turn has come.
 * The parser judges; this only has to find the end of what the parser takes: a head and a trailer end with a blank line,
 * bodies and chunks with their length.
 */
export class MessageReader {
  /** Whether anything of the message has come. */
  hasBegun = false;
  /** `performance.now()` at the first byte of the message; before it, when the first message was awaited. */
  startedAt = performance.now();
  #start = NOTHING;
  /** The last bytes of the part before, where a blank line may have begun. */
  #seam = NOTHING;
  /** Of a body, or of a chunk and the line end behind it. */
  #bodyBytes = 0;
  /** What has come of the line before a chunk; `null` where none is expected. */
  #sizeLine: string | null = null;

  /** The method, once its name has come and is one that Node knows. */
  get method(): string | null {
    const [name = "", ...more] = this.#start.toString("latin1", 0, START_BYTES).split(" ");
    return more.length > 0 && METHODS.includes(name) ? name : null;
  }

  /** HTTP/2's way of asking whether this is HTTP/2. Node's parser knows it, and Node may then close without an answer. */
  get isPreface(): boolean {
    return this.#start[0] === 0x50 && this.#start.toString("latin1", 0, 4) === "PRI ";
  }

  /** Begins with the next message. */
  next(): void {
    this.hasBegun = false;
    this.#start = this.#seam = NOTHING;
    this.#bodyBytes = 0;
    this.#sizeLine = null;
  }

  /** The head was read, and a body of so many bytes follows, or one in chunks. */
  expectBody(bytes: number | "chunks"): void {
    this.#bodyBytes = bytes === "chunks" ? 0 : bytes;
    this.#sizeLine = bytes === "chunks" ? "" : null;
    this.#start = NOTHING;
  }

  /** How many bytes at the front of `bytes` come before the message: empty lines, which are nothing (RFC 9112 2.2). */
  blank(bytes: Buffer): number {
    let length = 0;
    if (!this.hasBegun) while (bytes[length] === CR || bytes[length] === LF) length += 1;
    return length;
  }

  /** How many bytes at the front of `bytes` can be parsed without reaching the next message. */
  take(bytes: Buffer): number {
    if (this.#bodyBytes > 0 || this.#sizeLine !== null) return this.#takeBody(bytes);
    if (!this.hasBegun) {
      this.hasBegun = true;
      this.startedAt = performance.now();
      this.#start = bytes;
    } else if (this.#start.length > 0 && this.#start.length < START_BYTES) {
      this.#start = Buffer.concat([this.#start, bytes]);
    }
    return this.#takeLines(bytes);
  }

  #takeBody(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && (this.#bodyBytes > 0 || this.#sizeLine !== null)) {
      const length = Math.min(this.#bodyBytes, bytes.length - at);
      this.#bodyBytes -= length;
      at += length;
      if (this.#bodyBytes === 0 && this.#sizeLine !== null) at = this.#takeSize(bytes, at);
    }
    // Behind the last chunk.
    return this.#seam.length > 0 ? at + this.#takeLines(bytes.subarray(at)) : at;
  }

  /** Where the line before a chunk ends, or the bytes. */
  #takeSize(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(LF, from);
    const line =
      this.#sizeLine + bytes.toString("latin1", from, Math.min(end < 0 ? bytes.length : end, from + SIZE_BYTES));
    this.#sizeLine = end < 0 ? line.slice(0, SIZE_BYTES) : "";
    if (end < 0) return bytes.length;
    const size = Number.parseInt(line, 16);
    if (size > 0) {
      this.#bodyBytes = size + LINE_END.length;
    } else {
      this.#sizeLine = null;
      // The line that ends here is followed by a trailer, or by nothing.
      this.#seam = LINE_END;
    }
    return end + 1;
  }

  #takeLines(bytes: Buffer): number {
    const end = this.#blankLineEnd(bytes);
    this.#seam = end === 0 ? Buffer.concat([this.#seam, bytes.subarray(-3)]).subarray(-3) : NOTHING;
    return end === 0 ? bytes.length : end;
  }

  /** 0 when there is none. */
  #blankLineEnd(bytes: Buffer): number {
    if (this.#seam.length > 0) {
      const across = Buffer.concat([this.#seam, bytes.subarray(0, 3)]).indexOf(BLANK_LINE);
      if (across >= 0) return across + BLANK_LINE.length - this.#seam.length;
    }
    const at = bytes.indexOf(BLANK_LINE);
    return at < 0 ? 0 : at + BLANK_LINE.length;
  }
}

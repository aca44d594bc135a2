import { METHODS } from "node:http";

const CR = 13;
const LF = 10;
const LINE_END: Buffer = Buffer.from("\r\n");
const BLANK_LINE = Buffer.from("\r\n\r\n");
/** The longest method that Node knows has eleven letters. */
const START_BYTES = 12;
/** Of the line before a chunk; the parser rejects a longer number. */
const SIZE_BYTES = 17;
const NOTHING: Buffer = Buffer.alloc(0);
/** D13: a body may arrive in more pieces than these only while they have so many bytes on average. */
const FREE_PIECES = 1_024;
const PIECE_BYTES = 16;

/** For a client that sends smaller pieces: the size of the body is not the reason. */
export const CRUMBLED = `The body came in more than ${FREE_PIECES.toLocaleString("en")} pieces of less than ${PIECE_BYTES} bytes on average.`;

const areTooSmall = (pieces: number, bytes: number): boolean => pieces > FREE_PIECES && bytes < pieces * PIECE_BYTES;

/**
 * Finds where one message of a client ends, so that the next is kept from the parser until its turn.
 * The parser validates; this class only finds the end of what the parser accepts: a head and a trailer end with a blank line,
 * bodies and chunks have a length.
 */
export class MessageReader {
  /** Whether any byte of the message has arrived. */
  hasBegun = false;
  /** `performance.now()` at the first byte of the message; before that, when the wait for the first message began. */
  startedAt = performance.now();
  #start = NOTHING;
  /** The last bytes of the previous part, where a blank line may have begun. */
  #seam = NOTHING;
  /** Of a body, or of a chunk and its line end. */
  #bodyBytes = 0;
  /** The part of the line before a chunk that has arrived; `null` where none is expected. */
  #sizeLine: string | null = null;
  /** Chunks, and their bytes. */
  #chunks = 0;
  #chunkBytes = 0;
  /** Reads of the connection that held a part of the body, and the bytes of these parts. */
  #reads = 0;
  #readBytes = 0;

  /**
   * Whether the body arrives in pieces so small that reading them costs more than their content (D13). Chunks and reads are counted
   * separately: the network may cut chunks of 16 bytes anywhere, and join what was sent byte by byte.
   */
  get isCrumbled(): boolean {
    return areTooSmall(this.#chunks, this.#chunkBytes) || areTooSmall(this.#reads, this.#readBytes);
  }

  /** The method, once its name has arrived and is one that Node knows. */
  get method(): string | null {
    const [name = "", ...more] = this.#start.toString("latin1", 0, START_BYTES).split(" ");
    return more.length > 0 && METHODS.includes(name) ? name : null;
  }

  /** The HTTP/2 preface. Node's parser knows it, and Node may then close without a response. */
  get isPreface(): boolean {
    return this.#start[0] === 0x50 && this.#start.toString("latin1", 0, 4) === "PRI ";
  }

  /** Begins with the next message. */
  next(): void {
    this.hasBegun = false;
    this.#start = this.#seam = NOTHING;
    this.#bodyBytes = 0;
    this.#sizeLine = null;
    this.#chunks = this.#chunkBytes = this.#reads = this.#readBytes = 0;
  }

  /** The head was read; a body of so many bytes follows, or one in chunks. */
  expectBody(bytes: number | "chunks"): void {
    this.#bodyBytes = bytes === "chunks" ? 0 : bytes;
    this.#sizeLine = bytes === "chunks" ? "" : null;
    this.#start = NOTHING;
  }

  /** How many bytes at the front of `bytes` come before the message: empty lines, which are ignored (RFC 9112 2.2). */
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
    let held = 0;
    while (at < bytes.length && (this.#bodyBytes > 0 || this.#sizeLine !== null) && !this.isCrumbled) {
      const length = Math.min(this.#bodyBytes, bytes.length - at);
      held += Math.max(0, Math.min(length, this.#bodyBytes - (this.#sizeLine === null ? 0 : LINE_END.length)));
      this.#bodyBytes -= length;
      at += length;
      if (this.#bodyBytes === 0 && this.#sizeLine !== null) at = this.#takeSize(bytes, at);
    }
    if (held > 0) this.#reads += 1;
    this.#readBytes += held;
    // After the last chunk.
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
      this.#chunks += 1;
      this.#chunkBytes += size;
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

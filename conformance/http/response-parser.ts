import { Gathered } from "./gathered.ts";
import { HEAD_TOO_LONG, MOST_HEAD, tooLong } from "./limits.ts";
import type { Head } from "./response.ts";
import { endsConnection } from "./write.ts";

const END_OF_HEAD = "\r\n\r\n";
/** The longest line before a chunk: its size, and extensions, which are ignored. */
const MOST_CHUNK_LINE = 1024;
const STATUS_LINE = /^HTTP\/(\d\.\d) (\d{3})(?: (.*))?$/;
const FIELD = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/;

function readHead(text: string): Head | null {
  const [first = "", ...lines] = text.split("\r\n");
  const [, version, status, reason = ""] = STATUS_LINE.exec(first) ?? [];
  const fields = lines.flatMap((line): [string, string][] => {
    const [, name, value = ""] = FIELD.exec(line) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
  if (version === undefined || fields.length < lines.length) return null;
  return { status: Number(status), reason, version, fields };
}

const UNREADABLE = "bytes that are no HTTP response";

/** The head, and where its body is in the bytes. */
interface PartialResponse {
  readonly head: Head;
  readonly start: number;
  /** `chunked`, the number of bytes, or null: up to the end of the connection (RFC 9112, 6.3). */
  readonly length: number | "chunked" | null;
}

/**
 * Reads one response from the bytes of a connection as they arrive: each byte is looked at once,
 * however they come.
 */
export class ResponseParser {
  private readonly gathered = new Gathered();
  private begun: PartialResponse | null = null;
  /** Where the part that is read next begins. */
  private at = 0;
  /** Up to here the end of that part was not found. */
  private searched = 0;
  /** The data of the chunks. */
  private readonly chunks = new Gathered();
  private readSize = 0;
  /** Where the response ends in the bytes; null before it is complete. */
  private end: number | null = null;
  private later = 0;
  /** Why no more is read. */
  error: string | null = null;

  constructor(
    private readonly isHead: boolean,
    private readonly most: number,
  ) {}

  get isWhole(): boolean {
    return this.end !== null;
  }

  /** All that has arrived, until there was an error. */
  get bytes(): Buffer {
    return this.gathered.bytes;
  }

  /** How many bytes followed the response. */
  get behind(): number {
    return this.end === null ? 0 : this.gathered.bytes.length - this.end + this.later;
  }

  /** Whether another response may follow on the same connection. */
  get persists(): boolean {
    const { head, length } = this.begun ?? {};
    if (head?.version !== "1.1" || endsConnection(head.fields)) return false;
    return this.isWhole && this.behind === 0 && length !== null;
  }

  get received(): { readonly head: Head; readonly body: Buffer } | null {
    const { begun, end, gathered } = this;
    if (!begun || end === null) return null;
    const isChunked = begun.length === "chunked";
    const body = isChunked ? this.chunks.bytes : gathered.bytes.subarray(begun.start, end);
    return { head: begun.head, body: Buffer.from(body) };
  }

  add(chunk: Buffer): void {
    if (this.isWhole) this.later += chunk.length;
    if (this.isWhole || this.error !== null) return;
    this.gathered.add(chunk);
    if (!this.begun) this.readHead();
    if (this.begun) this.readBody(this.begun);
  }

  /** The connection has ended. */
  finish(): void {
    if (this.begun?.length === null && this.error === null) this.end = this.gathered.bytes.length;
  }

  /** Where this text is next; null if it has not arrived. */
  private find(text: string): number | null {
    const { bytes } = this.gathered;
    const index = bytes.indexOf(text, Math.max(this.at, this.searched - text.length + 1), "latin1");
    this.searched = index < 0 ? bytes.length : 0;
    return index < 0 ? null : index;
  }

  /** Interim responses (1xx) are skipped. */
  private readHead(): void {
    const { bytes } = this.gathered;
    for (;;) {
      const end = this.find(END_OF_HEAD);
      if ((end ?? bytes.length) - this.at > MOST_HEAD || this.at > this.most) {
        this.error = HEAD_TOO_LONG;
        return;
      }
      if (end === null) return;
      const head = readHead(bytes.toString("latin1", this.at, end));
      this.at = end + END_OF_HEAD.length;
      const length = head && this.lengthOf(head);
      if (!head || length === undefined) {
        this.error = UNREADABLE;
        return;
      }
      if (head.status < 200) continue;
      this.begun = { head, start: this.at, length };
      return;
    }
  }

  /** Undefined if it cannot be read. */
  private lengthOf({ status, fields }: Head): PartialResponse["length"] | undefined {
    const valuesOf = (wanted: string) =>
      fields.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
    if (this.isHead || status < 200 || status === 204 || status === 304) return 0;
    const codings = valuesOf("transfer-encoding");
    if (codings.length > 0)
      return /(?:^|[ ,])chunked$/i.test(codings.join(", ")) ? "chunked" : null;
    const [length, ...otherLengths] = new Set(valuesOf("content-length"));
    if (length === undefined) return null;
    return otherLengths.length === 0 && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
  }

  private readBody({ start, length }: PartialResponse): void {
    const { bytes } = this.gathered;
    if (length === "chunked") this.readChunks();
    else if (length !== null && bytes.length >= start + length) this.end = start + length;
    const isTooLong =
      length === "chunked" ? this.readSize > this.most : bytes.length - start > this.most;
    // A chunk of one byte has a line of its own.
    if ((isTooLong && !this.isWhole) || bytes.length > 8 * this.most)
      this.error = tooLong(this.most);
  }

  private readChunks(): void {
    for (const { bytes } = this.gathered; this.error === null; ) {
      const line = this.find("\r\n");
      if ((line ?? bytes.length) - this.at > MOST_CHUNK_LINE) this.error = UNREADABLE;
      if (line === null || this.error !== null) return;
      const [, digits] =
        /^([\da-f]{1,8})(?:[ \t]*;[\t\x20-\x7e]*)?$/i.exec(
          bytes.toString("latin1", this.at, line),
        ) ?? [];
      if (digits === undefined) {
        this.error = UNREADABLE;
        return;
      }
      const size = Number.parseInt(digits, 16);
      if (size === 0) {
        this.readTrailers(line);
        return;
      }
      const [from, to] = [line + 2, line + 2 + size];
      if (this.readSize + size > this.most) this.error = tooLong(this.most);
      // The line is read again with the rest of its chunk.
      if (bytes.length < to + 2) return;
      if (bytes.toString("latin1", to, to + 2) !== "\r\n") this.error = UNREADABLE;
      this.chunks.add(bytes.subarray(from, to));
      this.readSize += size;
      this.at = to + 2;
    }
  }

  /** The last chunk is empty; fields behind it end with an empty line as a head does. */
  private readTrailers(line: number): void {
    const { bytes } = this.gathered;
    const end = bytes.indexOf(END_OF_HEAD, line, "latin1");
    if (end >= 0) this.end = end + END_OF_HEAD.length;
    else if (bytes.length - line > MOST_HEAD) this.error = HEAD_TOO_LONG;
  }
}

import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { JSONParser } from "@streamparser/json";
import type { Request } from "../oracle/world.ts";
import { type Entry, Recorded } from "./json-lines.ts";

type Fields = Request["fields"];

/** What a HAR cannot know, or what a browser has undone: without it, the same is said. */
const FRAMING = /^(?:content-length|transfer-encoding|connection|keep-alive|proxy-connection|te|trailer|upgrade)$/i;
const CODERS: ReadonlyMap<string, (body: Buffer) => Buffer> = new Map([
  ["gzip", (body: Buffer) => gzipSync(body, { level: 1 })],
  ["deflate", (body: Buffer) => deflateSync(body, { level: 1 })],
  ["br", brotliCompressSync],
]);

const headerOf = (fields: Fields, wanted: string): string =>
  fields
    .filter(([name]) => name.toLowerCase() === wanted)
    .map(([, value]) => value)
    .join(", ");

/** Field lines; a browser has joined those of one name by line feeds. */
const linesOf = (message: Recorded): Fields =>
  message.at("headers").items.flatMap((one) => {
    const name = one.at("name").text;
    return one
      .at("value")
      .text.split("\n")
      .map((value) => [name, value] as const);
  });

const withoutFraming = (fields: Fields): Fields =>
  fields.filter(([name]) => !name.startsWith(":") && !FRAMING.test(name));

/** With the host of the address where the field is not recorded: HTTP/2 has a pseudo-header instead. */
function requestFields(lines: Fields, url: string): Fields {
  const host = headerOf(lines, ":authority") || headerOf(lines, "host") || new URL(url).host;
  const others = withoutFraming(lines).filter(([name]) => name.toLowerCase() !== "host");
  return [["Host", host], ...others];
}

/** The body of a request, one character per byte; null if there was one that is not recorded. */
function requestBody(request: Recorded, lines: Fields): string | null {
  const data = request.at("postData");
  const text = data.isAbsent ? data : data.at("text");
  if (!text.isAbsent) return Buffer.from(text.text).toString("latin1");
  return Number(headerOf(lines, "content-length")) > 0 || !data.isAbsent ? null : "";
}

/** The decoded body of a response; null if it is missing or cut. */
function contentOf(response: Recorded, lines: Fields): Buffer | null {
  const content = response.at("content");
  const [text, encoding, size] = ["text", "encoding", "size"].map((name) => content.at(name));
  if (!text || text.isAbsent) {
    const isThere = (size?.value !== 0 && !size?.isAbsent) || Number(headerOf(lines, "content-length")) > 0;
    return isThere ? null : Buffer.alloc(0);
  }
  const body = Buffer.from(text.text, encoding?.value === "base64" ? "base64" : "utf8");
  return typeof size?.value === "number" && body.length < size.value ? null : body;
}

function responseOf(response: Recorded, isHead: boolean): Entry["response"] {
  const status = response.at("status").number;
  if (status <= 0) return null;
  const lines = linesOf(response);
  const body = isHead || status === 204 || status === 304 ? Buffer.alloc(0) : contentOf(response, lines);
  const coding = headerOf(lines, "content-encoding").trim().toLowerCase();
  const encode = CODERS.get(coding);
  // The body is decoded, whatever its header says: it is encoded again, since a tag belongs to a coding.
  const isKept = encode !== undefined || coding === "" || coding === "identity" || body?.length === 0;
  const fields = withoutFraming(lines).filter(([name]) => isKept || name.toLowerCase() !== "content-encoding");
  return { status, fields, body: body && encode && body.length > 0 ? encode(body) : body };
}

/** A browser sends no fragment, and escapes what is not visible ASCII; a proxy has recorded the other bytes as they were. */
const normalized = (url: string): string => url.replace(/#.*$/s, "").replace(/[^!-~]+/g, encodeURIComponent);

function entryOf(entry: Recorded, number: number): Entry {
  const [request, response, connection] = ["request", "response", "connection"].map((name) => entry.at(name));
  if (!request || !response) throw entry.fault("an object");
  const url = normalized(request.at("url").address);
  const lines = linesOf(request);
  const method = request.at("method").text;
  const startedAt = entry.at("startedDateTime").time;
  const time = entry.at("time");
  return {
    ...{ number, method, url, startedAt, connection: typeof connection?.value === "string" ? connection.value : "" },
    endedAt: time.isAbsent || time.number < 0 ? null : startedAt + time.number,
    isNormalized: true,
    isCached: !entry.at("_fromCache").isAbsent,
    ...{ fields: requestFields(lines, url), body: requestBody(request, lines) },
    response: responseOf(response, method === "HEAD"),
  };
}

const LINE_FEED = 0x0a;
/** Without a buffer the parser decodes each character alone, and drops every byte order mark; with it, those at its beginning. */
const BUFFER_BYTES = 64 * 1024;

/** Counts lines and columns (in bytes, from 1), chunk by chunk. */
class Position {
  private start = 0;
  private line = 1;
  private lineStart = 0;
  private chunk: Uint8Array = Buffer.alloc(0);

  next(chunk: Uint8Array): void {
    this.passed(this.chunk.length);
    this.start += this.chunk.length;
    this.chunk = chunk;
  }

  private passed(until: number): void {
    for (let at = this.chunk.indexOf(LINE_FEED); at >= 0 && at < until; at = this.chunk.indexOf(LINE_FEED, at + 1)) {
      this.line += 1;
      this.lineStart = this.start + at + 1;
    }
  }

  /** The place of a byte of this chunk. */
  text(offset: number): string {
    this.passed(offset - this.start);
    return `line ${this.line}, column ${Math.max(offset - this.lineStart, 0) + 1}`;
  }
}

/** The entries of a HAR 1.2, of which one at a time is in memory. Throws an `Error` with the place of what is none. */
export async function* readHar(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Entry> {
  const parser = new JSONParser({ paths: ["$.log.entries.*"], keepStack: false, stringBufferSize: BUFFER_BYTES });
  const position = new Position();
  const found: unknown[] = [];
  let token = 0;
  let number = 0;
  let hasEntries = false;
  let fault: string | null = null;
  parser.onToken = ({ offset, value }) => {
    token = offset;
    hasEntries ||= value === "entries";
  };
  parser.onValue = ({ value }) => void found.push(value);
  parser.onError = ({ message }) => {
    // The parser of tokens says no position: that of the last one.
    const [, at = `${token}`] = /absolute position "(\d+)"/.exec(message) ?? [];
    fault ??= `${position.text(Number(at))}: ${message.replace(/ at chunk position.*$/s, "")}`;
  };
  for await (const chunk of chunks) {
    position.next(chunk);
    parser.write(chunk);
    for (const one of found.splice(0)) {
      number += 1;
      yield parsed(one, number);
    }
    if (fault !== null) throw new Error(fault);
  }
  position.next(Buffer.alloc(0));
  if (!parser.isEnded) throw new Error("the file ends in the middle of its JSON text");
  if (!hasEntries) throw new Error("a HAR has log.entries");
}

function parsed(value: unknown, number: number): Entry {
  try {
    return entryOf(new Recorded(value), number);
  } catch (error) {
    throw new Error(`entry ${number}: ${error instanceof Error ? error.message : error}`);
  }
}

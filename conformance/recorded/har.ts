import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { JSONParser } from "@streamparser/json";
import { codingOf } from "../http/coding.ts";
import { fieldsOf, type Request } from "../oracle/world.ts";
import { addressAt, at, type Entry, fieldsAt, numberAt, readAt, textAt, textIn, timeAt } from "./json-lines.ts";

type Fields = Request["fields"];

/** What a HAR cannot know, or what a browser has undone: without it, the same is said. */
const FRAMING = /^(?:content-length|transfer-encoding|connection|keep-alive|proxy-connection|te|trailer|upgrade|:.*)$/i;
const CODERS: ReadonlyMap<string, (body: Buffer) => Buffer> = new Map([
  ["identity", (body: Buffer) => body],
  ["gzip", (body: Buffer) => gzipSync(body, { level: 1 })],
  ["deflate", (body: Buffer) => deflateSync(body, { level: 1 })],
  ["br", brotliCompressSync],
]);

/** Field lines; a browser has joined those of one name by line feeds. */
const linesAt = (entry: unknown, path: string): Fields =>
  fieldsAt(entry, path, "name", "value").flatMap(([name, value]) =>
    value.split("\n").map((line) => [name, line] as const),
  );
const isEmpty = (lines: Fields) => !(Number(fieldsOf(lines, "Content-Length").join()) > 0);

/** HTTP/2 has a pseudo-header instead of the host. */
function requestFields(lines: Fields): Fields {
  const hosts = lines.filter(([name]) => name === ":authority").map(([, value]) => ["Host", value] as const);
  const known = hosts.length > 0 ? lines.filter(([name]) => !/^host$/i.test(name)) : lines;
  return [...hosts, ...known.filter(([name]) => !FRAMING.test(name))];
}

/** The body of a request, one character per byte; null if there was one that is not recorded. */
function requestBody(entry: unknown, lines: Fields): string | null {
  const text = textIn(entry, "request.postData.text");
  if (text !== null) return Buffer.from(text).toString("latin1");
  return isEmpty(lines) && at(entry, "request.postData") === null ? "" : null;
}

/** The decoded body of a response; null if it is missing or cut. */
function contentOf(entry: unknown, lines: Fields): Buffer | null {
  const [text, size] = [textIn(entry, "response.content.text"), at(entry, "response.content.size") ?? 0];
  if (text === null) return size === 0 && isEmpty(lines) ? Buffer.alloc(0) : null;
  const body = Buffer.from(text, at(entry, "response.content.encoding") === "base64" ? "base64" : "utf8");
  return typeof size === "number" && body.length < size ? null : body;
}

function responseOf(entry: unknown, isHead: boolean): Entry["response"] {
  const status = numberAt(entry, "response.status");
  if (status <= 0) return null;
  const lines = linesAt(entry, "response.headers");
  const body = isHead || status === 204 || status === 304 ? Buffer.alloc(0) : contentOf(entry, lines);
  // The body is decoded, whatever its header says: it is encoded again, since a tag belongs to a coding.
  const encode = CODERS.get(codingOf(lines));
  const isCoded = encode !== undefined || body?.length === 0;
  const known = isCoded ? lines : lines.filter(([name]) => !/^content-encoding$/i.test(name));
  const fields = known.filter(([name]) => !FRAMING.test(name));
  return { status, fields, body: body?.length && encode ? encode(body) : body };
}

/** A browser sends no fragment, and escapes what is not visible ASCII; a proxy has recorded the other bytes as they were. */
const normalized = (url: string): string => url.replace(/#.*$/s, "").replace(/[^!-~]+/g, encodeURIComponent);

function entryOf(entry: unknown, number: number): Entry {
  const lines = linesAt(entry, "request.headers");
  const method = textAt(entry, "request.method");
  const startedAt = timeAt(entry, "startedDateTime");
  const time = at(entry, "time") === null ? -1 : numberAt(entry, "time");
  const connection = at(entry, "connection");
  return {
    ...{ number, method, startedAt, endedAt: time < 0 ? null : startedAt + time, isNormalized: true },
    ...{
      url: normalized(addressAt(entry, "request.url")),
      connection: typeof connection === "string" ? connection : "",
    },
    ...{ isCached: at(entry, "_fromCache") !== null, fields: requestFields(lines), body: requestBody(entry, lines) },
    response: responseOf(entry, method === "HEAD"),
  };
}

const LINE_FEED = 0x0a;
/** Without a buffer the parser decodes each character alone, and drops every byte order mark; with it, those at its beginning. */
const BUFFER_BYTES = 64 * 1024;

/** The entries of a HAR 1.2, of which one at a time is in memory. Throws an `Error` with the place of what is none. */
export async function* readHar(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Entry> {
  const parser = new JSONParser({ paths: ["$.log.entries.*"], keepStack: false, stringBufferSize: BUFFER_BYTES });
  const found: unknown[] = [];
  const faults: { readonly offset: number; readonly message: string }[] = [];
  let [token, number, hasEntries] = [0, 0, false];
  parser.onToken = ({ offset, value }) => {
    token = offset;
    hasEntries ||= value === "entries";
  };
  parser.onValue = ({ value }) => void found.push(value);
  parser.onError = ({ message }) => {
    // The parser of tokens says no position: that of the last one.
    const [, offset = token] = /absolute position "(\d+)"/.exec(message) ?? [];
    faults.push({ offset: Number(offset), message: message.replace(/ at chunk position.*$/s, "") });
  };
  // Of the chunks that were passed, in bytes.
  let [line, lineStart, passed] = [1, 0, 0];
  const pass = (chunk: Uint8Array) => {
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, end + 1))
      [line, lineStart] = [line + 1, passed + end + 1];
    passed += chunk.length;
  };
  for await (const chunk of chunks) {
    parser.write(chunk);
    const [fault] = faults;
    if (fault) {
      pass(chunk.subarray(0, Math.max(fault.offset - passed, 0)));
      throw new Error(`line ${line}, column ${Math.max(fault.offset - lineStart, 0) + 1}: ${fault.message}`);
    }
    pass(chunk);
    for (const one of found.splice(0)) {
      number += 1;
      yield readAt(`entry ${number}`, () => entryOf(one, number));
    }
  }
  if (!parser.isEnded) throw new Error("the file ends in the middle of its JSON text");
  if (!hasEntries) throw new Error("a HAR has log.entries");
}

import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { codingOf } from "../http/coding.ts";
import { fieldsOf, type Request } from "../oracle/world.ts";
import {
  addressAt,
  at,
  type Entry,
  type Form,
  fieldsAt,
  numberAt,
  readEntries,
  textAt,
  textIn,
  timeAt,
} from "./entries.ts";

type Fields = Request["fields"];

/** What a HAR cannot know, or what a browser has undone: without it, the message is the same. */
const FRAMING = /^(?:content-length|transfer-encoding|connection|keep-alive|proxy-connection|te|trailer|upgrade|:.*)$/i;
const CODERS: ReadonlyMap<string, (body: Buffer) => Buffer> = new Map([
  ["identity", (body: Buffer) => body],
  ["gzip", (body: Buffer) => gzipSync(body, { level: 0 })],
  ["deflate", (body: Buffer) => deflateSync(body, { level: 0 })],
  ["br", (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } })],
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
  if (text) return Buffer.from(text).toString("latin1");
  return isEmpty(lines) && (text === "" || at(entry, "request.postData") === null) ? "" : null;
}

/** The decoded body of a response; null if it is missing or cut. */
function contentOf(entry: unknown, lines: Fields): Buffer | null {
  const [text, size] = [textIn(entry, "response.content.text"), at(entry, "response.content.size")];
  // Chromium names the error that ended a response.
  if (at(entry, "response._error") !== null) return null;
  // One that is unknown has the size -1.
  if (!text)
    return isEmpty(lines) && (size === 0 || fieldsOf(lines, "Content-Length").length > 0) ? Buffer.alloc(0) : null;
  const body = Buffer.from(text, at(entry, "response.content.encoding") === "base64" ? "base64" : "utf8");
  return typeof size === "number" && body.length < size ? null : body;
}

/** Chromium shows a 304 as the response that it had already: of its body nothing was sent. */
const isRevalidated = (entry: unknown, lines: Fields): boolean =>
  at(entry, "response._transferSize") !== null &&
  at(entry, "response.bodySize") === 0 &&
  fieldsOf(lines, "If-None-Match").length > 0;

function responseOf(entry: unknown, isHead: boolean, request: Fields): Entry["response"] {
  const shown = numberAt(entry, "response.status");
  if (shown <= 0) return null;
  const status = shown === 200 && isRevalidated(entry, request) ? 304 : shown;
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
  // Requests of HTTP/2 and later share a connection at once.
  const isShared = /^h(?:ttp\/)?[23]/i.test(String(at(entry, "request.httpVersion")));
  const connection = isShared ? "" : at(entry, "connection");
  return {
    ...{ number, method, startedAt, endedAt: time < 0 ? null : startedAt + time, isNormalized: true },
    ...{
      url: normalized(addressAt(entry, "request.url")),
      connection: typeof connection === "string" ? connection : "",
    },
    ...{
      // Of what a browser had already, nothing was sent.
      isCached: (at(entry, "_fromCache") ?? false) !== false || at(entry, "response._transferSize") === 0,
      fields: requestFields(lines),
      body: requestBody(entry, lines),
    },
    response: responseOf(entry, method === "HEAD", lines),
  };
}

/** HAR 1.2. */
const HAR: Form = {
  list: ["log", "entries"],
  members: ["startedDateTime", "time", "connection", "_fromCache", "request", "response"],
  entryOf,
};
export const readHar = (chunks: Parameters<typeof readEntries>[0]) => readEntries(chunks, HAR);

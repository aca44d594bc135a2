import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { codingOf } from "../http/coding.ts";
import { fieldsOf, type Request } from "../oracle/model-state.ts";
import {
  addressAt,
  at,
  type Entry,
  type Form,
  fieldsIn,
  numberAt,
  readEntries,
  statusAt,
  textAt,
  textIn,
  timeAt,
} from "./entries.ts";

type Fields = Request["fields"];

/** What a HAR cannot know, or what a browser has undone: without it, the message is the same. */
const FRAMING =
  /^(?:content-length|transfer-encoding|(?:proxy-)?connection|keep-alive|te|trailer|upgrade|:.*)$/i;
const CODERS: ReadonlyMap<string, (body: Buffer) => Buffer> = new Map([
  ["identity", (body: Buffer) => body],
  ["gzip", (body: Buffer) => gzipSync(body, { level: 0 })],
  ["deflate", (body: Buffer) => deflateSync(body, { level: 0 })],
  [
    "br",
    (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } }),
  ],
]);

/** Recorders of what a program sets: its client adds more, and may follow a redirect. */
const OF_PROGRAM = /axios-har-tracker|insomnia|postman/i;
const isOfProgram = (entry: unknown): boolean =>
  OF_PROGRAM.test(JSON.stringify(at(entry, "creator"))) || at(entry, "request.content") !== null;

/**
 * `axios-har-tracker` writes every field as the program has it: one without a value was not sent.
 */
function textsIn(lines: readonly unknown[]): readonly unknown[] {
  const values = lines.map((one) => ({ name: Object(one).name, value: Object(one).value ?? null }));
  return values.flatMap(({ name, value }) =>
    value === null ? [] : [{ name, value: String(value) }],
  );
}

/** Field lines; a browser has joined those of one name by line feeds. */
function linesAt(entry: unknown, path: string): Fields {
  const written = at(entry, path) ?? [];
  const lines = Array.isArray(written) && isOfProgram(entry) ? textsIn(written) : written;
  return fieldsIn(lines, path, "name", "value").flatMap(([name, value]) =>
    value.split("\n").map((line) => [name, line] as const),
  );
}
const isEmpty = (lines: Fields) => !(Number(fieldsOf(lines, "Content-Length").join()) > 0);

/**
 * Every request on the wire names its host: a head without it is what a program set, or a browser's
 * provisional one. A recorder that writes `get` may change other parts as well.
 */
function isPartial(entry: unknown, lines: Fields, method: string): boolean {
  const isProvisional = Object.keys(Object(at(entry, "request"))).some((name) =>
    /^_.*provisional/i.test(name),
  );
  const hasHost = lines.some(([name]) => /^(?:host|:authority)$/i.test(name));
  return (
    isProvisional || isOfProgram(entry) || !hasHost || method !== textAt(entry, "request.method")
  );
}

/** HTTP/2 has a pseudo-header instead of the host. */
function requestFields(lines: Fields): Fields {
  const hosts = lines
    .filter(([name]) => name === ":authority")
    .map(([, value]) => ["Host", value] as const);
  const known = hosts.length > 0 ? lines.filter(([name]) => !/^host$/i.test(name)) : lines;
  return [...hosts, ...known.filter(([name]) => !FRAMING.test(name))];
}

/** How recorders write bytes that are no text: U+FFFD, a lone surrogate, or a `Buffer` as JSON. */
const LOST = /\ufffd|\p{Surrogate}|^\{"type":"Buffer","data":/u;

/** The bytes of a text as it was recorded; null if they are not known. */
function bytesAt(entry: unknown, path: string): Buffer | null {
  const text = textIn(entry, `${path}.text`) ?? "";
  const encoding = textIn(entry, `${path}.encoding`) || "utf-8";
  if (/^base64$/i.test(encoding))
    return /^[\w+/=\s-]*$/.test(text) ? Buffer.from(text, "base64") : null;
  return /^utf-?8$/i.test(encoding) && !LOST.test(text) ? Buffer.from(text) : null;
}

/** The body of a request, one character per byte; null if there was one that is not recorded. */
function requestBody(entry: unknown, lines: Fields, mayLackLength: boolean): string | null {
  const bytes = bytesAt(entry, "request.postData");
  if (bytes?.length !== 0) return bytes?.toString("latin1") ?? null;
  const hasParameters = Object(at(entry, "request.postData.params")).length > 0;
  const isSized = mayLackLength || Number(at(entry, "request.bodySize")) > 0 || !isEmpty(lines);
  return isSized || hasParameters ? null : "";
}

/** The decoded body of a response; null if it is missing or cut. */
function contentOf(entry: unknown, lines: Fields): Buffer | null {
  const size = at(entry, "response.content.size");
  // Chromium names the error that ended a response.
  if (at(entry, "response._error") !== null) return null;
  const body = bytesAt(entry, "response.content");
  // One that is unknown has the size -1.
  if (body?.length === 0)
    return isEmpty(lines) && (size === 0 || fieldsOf(lines, "Content-Length").length > 0)
      ? body
      : null;
  return body && typeof size === "number" && body.length < size ? null : body;
}

/** Chromium shows a 304 as the response that it had already: of its body nothing was sent. */
const isRevalidated = (entry: unknown, lines: Fields): boolean =>
  at(entry, "response._transferSize") !== null &&
  at(entry, "response.bodySize") === 0 &&
  fieldsOf(lines, "If-None-Match").length > 0;

function responseOf(entry: unknown, isHead: boolean, request: Fields): Entry["response"] {
  const shown = statusAt(entry, "response.status");
  if (shown === null) return null;
  const status = shown === 200 && isRevalidated(entry, request) ? 304 : shown;
  const lines = linesAt(entry, "response.headers");
  const body =
    isHead || status === 204 || status === 304 ? Buffer.alloc(0) : contentOf(entry, lines);
  // The body is decoded, whatever its header says: it is encoded again, since a tag belongs to a
  // coding.
  const encode = CODERS.get(codingOf(lines));
  const isCoded = encode !== undefined || body?.length === 0;
  const known = isCoded ? lines : lines.filter(([name]) => !/^content-encoding$/i.test(name));
  const fields = known.filter(([name]) => !FRAMING.test(name));
  return { status, fields, body: body?.length && encode ? encode(body) : body };
}

/**
 * A browser sends no fragment, and escapes what is not visible ASCII; a proxy has recorded the
 * other bytes as they were.
 */
const normalized = (url: string): string =>
  url.replace(/#.*$/s, "").replace(/[^!-~]+/g, encodeURIComponent);

/** What answered instead of the target; null if the target did. */
function leftOf(entry: unknown): string | null {
  const has = (path: string) => (at(entry, path) ?? false) !== false;
  if (has("_wasFulfilled") || has("response._fetchedViaServiceWorker"))
    return "from a mock or a service worker";
  // A browser records responses from its cache too, for which nothing was sent, and does not
  // count the bytes of a preflight.
  const isUnsent =
    at(entry, "response._transferSize") === 0 && at(entry, "_resourceType") !== "preflight";
  return has("_fromCache") || isUnsent ? "from a browser's cache" : null;
}

/**
 * The address of a request; `axios-har-tracker` writes a second `?` before parameters of its own.
 */
function urlOf(entry: unknown): string {
  const url = addressAt(entry, "request.url");
  return normalized(isOfProgram(entry) ? url.replace(/(\?.*)\?([^?]*)$/, "$1&$2") : url);
}

/** What takes longer has no known end. */
const MOST_MS = 1e9;

function entryOf(entry: unknown, number: number): Entry {
  const lines = linesAt(entry, "request.headers");
  const method = textAt(entry, "request.method").replace(/^[a-z]+$/i, (name) => name.toUpperCase());
  const startedAt = timeAt(entry, "startedDateTime");
  const time = at(entry, "time") === null ? -1 : numberAt(entry, "time");
  // Requests of HTTP/2 and later share a connection at once.
  const isShared = /^h(?:ttp\/)?[23]/i.test(String(at(entry, "request.httpVersion")));
  const connection = isShared ? "" : at(entry, "connection");
  const isPart = isPartial(entry, lines, method);
  return {
    number,
    method,
    startedAt,
    isNormalized: true,
    isPartial: isPart,
    left: leftOf(entry),
    endedAt: time >= 0 && time < MOST_MS ? startedAt + time : null,
    url: urlOf(entry),
    connection: typeof connection === "string" ? connection : "",
    fields: requestFields(lines),
    body: requestBody(entry, lines, isPart && method === "POST"),
    response: responseOf(entry, method === "HEAD", lines),
  };
}

/** HAR 1.2. */
const HAR: Form = {
  list: ["log", "entries"],
  members: [
    "startedDateTime",
    "time",
    "connection",
    "request",
    "response",
    "_fromCache",
    "_wasFulfilled",
    "_resourceType",
  ],
  beside: ["creator"],
  entryOf,
};
export const readHar = (chunks: Parameters<typeof readEntries>[0]) => readEntries(chunks, HAR);

import { randomUUID } from "node:crypto";
import { type IncomingHttpHeaders, type ServerResponse, STATUS_CODES } from "node:http";
import type { Context } from "@opentelemetry/api";
import { Problem } from "../problem.ts";
import type { Config } from "../settings/config.ts";
import { type ProblemOptions, problemContents } from "./problem-contents.ts";

/** Values by name. */
export type Headers = Readonly<Record<string, string>>;

/** A response without the headers that every response has. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** None with 204 and 304. */
  readonly body?: string | Buffer;
}

/** Text in UTF-8, as JSON is (D9). */
export const textReply = (
  mediaType: string,
  body: string,
  status = 200,
  headers: Headers = {},
): Reply => ({
  status,
  // Not a spread: V8 takes 3 µs for a spread with added members.
  headers: Object.assign({ "Content-Type": `${mediaType}; charset=utf-8` }, headers),
  body,
});

/** The result of a request. */
export interface DispatchResult {
  /** The response, or the reason for the rejection. */
  readonly outcome: Reply | Problem;
  /** The step of the order of checks that decided it. */
  readonly step: string;
  readonly operation?: string | undefined;
  /** Headers of the operation, the same for all of its responses. */
  readonly headers?: Headers | undefined;
  /** Headers of this response alone: what is left of the caller's limits (D21). */
  readonly rateLimitHeaders?: Headers | undefined;
  readonly keyId?: string | undefined;
  /** The call of its handler, which may have begun a span. */
  readonly call?: { readonly begunTrace: Context | null } | undefined;
  /** Whether the query held a key. */
  readonly keyInQuery?: boolean;
}

/** A request, as far as its response depends on it. */
export interface RequestInfo {
  readonly requestId: string;
  /** `null` when it is unknown. */
  readonly method: string | null;
  /** None when they could not be read. */
  readonly headers?: IncomingHttpHeaders;
  /** When the request began, as `performance.now()` counts. */
  readonly startedAt: number;
}

/**
 * What is recorded of a request in log, metrics and traces: never the key, the query or the body
 * (D20).
 */
export type RequestRecord = {
  readonly requestId: string;
  readonly method: string | null;
  readonly operation: string | null;
  readonly status: number;
  /** Rounded to microseconds. */
  readonly durationMs: number;
  readonly keyId: string | null;
  readonly code: string | null;
};

export interface SenderOptions extends ProblemOptions {
  /** Whether a text may be a key, which is never repeated. */
  readonly containsKeyLike: (text: string) => boolean;
  readonly corsOrigins: Config["CORS_ORIGINS"];
  /** Called once for each response. */
  readonly record: (record: RequestRecord, result: DispatchResult, request: RequestInfo) => void;
  /** Called with what must not happen: a 5xx and its cause. */
  readonly onFault: (problem: Problem, requestId: string) => void;
}

/**
 * The one way out: sends and records every response, whatever created it, with the headers of every
 * response (D12, D15).
 */
export interface Sender {
  send(response: ServerResponse, request: RequestInfo, result: DispatchResult): void;
  /**
   * An HTTP/1.1 response as text that closes its connection, for a socket whose message never
   * became a request.
   */
  serializeRaw(request: RequestInfo, result: DispatchResult): string;
  /**
   * The caller's `X-Request-Id` when it is safe to write anywhere and cannot be a key by mistake,
   * otherwise a new one (D12).
   */
  requestIdOf(header: string | readonly string[] | undefined): string;
}

export function createSender(options: SenderOptions): Sender {
  const { corsOrigins, record, onFault, containsKeyLike } = options;
  const describe = problemContents(options);
  const base = corsOrigins === "*" ? [...BASE_FIELDS, ...readableBy("*")] : BASE_FIELDS;

  /** Records a response; its fields are name, value, name, value: the fastest form for Node. */
  const serialize = (request: RequestInfo, result: DispatchResult) => {
    const { method, startedAt } = request;
    const origin = request.headers?.origin;
    let { requestId } = request;
    let { outcome } = result;
    let code: string | null = null;
    if (outcome instanceof Problem) {
      const { problem, reply } = describe(outcome, result, requestId);
      code = problem.code;
      if (reply.status >= 500 && !EXPECTED.includes(code)) onFault(problem, requestId);
      outcome = reply;
    }
    const { status, headers, body } = outcome;
    // D12: a shared cache sends a stored response to other callers as well, so it must not name
    // this request's id.
    if ("ETag" in headers) requestId = randomUUID();
    const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
    const { operation = null, keyId = null, rateLimitHeaders } = result;
    record({ requestId, method, operation, status, durationMs, keyId, code }, result, request);

    const fields = base.slice();
    if (corsOrigins !== "*") {
      if (origin !== undefined && corsOrigins.includes(origin)) fields.push(...readableBy(origin));
      // Sent without an origin too, or a cache would send that response to a page that is allowed.
      fields.push("Vary", "Origin");
    }
    if (result.headers) addHeaders(fields, result.headers);
    addHeaders(fields, headers);
    fields.push("X-Request-Id", requestId);
    if (rateLimitHeaders) addHeaders(fields, rateLimitHeaders);
    if (body === undefined) return { status, fields };
    fields.push("Content-Length", String(Buffer.byteLength(body)));
    return { status, fields, body: method === "HEAD" ? "" : body };
  };

  return {
    send(response, request, result) {
      const { status, fields, body } = serialize(request, result);
      // What is left of an upload is not needed.
      if (!response.req.complete) response.shouldKeepAlive = false;
      // When the client is gone, Node would treat the body as an error.
      if (response.socket?.writable === false) response.end();
      else response.writeHead(status, fields).end(body);
    },
    serializeRaw(request, result) {
      const { status, fields, body = "" } = serialize(request, result);
      const lines = fields.flatMap((name, index) =>
        index % 2 === 0 ? [`${name}: ${fields[index + 1]}`] : [],
      );
      const date = `Date: ${new Date().toUTCString()}`;
      const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
      return [start, ...lines, date, "Connection: close", "", body].join("\r\n");
    },
    requestIdOf: (header) =>
      typeof header === "string" && ACCEPTED_ID.test(header) && !containsKeyLike(header)
        ? header
        : randomUUID(),
  };
}

/** Adds headers to a list of names and values. A later value of a name counts; lists are joined. */
function addHeaders(fields: string[], headers: Headers): void {
  for (const name in headers) {
    const { [name]: value = "" } = headers;
    let index = 0;
    while (index < fields.length && fields[index] !== name) index += 2;
    const isList = index < fields.length && (name === "Vary" || name === "Link");
    fields[index + 1] = isList ? `${fields[index + 1]}, ${value}` : value;
    fields[index] = name;
  }
}

/** 5xx that are expected: recorded with the request, not as faults. */
const EXPECTED: readonly string[] = ["shutting-down", "overloaded"];

/** Browsers that trace send the last two; the service reads only `traceparent`. */
const ALLOWED_HEADERS =
  "X-API-KEY, X-PLATFORM, Content-Type, Idempotency-Key, X-Request-Id, If-None-Match, " +
  "traceparent, tracestate";

/** The headers of a response to OPTIONS: the methods of the path, for browsers too (D5, D15). */
export const optionsHeaders = (methods: readonly string[]): Headers => ({
  Allow: methods.join(", "),
  "Access-Control-Allow-Methods": methods.join(", "),
  "Access-Control-Allow-Headers": ALLOWED_HEADERS,
  "Access-Control-Max-Age": "600",
});

/** D12. Each request adds its id; cacheable responses replace `Cache-Control`. */
const BASE_FIELDS: readonly string[] = [
  "X-Content-Type-Options",
  "nosniff",
  "Referrer-Policy",
  "no-referrer",
  "Cache-Control",
  "no-store",
];

const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,64}$/;

const EXPOSED_HEADERS =
  "X-Request-Id, X-Operation, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, " +
  "Idempotent-Replayed, Deprecation, Sunset";

/** Pages of the origin may read the response (D15). Never credentials. */
const readableBy = (origin: string): readonly string[] => [
  "Access-Control-Allow-Origin",
  origin,
  "Access-Control-Expose-Headers",
  EXPOSED_HEADERS,
];

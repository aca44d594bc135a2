import { randomUUID } from "node:crypto";
import { type IncomingHttpHeaders, type ServerResponse, STATUS_CODES } from "node:http";
import type { ProblemCode } from "../../generated/operations.ts";
import type { Step } from "../../generated/order.ts";
import type { Config } from "../config.ts";
import { holdsKeyForm } from "../keys/key.ts";
import { SafeError } from "../log/safe-error.ts";
import { challenge } from "../protocol/credentials.ts";
import { isRefusalOf, Problem } from "../protocol/problem.ts";

type Headers = Readonly<Record<string, string>>;

/** The content of a response, without the headers that every response has. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** None with 204 and 304. */
  readonly body?: string | Buffer;
}

/** The outcome of a request. */
export interface Outcome {
  /** The response to send, or why the request is rejected, and the step of the order of checks that decided it. */
  readonly reply: Reply | Problem;
  readonly step: Step;
  /** Headers of the operation, for all of its responses; the same object each time, since prepared headers are stored by it. */
  readonly headers?: Headers | undefined;
  /** Headers of this request alone: what is left of its limits (D21). */
  readonly counted?: Headers | undefined;
  readonly operation?: string | undefined;
  readonly keyId?: string | undefined;
  /** Whether the query held a key. */
  readonly keyInQuery?: boolean;
}

/** The request that is answered, as far as it is known. */
export interface Asked {
  readonly requestId: string;
  /** `null` when it is unknown. */
  readonly method: string | null;
  /** None when they could not be read. */
  readonly headers?: IncomingHttpHeaders;
  /** Of `performance.now()`. */
  readonly startedAt: number;
}

/** What is known of a request after its response: never the key, the query or the body (D20). */
export type RequestLog = {
  readonly requestId: string;
  readonly method: string | null;
  readonly operation: string | null;
  readonly status: number;
  /** Rounded to microseconds. */
  readonly durationMs: number;
  readonly keyId: string | null;
  readonly code: string | null;
};

/** A complete response. */
interface Complete {
  readonly status: number;
  /** Name, value, name, value. */
  readonly fields: string[];
  readonly body?: string | Buffer;
}

export interface ReplyOptions {
  /** The absolute address of the entry of all problems, for `type`. */
  readonly problemsUrl: string;
  readonly corsOrigins: Config["corsOrigins"];
  readonly checkAnswers: Config["checkAnswers"];
  readonly onAnswer: (line: RequestLog, outcome: Outcome, asked: Asked) => void;
  /** Called with what must not happen: a 5xx and its cause. */
  readonly onFault: (problem: Problem, requestId: string) => void;
  readonly onUndocumented: (operation: string | null, faults: readonly string[], requestId: string) => void;
}

/** Sends every response, whatever created it, with the headers of every response (D12, D15) and one line for the log. */
export interface Replies {
  send(response: ServerResponse, asked: Asked, outcome: Outcome): void;
  /** The bytes of an HTTP/1.1 response that closes its connection, for a socket whose message never became a request. */
  bytes(asked: Asked, outcome: Outcome): string;
}

export function createReplies(options: ReplyOptions): Replies {
  const { problemsUrl, corsOrigins, onAnswer, onFault } = options;
  /** By the headers of the operation, then by those of the reply: both are the same objects each time. */
  const prepared = new WeakMap<Headers, Map<Headers, readonly string[]>>();

  /** Names and values in turn, the fastest form for Node, of all that does not depend on the request. */
  const fieldsOf = (ofOperation: Headers, ofReply: Headers, origin: string | undefined): readonly string[] => {
    const known = prepared.get(ofOperation)?.get(ofReply);
    if (known) return known;
    const headers = merged(BASE_HEADERS, corsHeaders(origin, corsOrigins), ofOperation, ofReply);
    const fields = Object.entries(headers).flat();
    // Not cacheable: depends on the Origin, or is used once.
    if (corsOrigins === "*" && ofMany.has(ofReply)) {
      const replies = prepared.get(ofOperation) ?? new Map<Headers, readonly string[]>();
      prepared.set(ofOperation, replies.set(ofReply, fields));
    }
    return fields;
  };

  const complete = (asked: Asked, outcome: Outcome): Complete => {
    const { method, startedAt } = asked;
    let { requestId } = asked;
    const { step, headers = NONE, counted, operation = null, keyId = null } = outcome;
    let { reply } = outcome;
    let code: string | null = null;
    if (reply instanceof Problem) {
      const problem = ownRefusal(reply, step, requestId, options);
      if (problem.status >= 500 && !MEANT.includes(problem.code)) onFault(problem, requestId);
      code = problem.code;
      reply = problemReply(problem, problemsUrl, requestId);
    }
    const { status, body } = reply;
    // D12: a shared cache sends a stored response to other callers as well, so it must not name this request's id.
    if ("ETag" in reply.headers) requestId = randomUUID();
    const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
    onAnswer({ requestId, method, operation, status, durationMs, keyId, code }, outcome, asked);
    const fields = fieldsOf(headers, reply.headers, asked.headers?.origin).concat("X-Request-Id", requestId);
    if (counted) for (const name in counted) fields.push(name, counted[name] ?? "");
    if (body === undefined) return { status, fields };
    fields.push("Content-Length", String(Buffer.byteLength(body)));
    return { status, fields, body: method === "HEAD" ? "" : body };
  };

  return {
    send(response, asked, outcome) {
      const { status, fields, body } = complete(asked, outcome);
      // When the client is gone, Node would treat the body as an error.
      if (response.socket?.writable === false) response.end();
      else response.writeHead(status, fields).end(body);
    },
    bytes(asked, outcome) {
      const { status, fields, body = "" } = complete(asked, outcome);
      const lines = fields.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${fields[at + 1]}`] : []));
      const own = [`Date: ${new Date().toUTCString()}`, "Connection: close"];
      return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, ...own, "", body].join("\r\n");
    },
  };
}

/** 5xx that are expected: logged with the request, not as faults. */
const MEANT: readonly ProblemCode[] = ["shutting-down", "overloaded"];

const ofMany = new WeakSet<Headers>();

/** Headers that many replies share, as the same object each time: they are prepared once, and stored. */
export function shared(headers: Headers): Headers {
  ofMany.add(headers);
  return headers;
}

const JSON_HEADERS = shared({ "Content-Type": "application/json; charset=utf-8" });
const PROBLEM_HEADERS = shared({ "Content-Type": "application/problem+json" });
const CHALLENGE_HEADERS = shared({ ...PROBLEM_HEADERS, ...challenge });

/** Status 200 and no headers by default. */
type ReplyHead = Partial<Pick<Reply, "status" | "headers">>;

/** D9. */
export const jsonReply = (body: unknown, more?: ReplyHead): Reply => jsonTextReply(JSON.stringify(body), more);

/** The same, for a body that is JSON text already. */
export const jsonTextReply = (body: string, { status = 200, headers }: ReplyHead = {}): Reply => ({
  status,
  headers: headers ? Object.assign({}, JSON_HEADERS, headers) : JSON_HEADERS,
  body,
});

/** Text in UTF-8, with 200 unless `more` has another status. */
export const textReply = (mediaType: string, body: string, { status = 200, headers = {} }: ReplyHead = {}): Reply => ({
  status,
  headers: Object.assign({ "Content-Type": `${mediaType}; charset=utf-8` }, headers),
  body,
});

const problemReply = (problem: Problem, problemsUrl: string, requestId: string): Reply => ({
  status: problem.status,
  headers: problemHeaders(problem),
  body: JSON.stringify(problem.document(problemsUrl, requestId)),
});

function problemHeaders({ headers }: Problem): Headers {
  if (headers === undefined) return PROBLEM_HEADERS;
  return headers === challenge ? CHALLENGE_HEADERS : Object.assign({}, PROBLEM_HEADERS, headers);
}

/** Browsers that trace send the last two; the service reads only `traceparent`. */
const ALLOWED_HEADERS =
  "X-API-KEY, X-PLATFORM, Content-Type, Idempotency-Key, X-Request-Id, If-None-Match, traceparent, tracestate";
const EXPOSED_HEADERS =
  "X-Request-Id, X-Operation, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, Deprecation, Sunset";
const MAX_AGE_SECONDS = 600;

/** The response to OPTIONS: the methods of the path, for browsers too (D5, D15). */
export const optionsReply = (methods: readonly string[]): Reply => ({
  status: 204,
  headers: {
    Allow: methods.join(", "),
    "Access-Control-Allow-Methods": methods.join(", "),
    "Access-Control-Allow-Headers": ALLOWED_HEADERS,
    "Access-Control-Max-Age": String(MAX_AGE_SECONDS),
  },
});

const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's `X-Request-Id` when it is safe to write anywhere and cannot be a key by mistake, otherwise a new one (D12). */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === "string" && ACCEPTED_ID.test(header) && !holdsKeyForm(header) ? header : randomUUID();
}

const NONE: Headers = {};

/** D12. Each request adds its id; cacheable responses replace `Cache-Control`. */
const BASE_HEADERS: Headers = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
};

/** D15. Never credentials. */
function corsHeaders(origin: string | undefined, allowed: ReplyOptions["corsOrigins"]): Headers {
  const readableBy = (who: string) => ({
    "Access-Control-Allow-Origin": who,
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
  });
  if (allowed === "*") return readableBy("*");
  // Also without an origin, or a cache would send that response to a page that is allowed.
  const vary = { Vary: "Origin" };
  return origin !== undefined && allowed.includes(origin) ? { ...readableBy(origin), ...vary } : vary;
}

/** The later value of a header counts; lists are joined. */
function merged(first: Headers, ...others: readonly Headers[]): Record<string, string> {
  // Neither a spread nor pairs: V8 takes 20 times as long for a growing object, and creates an array for each pair.
  const headers: Record<string, string> = Object.assign({}, first);
  for (const more of others) {
    for (const name in more) {
      const before = name === "Vary" || name === "Link" ? headers[name] : undefined;
      const { [name]: value = "" } = more;
      headers[name] = before === undefined ? value : `${before}, ${value}`;
    }
  }
  return headers;
}

/**
 * The rejection, which has to be one of its step. Any other, and a response that the contract does not have, is a fault of the service:
 * an `internal-error` in tests, logged in production.
 */
function ownRefusal(
  problem: Problem,
  step: Step,
  requestId: string,
  { checkAnswers, onUndocumented }: ReplyOptions,
): Problem {
  if (checkAnswers === "off" || isRefusalOf(step, problem.code)) return problem;
  const fault = `${step} does not reject with ${problem.code}`;
  onUndocumented(null, [fault], requestId);
  return checkAnswers === "throw" ? Problem.from(new SafeError(fault)) : problem;
}

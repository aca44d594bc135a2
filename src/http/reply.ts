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

/** What is sent of an answer beside the headers that every answer has. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** None with 204 and 304. */
  readonly body?: string | Buffer;
}

/** What became of a request. */
export interface Outcome {
  /** What to send, or why the request is refused, and the step of judgement that has said so. */
  readonly reply: Reply | Problem;
  readonly step: Step;
  /** Of the operation, whatever it answers; the same object each time, since what goes with it is made ready once. */
  readonly headers?: Headers | undefined;
  /** Of this request alone: what is left of its limits (D21). */
  readonly counted?: Headers | undefined;
  readonly operation?: string | undefined;
  readonly keyId?: string | undefined;
  /** Whether a key stood in the query. */
  readonly keyInQuery?: boolean;
}

/** Who is answered. */
export interface Asked {
  readonly requestId: string;
  /** `null` when nobody could tell. */
  readonly method: string | null;
  /** None where they could not be read. */
  readonly headers?: IncomingHttpHeaders;
  /** Of `performance.now()`. */
  readonly startedAt: number;
}

/** What is known of a request once it was answered: never the key, the query or the body (D20). */
export type RequestLog = {
  readonly requestId: string;
  readonly method: string | null;
  readonly operation: string | null;
  readonly status: number;
  /** To the microsecond. */
  readonly durationMs: number;
  readonly keyId: string | null;
  readonly code: string | null;
};

/** All that goes out. */
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
  /** Hears of what must not happen: a 5xx and its cause. */
  readonly onFault: (problem: Problem, requestId: string) => void;
  readonly onUndocumented: (operation: string | null, faults: readonly string[], requestId: string) => void;
}

/** Sends every answer, whoever made it, with the headers of every answer (D12, D15) and one line for the log. */
export interface Replies {
  send(response: ServerResponse, asked: Asked, outcome: Outcome): void;
  /** The bytes of an HTTP/1.1 answer that closes its connection, for a socket whose request never became one. */
  bytes(asked: Asked, outcome: Outcome): string;
}

export function createReplies(options: ReplyOptions): Replies {
  const { problemsUrl, corsOrigins, onAnswer, onFault } = options;
  /** By the headers of the operation, then by those of the reply: both are the same objects again and again. */
  const prepared = new WeakMap<Headers, Map<Headers, readonly string[]>>();

  /** Names and values in turn, as Node takes them fastest, of all that does not depend on the request. */
  const fieldsOf = (ofOperation: Headers, ofReply: Headers, origin: string | undefined): readonly string[] => {
    const known = prepared.get(ofOperation)?.get(ofReply);
    if (known) return known;
    const headers = merged(BASE_HEADERS, corsHeaders(origin, corsOrigins), ofOperation, ofReply);
    const fields = Object.entries(headers).flat();
    // Else it depends on who asks, or stands for this reply alone.
    if (corsOrigins === "*" && ofMany.has(ofReply)) {
      const replies = prepared.get(ofOperation) ?? new Map<Headers, readonly string[]>();
      prepared.set(ofOperation, replies.set(ofReply, fields));
    }
    return fields;
  };

  const complete = (asked: Asked, outcome: Outcome): Complete => {
    const { requestId, method, startedAt } = asked;
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
      // To a client that has gone away, Node would take the body for an error.
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

/** No faults, though 5xx: the line of the request has them. */
const MEANT: readonly ProblemCode[] = ["shutting-down", "overloaded"];

const ofMany = new WeakSet<Headers>();

/** Headers that stand for many replies, as the same object each time: what goes out with them is made ready once, and kept. */
export function shared(headers: Headers): Headers {
  ofMany.add(headers);
  return headers;
}

const JSON_HEADERS = shared({ "Content-Type": "application/json; charset=utf-8" });
const PROBLEM_HEADERS = shared({ "Content-Type": "application/problem+json" });
const CHALLENGE_HEADERS = shared({ ...PROBLEM_HEADERS, ...challenge });

/** Status 200 and no headers unless they are said. */
type ReplyHead = Partial<Pick<Reply, "status" | "headers">>;

/** D9. */
export const jsonReply = (body: unknown, more?: ReplyHead): Reply => jsonTextReply(JSON.stringify(body), more);

/** The same, of what is JSON already. */
export const jsonTextReply = (body: string, { status = 200, headers }: ReplyHead = {}): Reply => ({
  status,
  headers: headers ? Object.assign({}, JSON_HEADERS, headers) : JSON_HEADERS,
  body,
});

/** Text in UTF-8, with 200 unless `more` says otherwise. */
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

const ALLOWED_HEADERS = "X-API-KEY, X-PLATFORM, Content-Type, Idempotency-Key, X-Request-Id, If-None-Match";
const EXPOSED_HEADERS =
  "X-Request-Id, X-Operation, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, Deprecation, Sunset";
const MAX_AGE_SECONDS = 600;

/** The answer to OPTIONS: the methods of the path, for browsers too (D5, D15). */
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

/** The caller's `X-Request-Id` when it can be written anywhere safely and is no key by mistake, else a new one (D12). */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === "string" && ACCEPTED_ID.test(header) && !holdsKeyForm(header) ? header : randomUUID();
}

const NONE: Headers = {};

/** D12. Each request adds its id; cacheable answers replace `Cache-Control`. */
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
  // Also without an origin, or a cache would give that answer to a page that is allowed.
  const vary = { Vary: "Origin" };
  return origin !== undefined && allowed.includes(origin) ? { ...readableBy(origin), ...vary } : vary;
}

/** The later one of a header counts; of those that are lists, all. */
function merged(first: Headers, ...others: readonly Headers[]): Record<string, string> {
  // Neither a spread nor pairs: V8 takes 20 times as long for one that grows, and makes an array of each.
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
 * The refusal, which has to be one of its step. Another one is a fault of ours, as is an answer that the contract does not have:
 * an `internal-error` in tests, logged in production.
 */
function ownRefusal(
  problem: Problem,
  step: Step,
  requestId: string,
  { checkAnswers, onUndocumented }: ReplyOptions,
): Problem {
  if (checkAnswers === "off" || isRefusalOf(step, problem.code)) return problem;
  const fault = `${step} does not refuse with ${problem.code}`;
  onUndocumented(null, [fault], requestId);
  return checkAnswers === "throw" ? Problem.from(new SafeError(fault)) : problem;
}

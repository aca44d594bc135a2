import { header, problemCode } from "../../proxy/look.ts";
import type { ProxyAnswer } from "../../proxy/message.ts";
import {
  letIn,
  respondProblem,
  withBody,
  withHeader,
  withoutHeader,
  withQuery,
  withStatus,
} from "../../proxy/shape.ts";
import * as W from "./memory.ts";

/** Connections, callers, documents, and combinations of two things. */

type Request = Parameters<W.Answer>[1];
type Memory = W.Memory;
const good = (request: Request, { credentials }: Parameters<W.Answer>[2]) => W.apiKeyOf(request) === credentials?.key;
const remembers = (id: string, name: string): W.Broken => [
  `answers with the ${name} of the request before, ${id}`,
  {
    answer: (answer, request, { connection }) => {
      const before = connection.get(name);
      const own = header(answer, name);
      if (own !== null) connection.set(name, own);
      return typeof before === "string" && own !== null && request.method !== "OPTIONS"
        ? withHeader(answer, name, before)
        : answer;
    },
  },
];
/** After one valid request on the connection the others are trusted: as far as `forgives` goes. */
const trusts = (id: string, forgives: RegExp, where: "connection" | "state" = "connection"): W.Broken => [
  id,
  {
    answer: async (answer, request, context) => {
      const memory: Memory = context[where];
      if (answer.status < 300 && W.isGuarded(request) && good(request, context)) memory.set("good", true);
      return memory.has("good") && forgives.test(problemCode(answer) ?? "") ? W.gone(context, request) : answer;
    },
  },
];
const every = (
  id: string,
  nth: number,
  change: (answer: ProxyAnswer) => ProxyAnswer,
  where: "connection" | "state",
  which = (_: Request) => true,
): W.Broken => [
  id,
  {
    answer: (answer, request, context) =>
      which(request) && W.count(context[where], id) % nth === 0 ? change(answer) : answer,
  },
];
const failed = () => respondProblem(500, "internal-error");
/** A field that must not change anything, but does. */
const meets = (id: string, field: string, change: NonNullable<W.Broken[1]["request"]>): W.Broken => [
  id,
  { request: (request, context) => (header(request, field) === null ? request : change(request, context)) },
];
const isQuery = (request: Request) => request.method === "GET" || request.method === "HEAD";

export const callers: readonly W.Broken[] = [
  trusts("checks scopes for the first of a connection alone", /^scope-missing$/),
  trusts("checks platforms for the first of a connection alone", /^platform-not-allowed$/),
  trusts("checks keys for the first of a connection alone", /^credentials-/),
  trusts("lets in who has no key once the right one was seen on the connection", /^credentials-missing$/),
  [
    "forgives input after a success on the connection",
    {
      request: (request, { connection }) =>
        connection.has("success") && isQuery(request)
          ? withQuery(request, (query) => query.delete("unknown"))
          : request,
      answer: (answer, _, { connection }) => {
        if (answer.status < 300) connection.set("success", true);
        return answer;
      },
    },
  ],
  remembers("on its connection", "X-Operation"),
  remembers("on its connection", "X-Request-Id"),
  [
    "answers as the request before on the connection wanted",
    {
      request: (request, { connection }) => {
        const before = connection.get("accept");
        const own = header(request, "Accept");
        connection.set("accept", own);
        return typeof before === "string" && own === null ? withHeader(request, "Accept", before) : request;
      },
    },
  ],
  [
    "rejects who comes behind a rejected key on the connection",
    {
      answer: (answer, request, { connection }) => {
        const before = connection.get("wrong");
        connection.set("wrong", problemCode(answer) === "credentials-invalid");
        return before === true && answer.status < 300 && W.isGuarded(request)
          ? respondProblem(401, "credentials-invalid")
          : answer;
      },
    },
  ],
  [
    "keeps the rejection of a key for the caller's next request",
    {
      answer: (answer, request, { state }) => {
        const name = `${W.nameOf(request)} ${header(request, "X-PLATFORM")}`;
        const before = state.get(name);
        state.set(name, problemCode(answer));
        return before === "scope-missing" && answer.status === 200 ? respondProblem(403, "scope-missing") : answer;
      },
    },
  ],
  [
    "lets in a key that was rejected five times",
    {
      answer: (answer, request, context) =>
        problemCode(answer) === "credentials-invalid" && W.count(context.state, W.apiKeyOf(request)) > 5
          ? W.gone(context, request)
          : answer,
    },
  ],
  [
    "rejects the right key once behind fifteen rejections",
    {
      answer: (answer, request, { state }) => {
        if (answer.status === 401) W.count(state, "rejected");
        if (answer.status >= 300 || !W.isGuarded(request) || W.seen(state, "rejected") < 15) return answer;
        state.set("rejected", 0);
        return respondProblem(401, "credentials-invalid");
      },
    },
  ],
  every("fails with every fortieth request of a connection", 40, failed, "connection"),
  every("fails with every hundredth request", 100, failed, "state"),
  every("fails with every thirtieth command", 30, failed, "state", W.isCreate),
  every("loses X-Operation with every fiftieth request", 50, (answer) => withoutHeader(answer, "X-Operation"), "state"),
  [
    "knows no HEAD behind a POST on the connection",
    {
      answer: (answer, request, { connection }) => {
        const before = connection.get("method");
        connection.set("method", request.method);
        return before === "POST" && request.method === "HEAD" ? withStatus(answer, 405) : answer;
      },
    },
  ],
  [
    "answers a GET behind a HEAD on the connection without a body",
    {
      answer: (answer, request, { connection }) => {
        const before = connection.get("method");
        connection.set("method", request.method);
        return before === "HEAD" && request.method === "GET" ? withBody(answer, "") : answer;
      },
    },
  ],
  [
    "answers with 304 again after a 304",
    {
      answer: (answer, request, { state }) => {
        const again = state.get(request.target) === 304 && answer.status === 200;
        state.set(request.target, answer.status);
        return again ? { ...withStatus(answer, 304), body: Buffer.alloc(0) } : answer;
      },
    },
  ],
  [
    "has another tag for the same document now and then",
    {
      answer: (answer, request, { state }) => {
        const tag = header(answer, "ETag");
        return tag !== null && answer.status === 200 && W.nameOf(request) !== null && W.count(state, "tags") % 4 === 0
          ? withHeader(answer, "ETag", `"${W.seen(state, "tags")}"`)
          : answer;
      },
    },
  ],
  ...(["Accept-Encoding", "Accept"] as const).map(
    (field): W.Broken => [
      `caches documents without regard to ${field}`,
      {
        answer: (answer, request, { state }) => {
          if (header(answer, "ETag") === null || answer.status !== 200 || request.method !== "GET") return answer;
          const other = field === "Accept" ? "Accept-Encoding" : "Accept";
          const name = `${request.target} ${header(request, other)}`;
          const kept = state.get(name) ?? answer;
          state.set(name, kept);
          return kept as ProxyAnswer; // Written only here.
        },
      },
    ],
  ),
  [
    "caches any query without regard to Origin, and says so to it alone",
    {
      answer: (answer, request, { state }) => {
        if (request.method !== "GET" || W.nameOf(request) === null || answer.status !== 200) return answer;
        const bare = header(request, "Origin") === null ? withoutHeader(answer, "Access-Control-Allow-Origin") : answer;
        if (header(bare, "ETag") === null) return answer;
        const kept = state.get(request.target) ?? bare;
        state.set(request.target, kept);
        return kept as ProxyAnswer; // Written only here.
      },
    },
  ],
  meets("checks no scope where there is an Origin", "Origin", (request, context) =>
    W.isGuarded(request) && W.apiKeyOf(request) !== "" && isQuery(request) ? letIn(request, context) : request,
  ),
  meets("checks no platform where there is an X-Request-Id", "X-Request-Id", (request, { credentials }) =>
    W.isGuarded(request) && header(request, "X-PLATFORM") !== null
      ? withHeader(request, "X-PLATFORM", credentials?.platform ?? "")
      : request,
  ),
  meets("takes a session for a key", "Cookie", (request, context) =>
    W.isGuarded(request) ? letIn(request, context) : request,
  ),
  meets("takes the key of Authorization before others", "Authorization", (request) =>
    W.isGuarded(request) ? withHeader(request, "X-API-KEY", "none") : request,
  ),
  meets("forgives an unknown parameter where nothing may be cached", "Cache-Control", (request) =>
    withQuery(request, (query) => query.delete("unknown")),
  ),
  meets("reads a key in the query only without an idempotency key", "Idempotency-Key", (request) =>
    withQuery(request, (query) => query.delete("X-API-KEY")),
  ),
  meets("checks an idempotency key before the credentials", "Idempotency-Key", (request) =>
    W.isCreate(request) && /\s/.test(header(request, "Idempotency-Key") ?? "")
      ? respondProblem(400, "invalid-idempotency-key")
      : request,
  ),
  meets("answers Not Modified to who was there since, at rejected ones too", "If-Modified-Since", (request) =>
    W.isGuarded(request) && isQuery(request) && W.apiKeyOf(request) === ""
      ? { status: 304, reason: "Not Modified", headers: [], body: Buffer.alloc(0) }
      : request,
  ),
  [
    "swaps the responses of two callers who ask at once",
    {
      request: (request, { state }) => {
        W.count(state, "way");
        return request;
      },
      answer: (answer, request, { state }) => {
        const beside = W.seen(state, "way") > 2;
        state.set("way", W.seen(state, "way") - 1);
        const before = state.get("answer") as ProxyAnswer | undefined; // Written below.
        if (isQuery(request)) state.set("answer", answer);
        return beside && isQuery(request) && before ? before : answer;
      },
    },
  ],
  [
    "has the caller of the newest request while several are under way",
    {
      request: (request, { state, credentials }) => {
        W.count(state, "way");
        if (W.isGuarded(request) && W.apiKeyOf(request) === credentials?.key) state.set("newest", true);
        return request;
      },
      answer: (answer, request, context) => {
        const beside = W.seen(context.state, "way") > 1;
        context.state.set("way", W.seen(context.state, "way") - 1);
        return beside && context.state.has("newest") && problemCode(answer) === "scope-missing"
          ? W.gone(context, request)
          : answer;
      },
    },
  ],
  [
    "rejects the fifth of those that come at once",
    {
      request: (request, { state }) => (W.count(state, "way") > 4 ? respondProblem(500, "internal-error") : request),
      answer: (answer, _, { state }) => {
        state.set("way", W.seen(state, "way") - 1);
        return answer;
      },
    },
  ],
];

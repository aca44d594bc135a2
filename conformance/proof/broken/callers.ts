import { setTimeout as sleep } from "node:timers/promises";
import type { Request } from "../../oracle/world.ts";
import { header, jsonAnswer, problemCode } from "../proxy/look.ts";
import type { Context, Mutant, ProxyAnswer } from "../proxy/message.ts";
import {
  letIn,
  refusal,
  withBody,
  withHeader,
  withJson,
  withoutHeader,
  withStatus,
} from "../proxy/shape.ts";
import * as W from "./memory.ts";

/** Callers, connections and documents: what an earlier or a concurrent request must not change, and how calls are limited. */

const isGood = (request: Request, { credentials }: Context) =>
  W.callerOf(request) === credentials?.key;
/** A field that is missing is taken from the request before on the connection. */
const keeps = (name: string): Mutant =>
  W.asking(`keeps ${name} for the rest of a connection`, (request, { connection }) => {
    const [own, last] = [header(request, name), connection.get(name)];
    if (own !== null) connection.set(name, own);
    return own === null && typeof last === "string" ? withHeader(request, name, last) : request;
  });

/** Whether a document can be cached. */
const isDocument = (answer: ProxyAnswer, { method }: Request) =>
  method === "GET" && answer.status === 200 && header(answer, "ETag") !== null;

export const histories: readonly Mutant[] = [
  W.answering("checks scopes for the first of a connection alone", (answer, request, context) => {
    const { connection } = context;
    if (answer.status < 300 && W.isGuarded(request) && isGood(request, context))
      connection.set("good", true);
    return connection.has("good") && problemCode(answer) === "scope-missing"
      ? W.trusted(request, context)
      : answer;
  }),
  W.answering(
    "rejects who comes behind a rejected key on the connection",
    (answer, request, { connection }) => {
      const wasWrong = W.before(connection, "wrong", problemCode(answer) === "credentials-invalid");
      return wasWrong === true && answer.status < 300 && W.isGuarded(request)
        ? refusal("credentials-invalid")
        : answer;
    },
  ),
  W.answering("lets in a key that was rejected five times", (answer, request, context) =>
    problemCode(answer) === "credentials-invalid" && W.count(context.state, W.callerOf(request)) > 5
      ? W.trusted(request, context)
      : answer,
  ),
  W.answering("fails with every hundredth request", (answer, _, { state }) =>
    W.count(state, "requests") % 100 === 0 ? refusal("internal-error") : answer,
  ),
  W.answering(
    "answers a GET behind a HEAD on the connection without a body",
    (answer, { method }, { connection }) =>
      W.before(connection, "method", method) === "HEAD" && method === "GET"
        ? withBody(answer, "")
        : answer,
  ),
  W.answering("answers with 304 again after a 304", (answer, { target }, { state }) => {
    const isAgain = W.before(state, target, answer.status) === 304 && answer.status === 200;
    return isAgain ? { ...withStatus(answer, 304), body: Buffer.alloc(0) } : answer;
  }),
  W.answering("has another tag for the same document now and then", (answer, request, { state }) =>
    isDocument(answer, request) && W.count(state, "tags") % 4 === 0
      ? withHeader(answer, "ETag", `"${W.seen(state, "tags")}"`)
      : answer,
  ),
  W.answering("caches documents without regard to Accept-Encoding", (answer, request, { state }) =>
    isDocument(answer, request)
      ? W.first(state, `${request.target} ${header(request, "Accept")}`, answer)
      : answer,
  ),
  W.asking("checks no scope where there is an Origin", (request, context) => {
    const isKnown = W.isGuarded(request) && W.callerOf(request) !== "" && W.isQuery(request);
    return isKnown && header(request, "Origin") !== null ? letIn(request, context) : request;
  }),
  W.asking("takes a session for a key", (request, context) =>
    W.isGuarded(request) && header(request, "Cookie") !== null ? letIn(request, context) : request,
  ),
  W.concurrent(
    "swaps the responses of two callers who ask at once",
    () => "any",
    (answer, request, { state }, others) => {
      const last = W.isQuery(request) ? W.before(state, "answer", answer) : null;
      return others > 1 && last ? (last as ProxyAnswer) : answer; // Written only here.
    },
  ),
];

/** Milliseconds in which another request may arrive. */
const WHILE = 250;

/** Stores a value of a request where the next one overwrites it, and reads it back after that one has arrived, or none. */
async function shared<T>(state: W.Memory, name: string, value: T): Promise<T> {
  const waiting = state.get(`${name} waits`);
  state.set(name, value);
  if (waiting instanceof AbortController) waiting.abort();
  const wait = new AbortController();
  state.set(`${name} waits`, wait);
  await sleep(WHILE, undefined, { signal: wait.signal }).catch(() => {});
  // Only this function writes it, always a T.
  return state.get(name) as T;
}
const ID = "X-Request-Id";
const idOf = (message: Request | ProxyAnswer) => header(message, ID) ?? "none";

/** How many requests are counted under the name, with this one, which is for a while. */
async function counted(state: W.Memory, name: string): Promise<number> {
  const now = W.count(state, name);
  await sleep(WHILE);
  W.count(state, name, -1);
  return now;
}

const MOST = 9;

/** Right counting: by key, and requests rejected with 401 separately. The service behind it has no limits. */
const right = {
  who: (request: Request, answer: ProxyAnswer) =>
    problemCode(answer) === "credentials-invalid" ? "refused" : W.callerOf(request),
  over: (_: ProxyAnswer) => withHeader(refusal("rate-limited"), "Retry-After", "30"),
  says: (left: number) => `"calls";r=${left};t=30`,
};

function counting(id: string, wrong: Partial<typeof right>): Mutant {
  const { who, over, says } = { ...right, ...wrong };
  return W.answering(`a service that counts calls ${id}`, (answer, request, { state }) => {
    const calls = W.count(state, who(request, answer));
    const limited = withHeader(
      calls > MOST ? over(answer) : answer,
      "RateLimit-Policy",
      `"calls";q=${MOST};w=60`,
    );
    return withHeader(limited, "RateLimit", says(Math.max(0, MOST - calls)));
  });
}

export const mutants: readonly Mutant[] = [
  keeps("X-API-KEY"),
  keeps("Accept"),
  W.answering("names the operation before on a connection", (answer, _, { connection }) => {
    const own = header(answer, "X-Operation");
    const last =
      own === null ? connection.get("operation") : W.before(connection, "operation", own);
    return own === null && typeof last === "string"
      ? withHeader(answer, "X-Operation", last)
      : answer;
  }),
  W.answering("answers with the id of the one before", (answer, request, { state }) =>
    withHeader(answer, ID, String(W.before(state, "id", idOf(request)) ?? "none")),
  ),
  W.asking("takes the caller before for every later one", (request, context) => {
    const key = header(request, "X-API-KEY");
    if (key === context.credentials?.key) context.state.set("good", true);
    return context.state.has("good") && key !== null ? letIn(request, context) : request;
  }),
  W.asking("counts the fields of several requests together", (request, { state }) =>
    W.count(state, "fields", request.fields.length) > 150 ? refusal("headers-too-large") : request,
  ),
  W.turning(
    "finds nothing behind a head that it has refused",
    ({ status }) => [414, 417, 431].includes(status),
    (answer) => (answer.status === 200 ? refusal("path-not-found") : answer),
  ),
  W.turning(
    "adds a member to all that comes after __proto__",
    (_, { body }) => body.includes("__proto__"),
    (answer) =>
      answer.status === 200 ? withJson(answer, (json) => ({ ...json, extra: 1 })) : answer,
  ),
  W.answering("parallel requests share the id", async (answer, request, { state }) =>
    withHeader(answer, ID, await shared(state, "id", idOf(request))),
  ),
  W.asking("parallel requests share the body", async (request, { state }) =>
    request.method === "POST"
      ? { ...request, body: await shared(state, "body", request.body) }
      : request,
  ),
  W.asking("parallel requests share eight places", async (request, { state }) =>
    (await counted(state, "places")) > 8
      ? withHeader(refusal("shutting-down"), ID, idOf(request))
      : request,
  ),
  W.asking("takes nobody for the caller that is being served", async (request, context) => {
    if (W.isGuarded(request) && W.callerOf(request) === "" && W.seen(context.state, "served") > 0)
      return letIn(request, context);
    if (isGood(request, context)) await counted(context.state, "served");
    return request;
  }),
  W.answering("request ids count to 256", (answer, request, { state }) =>
    header(request, ID) === null
      ? withHeader(answer, ID, String(W.count(state, "ids") % 256))
      : answer,
  ),
  W.answering("the caller's address is that of X-Forwarded-For", (answer, request) => {
    const [clientAddress] = header(request, "X-Forwarded-For")?.split(",") ?? [];
    const isShown = clientAddress !== undefined && jsonAnswer(answer)?.clientAddress !== undefined;
    return isShown
      ? withJson(answer, (json) => ({ ...json, clientAddress: clientAddress.trim() }))
      : answer;
  }),
  counting("refuses nobody", { over: (answer) => answer }),
  counting("counts all of them alike, valid keys too", { who: () => "all" }),
  counting("refuses with 403", { over: (answer) => withStatus(right.over(answer), 403) }),
  counting("does not say how long to wait", {
    over: (answer) => withoutHeader(right.over(answer), "Retry-After"),
  }),
  counting("never says that fewer are left", {
    over: (answer) => answer,
    says: () => right.says(MOST),
  }),
  counting("says what is left of another policy", { says: (left) => `"others";r=${left};t=30` }),
];

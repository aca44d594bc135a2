import { setTimeout as sleep } from "node:timers/promises";
import type { Request } from "../../oracle/model-state.ts";
import {
  letIn,
  refusal,
  withBody,
  withHeader,
  withJson,
  withoutHeader,
  withStatus,
} from "../proxy/edit-response.ts";
import type { Context, Mutant, Reply } from "../proxy/message.ts";
import { header, problemCode } from "../proxy/sniff.ts";
import {
  answering,
  asking,
  before,
  callerOf,
  concurrent,
  count,
  first,
  isGuarded,
  isQuery,
  type Memory,
  seen,
  trusted,
  turning,
} from "./memory.ts";

/**
 * Callers, connections and documents: what an earlier or a concurrent request must not change, and
 * how calls are limited.
 */

const isGood = (request: Request, { credentials }: Context) =>
  callerOf(request) === credentials?.key;
/** A field that is missing is taken from the request before on the connection. */
const keeps = (name: string): Mutant =>
  asking(`keeps ${name} for the rest of a connection`, (request, { connection }) => {
    const [value, last] = [header(request, name), connection.get(name)];
    if (value !== null) connection.set(name, value);
    return value === null && typeof last === "string" ? withHeader(request, name, last) : request;
  });

/** Whether a document can be cached. */
const isDocument = (answer: Reply, { method }: Request) =>
  method === "GET" && answer.status === 200 && header(answer, "ETag") !== null;

export const histories: readonly Mutant[] = [
  answering("checks scopes for the first of a connection alone", (answer, request, context) => {
    const { connection } = context;
    if (answer.status < 300 && isGuarded(request) && isGood(request, context))
      connection.set("good", true);
    return connection.has("good") && problemCode(answer) === "scope-missing"
      ? trusted(request, context)
      : answer;
  }),
  answering("lets in a key that was rejected five times", (answer, request, context) =>
    problemCode(answer) === "credentials-invalid" && count(context.state, callerOf(request)) > 5
      ? trusted(request, context)
      : answer,
  ),
  answering(
    "answers a GET behind a HEAD on the connection without a body",
    (answer, { method }, { connection }) =>
      before(connection, "method", method) === "HEAD" && method === "GET"
        ? withBody(answer, "")
        : answer,
  ),
  answering("answers with 304 again after a 304", (answer, { target }, { state }) => {
    const isAgain = before(state, target, answer.status) === 304 && answer.status === 200;
    return isAgain ? { ...withStatus(answer, 304), body: Buffer.alloc(0) } : answer;
  }),
  answering("caches documents without regard to Accept-Encoding", (answer, request, { state }) =>
    isDocument(answer, request)
      ? first(state, `${request.target} ${header(request, "Accept")}`, answer)
      : answer,
  ),
  concurrent(
    "swaps the responses of two callers who ask at once",
    () => "any",
    (answer, request, { state }, underWay) => {
      const last = isQuery(request) ? before(state, "answer", answer) : null;
      return underWay > 1 && last ? (last as Reply) : answer; // Written only here.
    },
  ),
];

/** Milliseconds in which another request may arrive. */
const WHILE = 250;

/**
 * Stores the id of a request where the next one overwrites it, and reads it back after that one has
 * arrived, or none.
 */
async function shared(state: Memory, id: string): Promise<string> {
  const waiting = before(state, "id", id) && state.get("waits");
  if (waiting instanceof AbortController) waiting.abort();
  const wait = new AbortController();
  state.set("waits", wait);
  await sleep(WHILE, undefined, { signal: wait.signal }).catch(() => {});
  return String(state.get("id"));
}
const ID = "X-Request-Id";
const idOf = (message: Request | Reply) => header(message, ID) ?? "none";

/** How many requests are counted under the name, with this one, which is for a while. */
async function counted(state: Memory, name: string): Promise<number> {
  const now = count(state, name);
  await sleep(WHILE);
  count(state, name, -1);
  return now;
}

const MOST = 9;

/**
 * Right counting: by key, and requests rejected with 401 separately. The service behind it has no
 * limits.
 */
const right = {
  who: (request: Request, answer: Reply) =>
    problemCode(answer) === "credentials-invalid" ? "refused" : callerOf(request),
  over: (_: Reply) => withHeader(refusal("rate-limited"), "Retry-After", "30"),
  says: (left: number) => `"calls";r=${left};t=30`,
};

function counting(id: string, wrong: Partial<typeof right>): Mutant {
  const { who, over, says } = { ...right, ...wrong };
  return answering(`a service that counts calls ${id}`, (answer, request, { state }) => {
    const calls = count(state, who(request, answer));
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
  answering("names the operation before on a connection", (answer, _, { connection }) => {
    const ownName = header(answer, "X-Operation");
    const last =
      ownName === null ? connection.get("operation") : before(connection, "operation", ownName);
    return ownName === null && typeof last === "string"
      ? withHeader(answer, "X-Operation", last)
      : answer;
  }),
  answering("answers with the id of the one before", (answer, request, { state }) =>
    withHeader(answer, ID, String(before(state, "id", idOf(request)) ?? "none")),
  ),
  asking("takes the caller before for every later one", (request, context) => {
    const key = header(request, "X-API-KEY");
    if (key === context.credentials?.key) context.state.set("good", true);
    return context.state.has("good") && key !== null ? letIn(request, context) : request;
  }),
  asking("counts the fields of several requests together", (request, { state }) =>
    count(state, "fields", request.fields.length) > 150 ? refusal("headers-too-large") : request,
  ),
  turning(
    "finds nothing behind a head that it has refused",
    ({ status }) => [414, 417, 431].includes(status),
    (answer) => (answer.status === 200 ? refusal("path-not-found") : answer),
  ),
  turning(
    "adds a member to all that comes after __proto__",
    (_, { body }) => body.includes("__proto__"),
    (answer) =>
      answer.status === 200 ? withJson(answer, (json) => ({ ...json, extra: 1 })) : answer,
  ),
  answering("parallel requests share the id", async (answer, request, { state }) =>
    withHeader(answer, ID, await shared(state, idOf(request))),
  ),
  asking("takes nobody for the caller that is being served", async (request, context) => {
    if (isGuarded(request) && callerOf(request) === "" && seen(context.state, "served") > 0)
      return letIn(request, context);
    if (isGood(request, context)) await counted(context.state, "served");
    return request;
  }),
  answering("request ids count to 256", (answer, request, { state }) =>
    header(request, ID) === null
      ? withHeader(answer, ID, String(count(state, "ids") % 256))
      : answer,
  ),
  counting("refuses nobody", { over: (answer) => answer }),
  counting("counts all of them alike, valid keys too", { who: () => "all" }),
  counting("does not say how long to wait", {
    over: (answer) => withoutHeader(right.over(answer), "Retry-After"),
  }),
  counting("says what is left of another policy", { says: (left) => `"others";r=${left};t=30` }),
];

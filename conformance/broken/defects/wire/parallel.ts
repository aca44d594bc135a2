import { setTimeout as sleep } from "node:timers/promises";
import { caught } from "../../caught.ts";
import type { Context, Defect, HeaderFields, ProxyRequest } from "../../defect.ts";
import { header, namedIn } from "../../look.ts";
import { respondProblem, withHeader, withQuery, withStatus } from "../../shape.ts";

type Hooks = Parameters<typeof caught>[4];

const defect = (id: string, description: string, variants: readonly string[], reason: RegExp, hooks: Hooks) =>
  caught(
    `http/parallel-${id}`,
    description,
    variants.map((name) => `http/parallel#${name}`),
    reason,
    hooks,
  );

/** Milliseconds in which another request may come by. */
const WHILE = 250;

/** Keeps something of a request where the next one overwrites it, and reads it back when that one has come by, or none. */
async function shared<T>(state: Context["state"], name: string, value: T): Promise<T> {
  const waiting = state.get(`${name} waits`);
  state.set(name, value);
  if (waiting instanceof AbortController) waiting.abort();
  const wait = new AbortController();
  state.set(`${name} waits`, wait);
  await sleep(WHILE, undefined, { signal: wait.signal }).catch(() => {});
  // Only this function writes it, always a T.
  return state.get(name) as T;
}

const CREDENTIALS = /^x-(?:api-key|platform)$/i;
const credentialsOf = ({ headers }: ProxyRequest): HeaderFields => headers.filter(([name]) => CREDENTIALS.test(name));

export const parallelDefects: readonly Defect[] = [
  defect(
    "ids-shared",
    "Keeps the id of a request where the next one finds it.",
    ["answers", "one-operation"],
    /X-Request-Id/,
    {
      answer: async (answer, request, { state }) =>
        withHeader(answer, "X-Request-Id", await shared(state, "id", header(request, "X-Request-Id") ?? "none")),
    },
  ),
  defect("answers-crossed", "Gives an answer to whoever comes next.", ["answers", "inputs"], /X-Request-Id|document/, {
    answer: async (answer, { method }, { state }) => (method === "GET" ? shared(state, "answer", answer) : answer),
  }),
  defect("requests-crossed", "Reads the request that came last.", ["answers", "inputs"], /X-Request-Id|document|200/, {
    request: async (request, { state }) => (request.method === "GET" ? shared(state, "request", request) : request),
  }),
  defect("operation-shared", "Names the operation that was called last.", ["answers"], /X-Operation|200/, {
    answer: async (answer, request, { state }) => {
      const operation = await shared(state, "operation", header(answer, "X-Operation"));
      return operation && namedIn(request) ? withHeader(answer, "X-Operation", operation) : answer;
    },
  }),
  defect("names-shared", "Reads the document that was asked for last.", ["inputs"], /document/, {
    request: async (request, { state }) => {
      const name = namedIn(request);
      if (!name?.startsWith("docs.get.")) return request;
      const last = await shared(state, "name", name);
      return withQuery(request, (query) => query.set("@", last));
    },
  }),
  defect("bodies-shared", "Reads the body that came last.", ["answers"], /404|422/, {
    request: async (request, { state }) =>
      request.method === "POST" ? { ...request, body: await shared(state, "body", request.body) } : request,
  }),
  defect("accept-shared", "Reads the Accept that came last.", ["formats"], /other formats/, {
    request: async (request, { state }) => {
      const accept = header(request, "Accept");
      if (accept === null || !namedIn(request)?.startsWith("docs.get.")) return request;
      return withHeader(request, "Accept", await shared(state, "accept", accept));
    },
  }),
  defect("credentials-shared", "Judges the credentials that came last.", ["credentials"], /other credentials/, {
    request: async (request, { state }) => {
      const credentials = await shared(state, "credentials", credentialsOf(request));
      return { ...request, headers: [...request.headers.filter(([name]) => !CREDENTIALS.test(name)), ...credentials] };
    },
  }),
  defect("let-in-once", "Lets everybody in who is there beside a good key.", ["credentials"], /other credentials/, {
    request: (request, { state, credentials }) => {
      if (header(request, "X-API-KEY") === credentials?.key) state.set("good", true);
      return request;
    },
    answer: (answer, _request, { state }) =>
      answer.status === 401 && state.has("good") ? withStatus(answer, 200) : answer,
  }),
  defect("method-shared", "Answers by the method that came last.", ["methods"], /200|answer|JSON/, {
    request: async (request, { state }) => {
      if (request.method !== "GET" && request.method !== "HEAD") return request;
      const method = await shared(state, "method", request.method);
      return method === request.method ? request : respondProblem(405, "method-not-allowed");
    },
  }),
  defect(
    "eight-at-once",
    "Answers eight requests at once, and refuses a ninth.",
    ["answers", "one-operation", "inputs", "credentials", "methods"],
    /200|503|status|X-Operation/,
    {
      request: async (request, { state }) => {
        const inFlight = Number(state.get("inFlight") ?? 0) + 1;
        state.set("inFlight", inFlight);
        await sleep(WHILE);
        state.set("inFlight", Number(state.get("inFlight")) - 1);
        return inFlight > 8
          ? withHeader(respondProblem(503, "shutting-down"), "X-Request-Id", header(request, "X-Request-Id") ?? "none")
          : request;
      },
    },
  ),
];

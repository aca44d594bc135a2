import { setTimeout as sleep } from "node:timers/promises";
import { broken, type Mutant } from "../mutant.ts";
import { header, namedIn } from "../proxy/look.ts";
import type { Context, Hooks, ProxyRequest } from "../proxy/message.ts";
import { respondProblem, withHeader, withStatus } from "../proxy/shape.ts";
import { credentialNames, KEY } from "../requests.ts";

/** State that parallel requests wrongly share: it is overwritten by the next one. */

/** Milliseconds in which another request may arrive. */
const WHILE = 250;

/** Stores a value of a request where the next one overwrites it, and reads it back after that one has arrived, or none. */
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

const parallel = (what: string, hooks: Hooks): Mutant => broken(`parallel requests share ${what}`, hooks);

const isCredential = ([name]: readonly [string, string]) =>
  credentialNames.some((one) => one.toLowerCase() === name.toLowerCase());
const credentialsOf = ({ headers }: ProxyRequest) => headers.filter(isCredential);

export const mutants: readonly Mutant[] = [
  parallel("the id", {
    answer: async (answer, request, { state }) =>
      withHeader(answer, "X-Request-Id", await shared(state, "id", header(request, "X-Request-Id") ?? "none")),
  }),
  parallel("the answer", {
    answer: async (answer, { method }, { state }) => (method === "GET" ? shared(state, "answer", answer) : answer),
  }),
  parallel("the request", {
    request: async (request, { state }) => (request.method === "GET" ? shared(state, "request", request) : request),
  }),
  parallel("the operation", {
    answer: async (answer, request, { state }) => {
      const operation = await shared(state, "operation", header(answer, "X-Operation"));
      return operation && namedIn(request) ? withHeader(answer, "X-Operation", operation) : answer;
    },
  }),
  parallel("the body", {
    request: async (request, { state }) =>
      request.method === "POST" ? { ...request, body: await shared(state, "body", request.body) } : request,
  }),
  parallel("the Accept", {
    request: async (request, { state }) => {
      const accept = header(request, "Accept");
      return accept === null ? request : withHeader(request, "Accept", await shared(state, "accept", accept));
    },
  }),
  parallel("the credentials", {
    request: async (request, { state }) => {
      const credentials = await shared(state, "credentials", credentialsOf(request));
      return { ...request, headers: [...request.headers.filter((field) => !isCredential(field)), ...credentials] };
    },
  }),
  parallel("who is let in", {
    request: (request, { state, credentials }) => {
      if (header(request, KEY) === credentials?.key) state.set("good", true);
      return request;
    },
    answer: (answer, _request, { state }) =>
      answer.status === 401 && state.has("good") ? withStatus(answer, 200) : answer,
  }),
  parallel("the method", {
    request: async (request, { state }) => {
      if (request.method !== "GET" && request.method !== "HEAD") return request;
      const method = await shared(state, "method", request.method);
      return method === request.method ? request : respondProblem(405, "method-not-allowed");
    },
  }),
  parallel("eight places", {
    request: async (request, { state }) => {
      const inFlight = Number(state.get("inFlight") ?? 0) + 1;
      state.set("inFlight", inFlight);
      await sleep(WHILE);
      state.set("inFlight", Number(state.get("inFlight")) - 1);
      return inFlight > 8
        ? withHeader(respondProblem(503, "shutting-down"), "X-Request-Id", header(request, "X-Request-Id") ?? "none")
        : request;
    },
  }),
];

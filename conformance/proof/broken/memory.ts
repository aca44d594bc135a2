import { broken, type Mutant } from "../mutant.ts";
import { header, isObject, type JsonObject, jsonAnswer, jsonBody, queryOf } from "../proxy/look.ts";
import type { Context, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { letIn, respond, withJson } from "../proxy/shape.ts";
import { called, creating, inputOf, KEY, paged, sent } from "../requests.ts";

/** What broken servers remember of earlier requests, and what they look for in them. */

export type Memory = Context["state"];

/** How often this has been counted, from 1. */
export function count(memory: Memory, name: string, more = 1): number {
  const times = seen(memory, name) + more;
  memory.set(name, times);
  return times;
}
export const seen = (memory: Memory, name: string): number => Number(memory.get(name) ?? 0);

/** What was remembered under the name; from now on it is this value. */
export function before(memory: Memory, name: string, value: unknown): unknown {
  const last = memory.get(name);
  memory.set(name, value);
  return last;
}

/** The first value under the name: this one if there is none. Nothing else may write under it. */
export function first<T>(memory: Memory, name: string, value: T): T {
  if (!memory.has(name)) memory.set(name, value);
  return memory.get(name) as T;
}
export const listed = (memory: Memory, name: string): string[] => first(memory, name, []);

export const isList = (request: ProxyRequest) => paged.some(({ id }) => id === called(request)?.id);
export const isCreate = (request: ProxyRequest) =>
  request.method === "POST" && creating.some(({ id }) => id === called(request)?.id);
export const isGuarded = (request: ProxyRequest) => called(request)?.auth === true;
export const isQuery = ({ method }: ProxyRequest) => method === "GET" || method === "HEAD";
export const isReplay = (answer: ProxyAnswer) => header(answer, "Idempotent-Replayed") !== null;
export const isCreated = (answer: ProxyAnswer, request: ProxyRequest) =>
  isCreate(request) && answer.status === 201 && !isReplay(answer);

export const IDEMPOTENCY_KEY = "Idempotency-Key";
export const keyOf = (request: ProxyRequest) => (isCreate(request) ? (header(request, IDEMPOTENCY_KEY) ?? "") : "");
export const callerOf = (request: ProxyRequest) => sent(request, KEY);
export const cursorOf = (request: ProxyRequest) => (isList(request) ? queryOf(request).get("cursor") : null);
export const emailIn = (request: ProxyRequest) => (isCreate(request) ? String(inputOf(request, "email") ?? "") : "");
export const idOf = (answer: ProxyAnswer) => String(jsonAnswer(answer)?.id ?? "");

/** A page of a list with other items; any other response as it is. */
export function withItems(
  answer: ProxyAnswer,
  request: ProxyRequest,
  change: (items: readonly JsonObject[]) => readonly unknown[],
): ProxyAnswer {
  const items = isList(request) ? jsonAnswer(answer)?.items : null;
  return Array.isArray(items)
    ? withJson(answer, (page) => ({ ...page, items: change(items.filter(isObject)) }))
    : answer;
}

/** The response that the request has with the valid credentials. */
export const trusted = (request: ProxyRequest, context: Context) => context.forward(letIn(request, context));

/** A record that is returned and not stored. */
export function unstored(request: ProxyRequest): ProxyAnswer {
  const now = Date.now();
  const hex = now.toString(16).padStart(12, "0");
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(Math.random()).slice(2, 14).padEnd(12, "0")}`;
  return respond(201, { id, ...Object(jsonBody(request)?.data), createdAt: new Date(now).toISOString() });
}

type Change = (answer: ProxyAnswer, request: ProxyRequest, context: Context) => ProxyAnswer | Promise<ProxyAnswer>;

/** Changes the responses to some requests, by default to all. */
export const answering = (id: string, change: Change, which = (_: ProxyRequest) => true): Mutant =>
  broken(id, { answer: (answer, request, context) => (which(request) ? change(answer, request, context) : answer) });

/** Changes what a request with this field means: the field must not change anything. */
export const reacting = (
  id: string,
  field: string,
  change: (request: ProxyRequest, context: Context) => ProxyRequest,
) =>
  broken(id, { request: (request, context) => (header(request, field) === null ? request : change(request, context)) });

/** `others`: how many requests of the same name are still under way. Null: the request does not count. */
export const concurrent = (
  id: string,
  nameOf: (request: ProxyRequest) => string | null,
  change: (answer: ProxyAnswer, request: ProxyRequest, context: Context, others: number) => ReturnType<Change>,
): Mutant =>
  broken(id, {
    request: (request, { state }) => {
      const name = nameOf(request);
      if (name !== null) count(state, `under way: ${name}`);
      return request;
    },
    answer: (answer, request, context) => {
      const name = nameOf(request);
      return name === null ? answer : change(answer, request, context, count(context.state, `under way: ${name}`, -1));
    },
  });

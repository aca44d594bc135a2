import type { Request } from "../../oracle/model-state.ts";
import { creating } from "../operations.ts";
import { letIn, respond, withJson } from "../proxy/edit-response.ts";
import type { Context, Hooks, Mutant, Reply } from "../proxy/message.ts";
import {
  called,
  header,
  inputOf,
  isList,
  isObject,
  type JsonObject,
  jsonAnswer,
  jsonBody,
  queryOf,
  sent,
} from "../proxy/sniff.ts";

/** What broken servers remember of earlier requests, and what they look for in them. */

export type Memory = Context["state"];

/** How often this has been counted, from 1. */
export function count(memory: Memory, name: string, increment = 1): number {
  const times = seen(memory, name) + increment;
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

export const isCreate = (request: Request) =>
  request.method === "POST" && creating.some(({ id }) => id === called(request)?.id);
export const isGuarded = (request: Request) => called(request)?.auth === true;
export const isQuery = ({ method }: Request) => method === "GET" || method === "HEAD";
export const isReplay = (answer: Reply) => header(answer, "Idempotent-Replayed") !== null;
export const isCreated = (answer: Reply, request: Request) =>
  isCreate(request) && answer.status === 201 && !isReplay(answer);

export const IDEMPOTENCY_KEY = "Idempotency-Key";
export const keyOf = (request: Request) =>
  isCreate(request) ? (header(request, IDEMPOTENCY_KEY) ?? "") : "";
export const callerOf = (request: Request) => sent(request, "X-API-KEY");
export const cursorOf = (request: Request) =>
  isList(request) ? queryOf(request).get("cursor") : null;
export const emailIn = (request: Request) =>
  isCreate(request) ? String(inputOf(request, "email") ?? "") : "";
export const idOf = (answer: Reply) => String(jsonAnswer(answer)?.id ?? "");

/** A page of a list with other items; any other response as it is. */
export function withItems(
  answer: Reply,
  request: Request,
  change: (items: readonly JsonObject[]) => readonly unknown[],
): Reply {
  const items = isList(request) ? jsonAnswer(answer)?.items : null;
  return Array.isArray(items)
    ? withJson(answer, (page) => ({ ...page, items: change(items.filter(isObject)) }))
    : answer;
}

/** The response that the request has with the valid credentials. */
export const trusted = (request: Request, context: Context) =>
  context.forward(letIn(request, context));

/** A record that is returned and not stored. */
export function unstored(request: Request): Reply {
  const now = Date.now();
  const hex = now.toString(16).padStart(12, "0");
  const random = String(Math.random()).slice(2, 14).padEnd(12, "0");
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${random}`;
  return respond(201, {
    id,
    ...Object(jsonBody(request)?.data),
    createdAt: new Date(now).toISOString(),
  });
}

type Change = NonNullable<Hooks["answer"]>;

/** Changes responses. */
export const answering = (id: string, answer: Change): Mutant => ({ id, answer });

/** Changes requests, or responds to them. */
export const asking = (id: string, request: NonNullable<Hooks["request"]>): Mutant => ({
  id,
  request,
});

/** Right until it has turned, as this request or its response makes it, and then wrong for ever. */
export const turning = (
  id: string,
  turns: (answer: Reply, request: Request) => boolean,
  change: (answer: Reply) => Reply,
): Mutant =>
  answering(id, (answer, request, { state }) => {
    if (turns(answer, request)) turn(state);
    return state.has("turned") ? change(answer) : answer;
  });
export const turn = (state: Memory) => void state.set("turned", true);

/**
 * `underWay`: how many requests of the same name are still under way. Null: the request does not
 * count.
 */
export const concurrent = (
  id: string,
  nameOf: (request: Request) => string | null,
  change: (...of: [...Parameters<Change>, underWay: number]) => Reply,
): Mutant => ({
  id,
  request: (request, { state }) => {
    const name = nameOf(request);
    if (name !== null) count(state, `under way: ${name}`);
    return request;
  },
  answer: (answer, request, context) => {
    const name = nameOf(request);
    return name === null
      ? answer
      : change(answer, request, context, count(context.state, `under way: ${name}`, -1));
  },
});

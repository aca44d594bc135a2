import { pageItemOf, successOf } from "../../../oracle/contract.ts";
import { packaged } from "../../../packaged.ts";
import { header, isObject, type JsonObject, jsonAnswer, namedIn, queryOf } from "../../proxy/look.ts";
import type { Context, Hooks, ProxyAnswer, ProxyRequest } from "../../proxy/message.ts";
import { letIn, respondProblem, withJson, withoutHeader } from "../../proxy/shape.ts";

/** Helpers for deployments that are broken by earlier requests: each is right for every single request to a new one. */

export type Broken = readonly [id: string, hooks: Hooks];
export type Memory = Context["state"];
export type Change = NonNullable<Hooks["request"]>;
export type Answer = NonNullable<Hooks["answer"]>;

const { contract } = packaged.oracle;
const all = Object.values(contract.operations);
const lists = new Set(all.filter((one) => pageItemOf(contract, one)).map(({ name }) => name));
const commands = new Set(all.filter((one) => one.method === "POST" && successOf(one) === 201).map(({ name }) => name));
const guarded = new Set(all.filter(({ auth }) => auth).map(({ name }) => name));

export const isList = (request: ProxyRequest) => lists.has(namedIn(request) ?? "");
export const isCreate = (request: ProxyRequest) => commands.has(namedIn(request) ?? "") && request.method === "POST";
export const isGuarded = (request: ProxyRequest) => guarded.has(namedIn(request) ?? "");
export const nameOf = namedIn;
export const isReplay = (answer: ProxyAnswer) => header(answer, "Idempotent-Replayed") !== null;
export const isCreated = (answer: ProxyAnswer, request: ProxyRequest) =>
  isCreate(request) && answer.status === 201 && !isReplay(answer);

export const KEY = "Idempotency-Key";
export const keyOf = (request: ProxyRequest) => (isCreate(request) ? (header(request, KEY) ?? "") : "");
export const apiKeyOf = (request: ProxyRequest) =>
  header(request, "X-API-KEY") ?? queryOf(request).get("X-API-KEY") ?? "";
export const cursorOf = (request: ProxyRequest) => (isList(request) ? queryOf(request).get("cursor") : null);
export const withoutKey = (request: ProxyRequest) => withoutHeader(request, KEY);

/** How often this has been counted, from 1. */
export function count(memory: Memory, name: string): number {
  const times = Number(memory.get(name) ?? 0) + 1;
  memory.set(name, times);
  return times;
}
export const seen = (memory: Memory, name: string): number => Number(memory.get(name) ?? 0);

/** A list in the memory, in its order; each text once. */
export function listed(memory: Memory, name: string): string[] {
  const some = memory.get(name) ?? [];
  memory.set(name, some);
  // Only this function writes under the name.
  return some as string[];
}
export const put = (some: string[], one: string): boolean => {
  const known = some.includes(one);
  if (!known) some.push(one);
  return known;
};

export const idOf = (answer: ProxyAnswer) => String(jsonAnswer(answer)?.id ?? "");
export type Items = (items: readonly JsonObject[], request: ProxyRequest, context: Context) => readonly unknown[];

/** Replaces the items on the pages of a list. */
export const withItems =
  (change: Items): Answer =>
  (answer, request, context) => {
    const items = isList(request) ? jsonAnswer(answer)?.items : null;
    if (!Array.isArray(items)) return answer;
    return withJson(answer, (page) => ({ ...page, items: change(items.filter(isObject), request, context) }));
  };

export const gone = (context: Context, request: ProxyRequest) => context.forward(letIn(request, context));
export const invalidCursor = () => respondProblem(400, "invalid-cursor");
export const emailIn = (request: ProxyRequest) =>
  /"email":\s*"((?:[^"\\]|\\.)*)"/.exec(request.body.toString())?.[1] ?? "";
/** A record that was not stored. */
export function unstored(request: ProxyRequest): JsonObject {
  const now = Date.now();
  const hex = now.toString(16).padStart(12, "0");
  const data = Object(JSON.parse(request.body.toString())).data;
  const tail = String(Math.random()).slice(2, 14).padEnd(12, "0");
  return {
    id: `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${tail}`,
    ...data,
    createdAt: new Date(now).toISOString(),
  };
}

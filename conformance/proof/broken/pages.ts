import { broken, type Mutant } from "../mutant.ts";
import { header, isObject, type JsonObject, jsonAnswer, queryOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { respond, withHeader, withJson, withoutHeader, withQuery } from "../proxy/shape.ts";
import { called, KEY, paged } from "../requests.ts";

/** Inconsistent pages: their items, their links to the next one, how a cursor is read. */

const itemsOf = (answer: ProxyAnswer): readonly JsonObject[] => {
  const items = jsonAnswer(answer)?.items;
  return Array.isArray(items) ? items.filter(isObject) : [];
};
const isLater = (request: ProxyRequest) => queryOf(request).has("cursor");

type Items = (items: readonly JsonObject[], request: ProxyRequest) => readonly unknown[];
const CONTENT: Readonly<Record<string, Items>> = {
  "shows one twice": ([one, ...rest]) => (one ? [one, one, ...rest] : []),
  "is ordered by another member": (items) =>
    [...items].sort((one, other) => (String(one.email ?? one.name) < String(other.email ?? other.name) ? -1 : 1)),
  "loses the first of later pages": (items, request) => (isLater(request) ? items.slice(1) : items),
  "shows less to a key in the query": (items, request) => (queryOf(request).has(KEY) ? items.slice(1) : items),
};

/** How the query is read. */
const READINGS: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
  "gives one less": (query) => limited(query, (limit) => limit - 1),
  "gives as many as by default at most": (query) => limited(query, (limit) => Math.min(limit, 50)),
  "forgets the limit of later pages": (query) => query.has("cursor") && query.delete("limit"),
};
function limited(query: URLSearchParams, change: (limit: number) => number): void {
  const limit = query.get("limit") ?? "";
  if (/^[1-9]\d{0,2}$/.test(limit)) query.set("limit", String(Math.max(1, change(Number(limit)))));
}

export const mutants: readonly Mutant[] = paged.flatMap(({ id }): Mutant[] => {
  const isPage = (answer: ProxyAnswer, request: ProxyRequest) => answer.status === 200 && called(request)?.id === id;
  const page = (what: string, change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer) =>
    broken(`${id} ${what}`, {
      answer: (answer, request) => (isPage(answer, request) ? change(answer, request) : answer),
    });
  return [
    ...Object.entries(CONTENT).map(([what, change]) =>
      page(what, (answer, request) =>
        withJson(answer, (json) => ({ ...json, items: change(itemsOf(answer), request) })),
      ),
    ),
    page("always goes on", (answer) => withJson(answer, (json) => ({ nextCursor: "AAAA", ...json }))),
    page("links to a page without its cursor", (answer) =>
      withHeader(answer, "Link", (header(answer, "Link") ?? "").replace(/&cursor=[^>&]*/, "")),
    ),
    page("has no link behind the first page", (answer, request) =>
      isLater(request) ? withoutHeader(answer, "Link") : answer,
    ),
    ...Object.entries(READINGS).map(([what, read]) =>
      broken(`${id} ${what}`, {
        request: (request) => (called(request)?.id === id ? withQuery(request, (query) => void read(query)) : request),
      }),
    ),
    broken(`${id} takes an invalid cursor for the end`, {
      answer: (answer, request) =>
        called(request)?.id === id && jsonAnswer(answer)?.code === "invalid-cursor"
          ? respond(200, { items: [] })
          : answer,
    }),
  ];
});

import type { Aspect } from "../../client/expectation.ts";
import { queries } from "../../client/operation.ts";
import { answersOtherwise, changesAnswer, type Mutant, OUTCOME, type Selector, takesFor } from "../mutant.ts";
import { dropsHeader } from "../operators.ts";
import { header, isObject, type JsonObject, jsonAnswer, queryOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { respond, withHeader, withJson, withoutHeader, withQuery } from "../proxy/shape.ts";
import { called, KEY, PLATFORM } from "../requests.ts";
import { inputSchemas } from "../schemas.ts";
import { problemOf, successOf } from "../selectors.ts";

/** Broken pages of every operation that takes a limit and a cursor: what is on them, how they lead on, how both are read. */

const paged = queries.filter(({ id }) => ["limit", "cursor"].every((name) => name in inputSchemas(id)));

const itemsOf = (answer: ProxyAnswer): readonly JsonObject[] => {
  const items = jsonAnswer(answer)?.items;
  return Array.isArray(items) ? items.filter(isObject) : [];
};
const nextOf = (answer: ProxyAnswer) => jsonAnswer(answer)?.nextCursor;
const cursorOf = (request: ProxyRequest) => queryOf(request).get("cursor") ?? "";
const isLater = (request: ProxyRequest) => queryOf(request).has("cursor");
const without = (request: ProxyRequest, name: string) => withQuery(request, (query) => query.delete(name));

type Items = (items: readonly JsonObject[], request: ProxyRequest) => readonly unknown[];
const content: Readonly<Record<string, Items>> = {
  "is ordered by another member": (items) =>
    [...items].sort((one, other) => (String(one.email ?? one.name) < String(other.email ?? other.name) ? -1 : 1)),
  "shows one twice": ([one, ...rest]) => (one ? [one, one, ...rest] : []),
  "loses the first of later pages": (items, request) => (isLater(request) ? items.slice(1) : items),
  "shows less to a key in the query": (items, request) => (queryOf(request).has(KEY) ? items.slice(1) : items),
};

/** The link to the next page, altered. */
const links: Readonly<Record<string, (link: string, request: ProxyRequest) => string>> = {
  "without its cursor": (link) => link.replace(/&cursor=[^>&]*/, ""),
  "with another limit": (link) => link.replace(/&limit=\d+/, "&limit=3"),
  "to the process": (link) => link.replace("<?", "<http://localhost:3000/api/?"),
  "with the platform": (link, request) => link.replace(">", `&${PLATFORM}=${queryOf(request).get(PLATFORM) ?? ""}>`),
  "with the key": (link, request) => link.replace(">", `&k=${header(request, KEY) ?? ""}>`),
};
const lacks: Readonly<Record<string, (request: ProxyRequest) => boolean>> = {
  "of the default length": (request) => !queryOf(request).has("limit"),
  "to HEAD": ({ method }) => method === "HEAD",
  "behind the first": isLater,
};

/** How the query is read; the limits that are none are a matter of every number. */
const readings: Readonly<Record<string, (query: URLSearchParams, target: string) => unknown>> = {
  "gives one more": (query) => limited(query, (limit) => limit + 1),
  "gives one less": (query) => limited(query, (limit) => limit - 1),
  "gives as many as by default at most": (query) => limited(query, (limit) => Math.min(limit, 50)),
  "takes the amount of a limit": (query) => query.set("limit", (query.get("limit") ?? "50").replace(/^-(?=[1-9])/, "")),
  "forgets the limit of later pages": (query) => query.has("cursor") && query.delete("limit"),
  "judges no limit beside a cursor": (query) =>
    query.has("cursor") && !/^[1-9]\d{0,2}$/.test(query.get("limit") ?? "1") && query.delete("limit"),
  "finds no name with an escape": (query, target) => /[?&](?:%6C|limi%)/i.test(target) && query.delete("limit"),
  "decodes no cursor": (query, target) => /[?&]cursor=%/.test(target) && query.set("cursor", "%"),
  "takes any spelling of base64": (query) => {
    const bytes = Buffer.from(query.get("cursor") ?? "", "base64url");
    if (bytes.length >= 16) query.set("cursor", bytes.toString("base64url"));
  },
};
function limited(query: URLSearchParams, change: (limit: number) => number): void {
  const limit = query.get("limit") ?? "";
  const after = change(Number(limit));
  if (/^[1-9]\d{0,2}$/.test(limit) && after >= 1 && after <= 200) query.set("limit", String(after));
}

/** Kinds of cursors that nobody gave out. */
const kinds: Readonly<Record<string, (cursor: string) => boolean>> = {
  any: () => true,
  number: (cursor) => /^\d+$/.test(cursor),
  JSON: (cursor) => Buffer.from(cursor, "base64").toString().startsWith("{"),
  id: (cursor) => /^[\da-f-]{36}$/i.test(cursor),
  "text of the right length": (cursor) => /^[\w-]{27}$/.test(cursor),
};

const { takes: isInvalid } = problemOf("invalid-cursor");

export const mutants: readonly Mutant[] = paged.flatMap((operation): Mutant[] => {
  const { id } = operation;
  const page = successOf(operation, 200);
  const isOf = (request: ProxyRequest | null) => request !== null && called(request)?.id === id;
  const answers = (what: string, breaks: readonly Aspect[], answer: Parameters<typeof answersOtherwise>[3]) =>
    answersOtherwise(page, what, breaks, answer);
  return [
    ...Object.entries(content).map(([what, change]) =>
      answers(what, ["body", "state"], (answer, request) =>
        withJson(answer, (json) => ({ ...json, items: change(itemsOf(answer), request) })),
      ),
    ),
    answers("goes on behind a full page", ["body", "status"], (answer, request) =>
      nextOf(answer) === undefined && itemsOf(answer).length === Number(queryOf(request).get("limit"))
        ? withJson(answer, (json) => ({ ...json, nextCursor: "AAAA" }))
        : answer,
    ),
    answers("always goes on", ["body", "status"], (answer) =>
      withJson(answer, (json) => ({ nextCursor: "AAAA", ...json })),
    ),
    answers("forgets a last one who is alone", ["body", "header:link"], async (answer, request, { forward }) => {
      const next = nextOf(answer);
      if (typeof next !== "string") return answer;
      const alone = withQuery(request, (query) => {
        query.set("cursor", next);
        query.set("limit", "1");
      });
      if (nextOf(await forward(alone)) !== undefined) return answer;
      return withJson(withoutHeader(answer, "Link"), ({ nextCursor: _, ...json }) => json);
    }),
    ...Object.entries(links).map(([what, change]) =>
      answers(`leads on ${what}`, ["header:link", "status"], (answer, request) => {
        const link = header(answer, "Link");
        return link === null ? answer : withHeader(answer, "Link", change(link, request));
      }),
    ),
    ...Object.entries(lacks).map(([where, test]) => {
      const takes: Selector["takes"] = (answer, request) =>
        isOf(request) && request !== null && answer.status === 200 && test(request);
      return changesAnswer({ name: `${id} ${where}`, takes }, dropsHeader("Link"));
    }),
    answers("leads on from the last page", ["header:link"], (answer) =>
      header(answer, "Link") === null ? withHeader(answer, "Link", `<?@=${id}>; rel="next"`) : answer,
    ),
    ...Object.entries(readings).map(([what, read]) =>
      takesFor(`${id} ${what}`, (request) =>
        isOf(request) ? withQuery(request, (query) => void read(query, request.target)) : request,
      ),
    ),
    ...Object.entries(kinds).map(([kind, test]) => {
      const takes: Selector["takes"] = (answer, request) =>
        isOf(request) && isInvalid(answer, request) && request !== null && test(cursorOf(request));
      return answersOtherwise({ name: `${id} invalid-cursor ${kind}`, takes }, "is the end", OUTCOME, () =>
        respond(200, { items: [] }),
      );
    }),
    answersOtherwise(
      { name: `${id} invalid-cursor`, takes: (answer, request) => isOf(request) && isInvalid(answer, request) },
      "starts anew",
      OUTCOME,
      (_answer, request, { forward }) => forward(without(request, "cursor")),
    ),
  ];
});

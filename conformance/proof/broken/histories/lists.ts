import { header, jsonAnswer, problemCode, queryOf } from "../../proxy/look.ts";
import type { ProxyAnswer } from "../../proxy/message.ts";
import {
  letIn,
  respondProblem,
  withHeader,
  withJson,
  withoutHeader,
  withQuery,
  withStatus,
} from "../../proxy/shape.ts";
import * as W from "./memory.ts";

/** Pages, cursors, and caching. */

type Key = (request: Parameters<W.Answer>[1]) => string;
const ok = (answer: ProxyAnswer) => answer.status === 200;
/** Without the credentials, which some caches omit from their keys. */
const bare = (request: Parameters<W.Answer>[1]) =>
  withQuery(request, (query) => {
    query.delete("X-API-KEY");
    query.delete("X-PLATFORM");
  }).target;

/** Responds from its cache of the same list, for as long as `lasts`. */
const cached = (id: string, key: Key, lasts: (age: number, context: Parameters<W.Answer>[2]) => boolean): W.Broken => [
  id,
  {
    answer: (answer, request, context) => {
      const now = W.count(context.state, "requests");
      if (!W.isList(request) || request.method !== "GET") return answer;
      const kept = context.state.get(key(request)) as { at: number; answer: ProxyAnswer } | undefined; // Written below.
      if (kept && lasts(now - kept.at, context)) return kept.answer;
      if (ok(answer)) context.state.set(key(request), { at: now, answer });
      return answer;
    },
  },
];

/** A cursor that is returned, and later not accepted any more. */
const ends = (
  id: string,
  isOver: (
    given: { at: number; by: string; limit: string; events: number },
    now: typeof given,
    times: number,
  ) => boolean,
): W.Broken => [
  id,
  {
    request: (request, { state }) => {
      const now = nowOf(request, state);
      const cursor = W.cursorOf(request);
      if (W.isCreate(request)) W.count(state, "events");
      if (cursor === null || !state.has(cursor)) return request;
      const given = state.get(cursor) as typeof now; // Written below.
      return isOver(given, now, W.count(state, `times ${cursor}`)) ? W.invalidCursor() : request;
    },
    answer: (answer, request, { state }) => {
      const next = W.isList(request) ? jsonAnswer(answer)?.nextCursor : undefined;
      if (typeof next === "string" && !state.has(next)) state.set(next, nowOf(request, state, false));
      return answer;
    },
  },
];
const nowOf = (request: Parameters<W.Answer>[1], state: W.Memory, counts = true) => ({
  at: counts ? W.count(state, "requests") : W.seen(state, "requests"),
  by: W.apiKeyOf(request),
  limit: queryOf(request).get("limit") ?? "",
  events: W.seen(state, "events"),
});

/** Changes the pages of a list while `isOn`. */
const createdOf: W.Answer = (answer, request, { state }) => {
  if (W.isCreated(answer, request)) {
    W.listed(state, "created").push(W.idOf(answer));
    state.set("since", 0);
  } else W.count(state, "since");
  return answer;
};
const pages = (id: string, change: W.Items): W.Broken => [
  id,
  {
    answer: (answer, request, context) =>
      W.withItems(change)(createdOf(answer, request, context) as ProxyAnswer, request, context),
  },
];
const last = ({ state }: Parameters<W.Answer>[2]) => W.listed(state, "created").at(-1);

export const lists: readonly W.Broken[] = [
  cached(
    "keeps a page for three requests",
    (request) => request.target,
    (age) => age <= 3,
  ),
  cached("keeps a page for ten requests, whoever asks", bare, (age) => age <= 10),
  cached(
    "keeps a page for ever",
    (request) => `${request.target} ${W.apiKeyOf(request)}`,
    () => true,
  ),
  [
    "keeps a page until its own caller creates",
    {
      answer: (answer, request, { state }) => {
        const name = `${W.apiKeyOf(request)} ${bare(request)}`;
        if (W.isCreated(answer, request))
          for (const key of state.keys()) if (key.startsWith(W.apiKeyOf(request))) state.delete(key);
        if (!W.isList(request) || request.method !== "GET" || !ok(answer)) return answer;
        const kept = state.get(name) ?? answer;
        state.set(name, kept);
        return kept as ProxyAnswer; // Written only here.
      },
    },
  ],
  ends("ends a cursor with the next create", (given, now) => now.events > given.events),
  ends("ends a cursor when another caller reads", (given, now) => now.by !== given.by),
  ends("takes a cursor once", (_, __, times) => times > 1),
  ends("takes a cursor three times", (_, __, times) => times > 3),
  ends("takes a cursor for forty requests", (given, now) => now.at - given.at > 40),
  ends("takes a cursor for 400 requests", (given, now) => now.at - given.at > 400),
  ends("takes a cursor with the limit of its page alone", (given, now) => now.limit !== given.limit),
  [
    "takes the limit of the page that gave out the cursor",
    {
      request: (request, { state }) => {
        const limit = state.get(W.cursorOf(request) ?? "");
        return typeof limit === "string" ? withQuery(request, (query) => query.set("limit", limit)) : request;
      },
      answer: (answer, request, { state }) => {
        const next = W.isList(request) ? jsonAnswer(answer)?.nextCursor : undefined;
        const limit = queryOf(request).get("limit");
        if (typeof next === "string" && limit !== null && !state.has(next)) state.set(next, limit);
        return answer;
      },
    },
  ],
  [
    "takes the limit of the caller's page before where there is none",
    {
      request: (request, { state }) => {
        if (!W.isList(request)) return request;
        const { limit } = Object.fromEntries(queryOf(request));
        const before = state.get(W.apiKeyOf(request));
        if (limit !== undefined) state.set(W.apiKeyOf(request), limit);
        return limit === undefined && typeof before === "string" && /^\d+$/.test(before)
          ? withQuery(request, (query) => query.set("limit", before))
          : request;
      },
    },
  ],
  pages("shows what was created last only after five requests", (items, _, context) =>
    W.seen(context.state, "since") < 5 ? items.filter(({ id }) => id !== last(context)) : items,
  ),
  pages("swaps the last two while something is new", (items, _, { state }) =>
    W.seen(state, "since") < 4 && items.length > 1 ? [...items.slice(0, -2), ...items.slice(-2).reverse()] : items,
  ),
  pages("sorts a page of more than five by name", (items) =>
    items.length > 5 ? [...items].sort((a, b) => (String(a.email) < String(b.email) ? -1 : 1)) : items,
  ),
  pages("cuts times to seconds after some records", (items, _, { state }) =>
    W.listed(state, "created").length > 4
      ? items.map((item) => ({ ...item, createdAt: String(item.createdAt).replace(/\.\d+Z$/, "Z") }))
      : items,
  ),
  pages("shows a record twice while it is new", (items, _, context) =>
    items.flatMap((item) => (item.id === last(context) && W.seen(context.state, "since") < 3 ? [item, item] : [item])),
  ),
  pages("leaves out the first behind a cursor when something was created since", (items, request, { state }) => {
    const cursor = W.cursorOf(request);
    const known = state.get(`at ${cursor}`);
    const events = W.listed(state, "created").length;
    state.set(`at ${cursor}`, events);
    return cursor !== null && known !== undefined && known !== events ? items.slice(1) : items;
  }),
  [
    "shows each caller its own records",
    {
      answer: (answer, request, context) => {
        if (W.isCreated(answer, request)) context.state.set(W.idOf(answer), W.apiKeyOf(request));
        const owns = (id: unknown) =>
          [undefined, W.apiKeyOf(request)].some((one) => one === context.state.get(String(id)));
        return W.withItems((items) => items.filter(({ id }) => owns(id)))(answer, request, context);
      },
    },
  ],
  [
    "shows a caller the records of others ten requests later",
    {
      answer: (answer, request, context) => {
        const now = W.count(context.state, "requests");
        if (W.isCreated(answer, request)) context.state.set(W.idOf(answer), [W.apiKeyOf(request), now]);
        return W.withItems((items) =>
          items.filter(({ id }) => {
            const [owner, at] = (context.state.get(String(id)) as [string, number] | undefined) ?? ["", 0]; // Written above.
            return at === 0 || owner === W.apiKeyOf(request) || now - at > 10;
          }),
        )(answer, request, context);
      },
    },
  ],
  [
    "loses records that are created at once",
    {
      request: (request, { state }) => {
        if (W.isCreate(request)) state.set("most", Math.max(W.seen(state, "most"), W.count(state, "way")));
        return request;
      },
      answer: (answer, request, context) => {
        const { state } = context;
        if (W.isCreate(request)) {
          if (W.seen(state, "way") > 1 && W.isCreated(answer, request)) W.listed(state, "lost").push(W.idOf(answer));
          state.set("way", W.seen(state, "way") - 1);
        }
        return W.withItems((items) => items.filter(({ id }) => !W.listed(state, "lost").includes(String(id))))(
          answer,
          request,
          context,
        );
      },
    },
  ],
  [
    "has a next page behind the last while something is new",
    {
      answer: (answer, request, context) => {
        createdOf(answer, request, context);
        const page = W.isList(request) ? jsonAnswer(answer) : null;
        if (typeof page?.nextCursor === "string") context.state.set("cursor", page.nextCursor);
        const cursor = context.state.get("cursor");
        const isNew = W.seen(context.state, "since") < 3 && W.listed(context.state, "created").length > 0;
        return page && ok(answer) && page.nextCursor === undefined && cursor && isNew
          ? withHeader(
              withJson(answer, (own) => ({ ...own, nextCursor: cursor })),
              "Link",
              `</api/?@=x&cursor=${cursor}>; rel="next"`,
            )
          : answer;
      },
    },
  ],
  [
    "has no next page where it was created since the cursor",
    {
      answer: (answer, request, context) => {
        createdOf(answer, request, context);
        const isNew = W.seen(context.state, "since") < 6 && W.listed(context.state, "created").length > 0;
        if (!isNew || !W.isList(request) || W.cursorOf(request) === null || !ok(answer)) return answer;
        return withoutHeader(
          withJson(answer, ({ nextCursor: _, ...own }) => own),
          "Link",
        );
      },
    },
  ],
  [
    "loses the limit in the link of every second page",
    {
      answer: (answer, request, { state }) => {
        const link = header(answer, "Link");
        return link !== null && W.isList(request) && W.count(state, "links") % 2 === 0
          ? withHeader(answer, "Link", link.replace(/([?&])limit=\d+&?/, "$1").replace(/&>/, ">"))
          : answer;
      },
    },
  ],
  [
    "links with the cursor of the page before",
    {
      answer: (answer, request, { state }) => {
        const link = header(answer, "Link");
        if (link === null || !W.isList(request)) return answer;
        const before = state.get("link");
        state.set("link", link);
        return typeof before === "string" && W.count(state, "links") % 3 === 0
          ? withHeader(answer, "Link", before)
          : answer;
      },
    },
  ],
  [
    "has no link to HEAD behind a create",
    {
      answer: (answer, request, context) => {
        createdOf(answer, request, context);
        return request.method === "HEAD" && W.isList(request) && W.listed(context.state, "created").length > 0
          ? withoutHeader(answer, "Link")
          : answer;
      },
    },
  ],
  [
    "shows the record of a command that was rejected for its input",
    {
      answer: (answer, request, context) => {
        if (W.isCreate(request) && problemCode(answer) === "invalid-input" && request.body.includes('"email"'))
          context.state.set("shadow", W.unstored(request));
        const shadow = context.state.get("shadow");
        return W.withItems((items) =>
          shadow && items.length > 0 && jsonAnswer(answer)?.nextCursor === undefined
            ? [...items, shadow].sort((a, b) => (String(Object(a).id) < String(Object(b).id) ? -1 : 1))
            : items,
        )(answer, request, context);
      },
    },
  ],
  [
    "answers a condition on a page that it has shown before",
    {
      answer: (answer, request, { state }) => {
        if (!W.isList(request) || !ok(answer)) return answer;
        const again = W.count(state, bare(request)) > 1;
        return again && header(request, "If-None-Match") !== null
          ? { ...withStatus(answer, 304), body: Buffer.alloc(0) }
          : answer;
      },
    },
  ],
  [
    "cuts a page to a range of bytes when it was read before",
    {
      answer: (answer, request, { state }) =>
        W.isList(request) && ok(answer) && header(request, "Range") !== null && W.count(state, "ranges") > 0
          ? withStatus(answer, 206)
          : answer,
    },
  ],
  [
    "lets anybody read a list that was read through a trace",
    {
      request: (request, context) =>
        W.isList(request) && header(request, "traceparent") !== null && W.apiKeyOf(request) !== ""
          ? letIn(request, context)
          : request,
    },
  ],
  [
    "fails with every fiftieth page",
    {
      answer: (answer, request, { state }) =>
        W.isList(request) && ok(answer) && W.count(state, "pages") % 50 === 0
          ? respondProblem(500, "internal-error")
          : answer,
    },
  ],
];

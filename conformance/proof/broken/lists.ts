import type { Request } from "../../oracle/model-state.ts";
import {
  refusal,
  respond,
  withHeader,
  withJson,
  withoutCredentials,
  withoutHeader,
  withQuery,
} from "../proxy/edit-response.ts";
import type { Mutant, Reply } from "../proxy/message.ts";
import {
  called,
  header,
  isList,
  type JsonObject,
  jsonAnswer,
  problemCode,
  queryOf,
} from "../proxy/sniff.ts";
import {
  answering,
  asking,
  before,
  callerOf,
  count,
  cursorOf,
  first,
  idOf,
  isCreate,
  isCreated,
  listed,
  type Memory,
  seen,
  withItems,
} from "./memory.ts";

/** Inconsistent pages, cursors that end, and caches. */

interface Known {
  readonly state: Memory;
  /**
   * Ids of the records since the server started, and how many other requests came after the last of
   * them.
   */
  readonly created: readonly string[];
  readonly since: number;
}
const remembering = (
  id: string,
  change: (answer: Reply, request: Request, known: Known) => Reply,
): Mutant =>
  answering(id, (answer, request, { state }) => {
    const created = listed(state, "created");
    if (isCreated(answer, request)) {
      created.push(idOf(answer));
      state.set("since", 0);
    } else count(state, "since");
    return change(answer, request, { created, since: seen(state, "since"), state });
  });
const items = (
  id: string,
  change: (items: readonly JsonObject[], request: Request, known: Known) => readonly unknown[],
): Mutant =>
  remembering(id, (answer, request, known) =>
    withItems(answer, request, (all) => change(all, request, known)),
  );

/** How the query is read. */
const reads = (id: string, change: (query: URLSearchParams) => void): Mutant =>
  asking(id, (request) => (isList(request) ? withQuery(request, change) : request));

const pages: readonly Mutant[] = [
  items("user.list shows one twice", ([one, ...rest]) => (one ? [one, one, ...rest] : [])),
  reads("user.list gives one less", (query) => {
    const limit = query.get("limit") ?? "";
    if (/^[1-9]\d{0,2}$/.test(limit)) query.set("limit", String(Math.max(1, Number(limit) - 1)));
  }),
  answering("user.list takes an invalid cursor for the end", (answer) =>
    problemCode(answer) === "invalid-cursor" ? respond(200, { items: [] }) : answer,
  ),
  items("shows what was created last only after five requests", (all, _, { created, since }) =>
    since < 5 ? all.filter(({ id }) => id !== created.at(-1)) : all,
  ),
  items(
    "leaves out the first behind a cursor when something was created since",
    (all, request, { created, state }) => {
      const cursor = cursorOf(request);
      const known = before(state, `at ${cursor}`, created.length) ?? created.length;
      return cursor !== null && known !== created.length ? all.slice(1) : all;
    },
  ),
  answering("shows each caller its own records", (answer, request, { state }) => {
    const caller = callerOf(request);
    if (isCreated(answer, request)) state.set(idOf(answer), caller);
    return withItems(answer, request, (all) =>
      all.filter(({ id }) => [undefined, caller].some((owner) => owner === state.get(String(id)))),
    );
  }),
  remembering(
    "has no next page where it was created since the cursor",
    (answer, request, { since, created }) => {
      const isNew = since < 6 && created.length > 0;
      if (!isNew || cursorOf(request) === null || answer.status !== 200) return answer;
      return withoutHeader(
        withJson(answer, ({ nextCursor: _, ...own }) => own),
        "Link",
      );
    },
  ),
  answering("loses the limit in the link of every second page", (answer, request, { state }) => {
    const link = isList(request) ? header(answer, "Link") : null;
    return link !== null && count(state, "links") % 2 === 0
      ? withHeader(answer, "Link", link.replace(/([?&])limit=\d+&?/, "$1").replace(/&>/, ">"))
      : answer;
  }),
];

/** Responds from its cache of the same list, for as long as `lasts`, in requests. */
const cached = (id: string, keyOf: (request: Request) => string, lasts: number): Mutant =>
  answering(id, (answer, request, { state }) => {
    const now = count(state, "requests");
    if (!isList(request) || request.method !== "GET") return answer;
    const entry = state.get(keyOf(request)) as
      | { readonly at: number; readonly answer: Reply }
      | undefined; // Written below.
    if (entry && now - entry.at <= lasts) return entry.answer;
    if (answer.status === 200) state.set(keyOf(request), { at: now, answer });
    return answer;
  });

/**
 * Of a request for a page: how many requests came before it, how many of them create, its caller
 * and its limit.
 */
const nowOf = (request: Request, state: Memory) => ({
  at: seen(state, "requests"),
  created: seen(state, "created"),
  by: callerOf(request),
  limit: queryOf(request).get("limit") ?? "",
});
type Given = ReturnType<typeof nowOf>;

/** Reads a request with a cursor by the one whose response had that cursor. */
const following = (
  id: string,
  read: (request: Request, given: Given, now: Given) => Request | Reply,
): Mutant => ({
  id,
  request: (request, { state }) => {
    count(state, "requests");
    if (isCreate(request)) count(state, "created");
    const given = state.get(cursorOf(request) ?? "") as Given | undefined; // Written below.
    return given ? read(request, given, nowOf(request, state)) : request;
  },
  answer: (answer, request, { state }) => {
    const next = isList(request) ? jsonAnswer(answer)?.nextCursor : undefined;
    if (typeof next === "string") first(state, next, nowOf(request, state));
    return answer;
  },
});

/** A cursor that is returned, and later not accepted any more. */
const ends = (id: string, isOver: (given: Given, now: Given) => boolean): Mutant =>
  following(id, (request, given, now) =>
    isOver(given, now) ? refusal("invalid-cursor") : request,
  );

export const histories: readonly Mutant[] = [
  ...pages,
  cached(
    "keeps a page for ten requests, whoever asks",
    (request) => withoutCredentials(request).target,
    10,
  ),
  ends("ends a cursor with the next create", (given, now) => now.created > given.created),
  ends("ends a cursor when another caller reads", (given, now) => now.by !== given.by),
  following("takes the limit of the page that gave out the cursor", (request, { limit }) =>
    limit ? withQuery(request, (query) => query.set("limit", limit)) : request,
  ),
  answering("sysinfo has a clock that runs backwards", (answer, request, { state }) => {
    if (called(request)?.id !== "sysinfo") return answer;
    first(state, "time", Date.now());
    return withJson(answer, (said) => ({
      ...said,
      time: new Date(count(state, "time", -3000)).toISOString(),
    }));
  }),
];

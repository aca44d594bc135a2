import type { Api } from "../../client/api.ts";
import type { CallCredentials } from "../../client/call.ts";
import { expectSuccess, fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { inCase, toJudge } from "../probe.ts";
import { pageOfUsers } from "../users.ts";
import { beginning, endOfList, ensureUsers, expectSameUsers, inputOf, listCheck, MOST } from "./pages.ts";

/** A page without `limit` (D26). */
const DEFAULT = 50;
/** Pages that are walked by their links. */
const FEW_PAGES = 12;

/** A page that starts at the cursor and is so long: whether another follows, and what. */
async function expectNext(
  api: Api,
  cursor: string | undefined,
  limit: number,
  left: number,
): Promise<string | undefined> {
  const { items, nextCursor } = await pageOfUsers(api, inputOf(cursor, limit));
  const where = `limit=${limit} with ${left} users left`;
  if (items.length !== Math.min(limit, left))
    fail("body", `${Math.min(limit, left)} items (${where})`, `${items.length}`);
  if (left > limit && nextCursor === undefined) fail("body", `a nextCursor, since more follow (${where})`, "none");
  if (left <= limit && nextCursor !== undefined) fail("body", `no nextCursor, since nothing follows (${where})`, "one");
  return nextCursor;
}

/** The links of an answer, by relation (RFC 8288). */
function linksOf(reply: Reply, relation: string): string[] {
  const fields = reply.headerValues("Link").join(", ");
  return [...fields.matchAll(/<([^>]*)>((?:\s*;\s*[^;,"]+(?:"[^"]*")?)*)/g)].flatMap(
    ([, target = "", parameters = ""]) => {
      const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
      return (rel?.[1] ?? rel?.[2] ?? "").toLowerCase().split(/\s+/).includes(relation) ? [target] : [];
    },
  );
}

const CREDENTIAL_NAMES = /x-api-key|x-platform|api.?key/i;

/** The target of the link as a request of its own, with nothing in it that says who asks. */
function targetOf(api: Api, link: string, reply: Reply): string {
  const url = new URL(link, reply.exchange.request.url);
  const base = new URL(`${api.url}/`);
  if (url.origin !== base.origin) fail("body", `a link to ${base.origin}, or a relative one`, link);
  if (!url.pathname.startsWith(base.pathname)) fail("body", `a link below ${base.pathname}`, link);
  const names = [...url.searchParams.keys()].filter((name) => CREDENTIAL_NAMES.test(name));
  if (names.length > 0) fail("body", "a link without credentials", `a link with ${names.join(" and ")}`);
  if (decodeURIComponent(url.search.replaceAll("+", " ")).includes(api.key))
    fail("body", "a link without the key", "a link with the key");
  if (url.username || url.password) fail("body", "a link without credentials", "a link with user information");
  return url.href.slice(api.url.length);
}

function getAs(api: Api, target: string): Promise<Reply> {
  const headers = [
    ["X-API-KEY", api.key],
    ["X-PLATFORM", api.platform],
  ] as const;
  return api.request({ method: "GET", target, headers });
}

/** Judges the link of one page: there with `nextCursor`, and leading where it leads. Returns the next cursor. */
async function expectLink(
  api: Api,
  input: { readonly limit?: number; readonly cursor?: string },
  credentials: CallCredentials,
): Promise<string | undefined> {
  const reply = await api.call("user.list", { input, credentials });
  const { nextCursor } = expectSuccess(reply, "user.list");
  const links = linksOf(reply, "next");
  if (nextCursor === undefined) {
    if (links.length > 0) fail("body", 'no Link with rel="next" on the last page', links.join(", "));
    return undefined;
  }
  const [link, ...more] = links;
  if (link === undefined || more.length > 0) {
    fail("body", 'one Link with rel="next" beside nextCursor', links.join(", ") || "no such Link");
  }
  const linked = await getAs(api, targetOf(api, link, reply));
  const followed = await inCase(`following Link ${link}`, async () => expectSuccess(linked, "user.list"));
  const next = await pageOfUsers(api, { ...input, cursor: nextCursor });
  expectSameUsers(followed.items, next.items, "the page of nextCursor behind Link");
  if ((followed.nextCursor === undefined) !== (next.nextCursor === undefined)) {
    fail("body", "as many pages behind Link as behind nextCursor", "another end");
  }
  return nextCursor;
}

/** How one page leads to the next (D26). */
export const next = [
  ...listCheck("user.list/next#each-limit", async (api) => {
    const end = await endOfList(api);
    const { cursor, users } = end;
    const left = users.length;
    const limits = [left, left - 1, left - 2, left + 1, 1, MOST].filter((limit) => limit >= 1 && limit <= MOST);
    for (const limit of new Set(limits)) {
      const following = await expectNext(api, cursor, limit, left);
      if (following === undefined) continue;
      const rest = left - limit;
      for (const after of new Set([1, rest, MOST])) await expectNext(api, following, after, rest);
    }
    // Without a limit it is the same, as far as the default goes.
    if (left <= 50) {
      const page = await pageOfUsers(api, cursor === undefined ? {} : { cursor });
      if (page.nextCursor !== undefined) fail("body", "no nextCursor, since nothing follows (without limit)", "one");
    }
  }),
  ...listCheck("user.list/next#to-the-end", async (api) => {
    const end = await endOfList(api);
    // One by one through the last users, from a page that ends before them.
    const few = Math.min(3, end.users.length);
    const before = end.users.length - few;
    let cursor = before === 0 ? end.cursor : await expectNext(api, end.cursor, before, end.users.length);
    for (let left = few; left > 0; left -= 1) cursor = await expectNext(api, cursor, 1, left);
  }),
  ...listCheck("user.list/link#leads-on", async (api) => {
    for (const credentials of ["good", "query"] as const) {
      for (const input of [{ limit: 1 }, { limit: 2 }, { limit: MOST }, {}]) {
        await inCase(`${JSON.stringify(input)}, credentials ${credentials}`, async () => {
          const second = await expectLink(api, input, credentials);
          if (second !== undefined) await expectLink(api, { ...input, cursor: second }, credentials);
        });
      }
    }
  }),
  ...listCheck("user.list/link#mixed-placements", async (api) => {
    const { key, platform } = api;
    await expectLink(api, { limit: 1 }, { key: { query: key }, platform: { header: platform } });
    await expectLink(api, { limit: 1 }, { key: { header: key }, platform: { query: platform } });
    await expectLink(
      api,
      { limit: 1 },
      { key: { header: key, query: key }, platform: { header: platform, query: platform } },
    );
  }),
  ...listCheck("user.list/link#last-page", async (api) => {
    const end = await endOfList(api);
    const credentials = "query";
    const last = await expectLink(api, inputOf(end.cursor, end.users.length || 1), credentials);
    if (last !== undefined) fail("body", "a last page", "another one behind it");
    const before = end.users.length - 1;
    if (before >= 1) await expectLink(api, inputOf(end.cursor, before), credentials);
  }),
  // A cursor may hold what has to be escaped in a link, and the next one nothing of that kind.
  ...listCheck("user.list/link#page-by-page", async (api) => {
    const { items } = await beginning(api);
    let target = "/api/?@=user.list&limit=1";
    for (const [index, user] of toJudge(items, "user").slice(0, FEW_PAGES).entries()) {
      const reply = await getAs(api, target);
      await inCase(`page ${index + 1} of one user each, ${target}`, async () => {
        expectSameUsers(expectSuccess(reply, "user.list").items, [user], "the next user behind each Link");
        const [link] = linksOf(reply, "next");
        if (link !== undefined) target = targetOf(api, link, reply);
        else if (index < items.length - 1) fail("body", 'a Link with rel="next", since more follow', "none");
      });
    }
  }),
  ...listCheck("user.list/link#head", async (api) => {
    const get = await api.call("user.list", { input: { limit: 1 } });
    const head = await api.call("user.list", { input: { limit: 1 }, method: "HEAD" });
    const [wanted, sent] = [get, head].map((reply) => linksOf(reply, "next").length);
    if (wanted !== sent) fail("body", `${wanted} Link with rel="next" to HEAD, as to GET`, String(sent));
  }),
  check("user.list/link#default-page", { effect: "write", last: true }, async (api) => {
    await ensureUsers(api, DEFAULT + 1);
    const second = await expectLink(api, {}, "good");
    if (second === undefined) fail("body", `nextCursor, since more than ${DEFAULT} users are there`, "none");
  }),
];

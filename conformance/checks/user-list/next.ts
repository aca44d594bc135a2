import type { Api } from "../../client/api.ts";
import type { CallCredentials } from "../../client/call.ts";
import { counted } from "../../client/counted.ts";
import { fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { credentialFields, inCase, toJudge } from "../probe.ts";
import {
  beginning,
  DEFAULT,
  endOfList,
  ensureUsers,
  expectCursor,
  expectSameUsers,
  FEW_PAGES,
  inputOf,
  listCheck,
  MOST,
} from "./pages.ts";
import { pageOfUsers, readPage } from "./users.ts";

/** Checks the length of the page at this cursor, and whether another page follows. Returns the next cursor. */
async function expectNext(api: Api, cursor: string | undefined, limit: number, left: number) {
  const page = await pageOfUsers(api, inputOf(cursor, limit));
  const where = `of ${left} users are left behind limit=${limit}`;
  expectCursor(page, left > limit, `${Math.max(0, left - limit)} ${where}`);
  const wanted = Math.min(limit, left);
  if (page.items.length !== wanted) fail("body:/items", counted(wanted, "item"), `${page.items.length}`);
  return page.nextCursor;
}

/** The targets of a response's links to the next page (RFC 8288). */
function linksOf(reply: Reply): string[] {
  const fields = reply.headerValues("Link").join(", ");
  return [...fields.matchAll(/<([^>]*)>((?:\s*;\s*[^;,"]+(?:"[^"]*")?)*)/g)].flatMap(
    ([, target = "", parameters = ""]) => {
      const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
      return (rel?.[1] ?? rel?.[2] ?? "").toLowerCase().split(/\s+/).includes("next") ? [target] : [];
    },
  );
}

/** The link as a request target. Fails if the link contains credentials. */
function targetOf(api: Api, link: string, reply: Reply): string {
  const url = new URL(link, reply.exchange.request.url);
  const base = new URL(`${api.url}/`);
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname))
    fail("header:link", `a link below ${base.href}, or a relative one`, link);
  const names = [...url.searchParams.keys()].filter((name) => /x-api-key|x-platform|api.?key/i.test(name));
  const leaks = decodeURIComponent(url.search.replaceAll("+", " ")).includes(api.key);
  if (names.length > 0 || leaks || url.username || url.password)
    fail("header:link", "a link without credentials", names.join(" and ") || "a link with the key, or a user");
  return url.href.slice(api.url.length);
}

const follow = (api: Api, target: string): Promise<Reply> =>
  api.request({ method: "GET", target, headers: credentialFields(api) });

type Input = Readonly<Partial<Record<"limit" | "cursor", string | number>>>;

/** Checks that a page has a link if it has `nextCursor`, else none, and that both have the same target. Returns the cursor. */
async function expectLink(api: Api, input: Input, credentials: CallCredentials): Promise<string | undefined> {
  const reply = await api.call("user.list", { input, credentials });
  const { nextCursor } = readPage(reply);
  const [link, ...more] = linksOf(reply);
  if ((link === undefined) !== (nextCursor === undefined) || more.length > 0)
    fail(
      "header:link",
      `${nextCursor === undefined ? "no" : "one"} Link with rel="next"`,
      [link, ...more].join() || "none",
    );
  if (nextCursor === undefined || link === undefined) return undefined;
  const linked = await follow(api, targetOf(api, link, reply));
  const next = readPage(await api.call("user.list", { input: { ...input, cursor: nextCursor } }));
  await inCase(`following Link ${link}`, () => {
    const followed = readPage(linked);
    expectSameUsers(followed.items, next.items, "the page of nextCursor behind Link", "header:link");
    if ((followed.nextCursor === undefined) !== (next.nextCursor === undefined))
      fail("header:link", "as many pages behind Link as behind nextCursor", "another end");
  });
  return nextCursor;
}

/** From one page to the next (D26). */
export const next = [
  listCheck("user.list/next#any-limit", async (api) => {
    const { cursor, users } = await endOfList(api);
    const left = users.length;
    const limits = [left, left - 1, left - 2, left + 1, 1, MOST].filter((limit) => limit >= 1 && limit <= MOST);
    for (const limit of new Set(limits)) {
      const following = await expectNext(api, cursor, limit, left);
      if (following === undefined) continue;
      const rest = left - limit;
      for (const after of new Set([1, rest, MOST])) await expectNext(api, following, after, rest);
    }
    // The same without `limit`, for lists up to the default length.
    if (left <= DEFAULT)
      expectCursor(await pageOfUsers(api, cursor === undefined ? {} : { cursor }), false, "nothing follows");
    // The last users one by one, from a page that ends before them.
    const few = Math.min(3, left);
    let place = few === left ? cursor : await expectNext(api, cursor, left - few, left);
    for (let rest = few; rest > 0; rest -= 1) place = await expectNext(api, place, 1, rest);
  }),
  listCheck("user.list/link#leads-on", async (api) => {
    toJudge((await beginning(api)).items.slice(1), "second page");
    const [key, platform] = [{ header: api.key }, { header: api.platform }];
    const [keyInQuery, platformInQuery] = [{ query: api.key }, { query: api.platform }];
    const placed: readonly (readonly [CallCredentials, readonly Input[]])[] = [
      ["good", [{ limit: 1 }, { limit: 2 }, { limit: MOST }, {}]],
      ["query", [{ limit: 1 }, {}]],
      [{ key: keyInQuery, platform }, [{ limit: 1 }]],
      [{ key, platform: platformInQuery }, [{ limit: 1 }]],
      [{ key: { ...key, ...keyInQuery }, platform: { ...platform, ...platformInQuery } }, [{ limit: 1 }]],
    ];
    for (const [credentials, inputs] of placed)
      for (const input of inputs)
        await inCase(JSON.stringify(input), async () => {
          const second = await expectLink(api, input, credentials);
          if (second !== undefined) await expectLink(api, { ...input, cursor: second }, credentials);
        });
  }),
  listCheck("user.list/link#last-page", async (api) => {
    const { cursor, users } = await endOfList(api);
    const last = await expectLink(api, inputOf(cursor, users.length || 1), "query");
    if (last !== undefined) fail("body:/nextCursor", "a last page", "another one behind it");
    if (users.length > 1) await expectLink(api, inputOf(cursor, users.length - 1), "query");
  }),
  // One cursor may contain characters that a link must escape, and the next may not.
  listCheck("user.list/link#page-by-page", async (api) => {
    const { items } = await beginning(api);
    let target = "/api/?@=user.list&limit=1";
    for (const [index, user] of toJudge(items, "user").slice(0, FEW_PAGES).entries()) {
      const reply = await follow(api, target);
      await inCase(`page ${index + 1} of one user each, ${target}`, () => {
        expectSameUsers(readPage(reply).items, [user], "the next user behind each Link", "header:link");
        const [link] = linksOf(reply);
        if (link !== undefined) target = targetOf(api, link, reply);
        else if (index < items.length - 1) fail("header:link", 'a Link with rel="next", since more follow', "none");
      });
    }
  }),
  listCheck("user.list/link#head", async (api) => {
    toJudge((await beginning(api)).items.slice(1), "second page");
    const sent = linksOf(await api.call("user.list", { input: { limit: 1 }, method: "HEAD" }));
    if (sent.length !== 1) fail("header:link", 'one Link with rel="next" to HEAD, as to GET', sent.join() || "none");
  }),
  check("user.list/link#default-page", { effect: "write", last: true }, async (api) => {
    await ensureUsers(api, DEFAULT + 1);
    const second = await expectLink(api, {}, "good");
    if (second === undefined) fail("body:/nextCursor", `a second page of more than ${DEFAULT} users`, "none");
  }),
];

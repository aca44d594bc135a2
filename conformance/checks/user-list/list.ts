import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { expectSuccess, fail } from "../../client/expect.ts";
import { excerpts } from "../../client/reply.ts";
import { check } from "../check.ts";
import { inCase, toJudge } from "../probe.ts";
import { readEntries } from "../state.ts";
import { beginning, type End, endOfList, expectSameUsers, FEW_PAGES, inputOf, listCheck, MOST } from "./pages.ts";
import { findUser, type ListedUser, pageOfUsers, readPage, walkUsers } from "./users.ts";

/** The maximum number of pages of a walk that must reach the end. */
const MAX_PAGES = 40;

const INPUTS = [{}, { limit: 1 }, { limit: 2 }, { limit: MOST }];

const create = async (api: Api): Promise<ListedUser> => expectSuccess(await api.createUser(), "user.create");

/** The position this number of users before the end of the list, and the users that follow it. */
async function placeBefore({ cursor, users }: End, api: Api, wanted: number): Promise<End> {
  const before = Math.max(0, users.length - wanted);
  if (before === 0) return { cursor, users };
  const { nextCursor } = await pageOfUsers(api, inputOf(cursor, before));
  return { cursor: nextCursor, users: users.slice(before) };
}

/** Checks that a walk returned each user present at its start exactly once, and no user twice. */
function expectOnceEach(walked: readonly ListedUser[], present: readonly ListedUser[]): void {
  const times = new Map<string, number>(present.map(({ id }) => [id, 0]));
  for (const { id } of walked) times.set(id, (times.get(id) ?? 0) + 1);
  for (const [id, count] of times) if (count !== 1) fail("body:/items", "every user once", `${id} ${count} times`);
}

/** Walks to the end, and calls `between` after each page. If the list grows at each page, small pages never reach the end. */
async function walkWhile(
  api: Api,
  from: string | undefined,
  limitOf: (page: number) => number,
  between = async (_page: number) => {},
) {
  const users: ListedUser[] = [];
  let cursor = from;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, nextCursor } = await pageOfUsers(api, inputOf(cursor, limitOf(page)));
    users.push(...items);
    if (nextCursor === undefined) return users;
    cursor = nextCursor;
    await between(page);
  }
  return fail("body:/nextCursor", `an end within ${MAX_PAGES} pages`, "always another page");
}

/** The form and the order of a page, and the users that a walk of the whole list returns (D26). */
export const list = [
  listCheck("user.list/page#documented", async (api) => {
    for (const input of INPUTS)
      await inCase(JSON.stringify(input), async () => {
        const { nextCursor } = expectSuccess(await api.call("user.list", { input }), "user.list");
        if (nextCursor === undefined) return;
        expectSuccess(await api.call("user.list", { input: { ...input, cursor: nextCursor } }), "user.list");
      });
    const { cursor } = await endOfList(api);
    expectSuccess(await api.call("user.list", { input: inputOf(cursor, MOST) }), "user.list");
  }),
  check("user.list/page#created", { effect: "write" }, async (api) => {
    const email = api.email();
    if (await findUser(api, email)) fail("state", "nobody with an address that was never used", email);
    const created = expectSuccess(await api.createUser({ name: "Zo\u00eb \u{1f600} O'Neil", email }), "user.create");
    const listed = await findUser(api, created.email);
    if (!listed) fail("state", "the created user in the list", `no ${created.email}`);
    expectSameUsers([listed], [created], "the user as it was created");
  }),
  listCheck("user.list/order#ascending", async (api) => {
    const walks = [
      ["the first page", async () => (await beginning(api)).items],
      ["pages of two", () => walkUsers(api, { limit: 2, maxPages: 10 })],
      ["pages of one", () => walkUsers(api, { limit: 1, maxPages: 5 })],
      ["the last page", async () => (await endOfList(api)).users],
    ] as const;
    for (const [what, walk] of walks) {
      const users = await walk();
      for (const [index, { id }] of toJudge([...users.entries()].slice(1), "second user")) {
        const before = users[index - 1]?.id ?? "";
        if (before.toLowerCase() >= id.toLowerCase())
          fail("body:/items/*/id", `ids that ascend, in ${what}`, `${before} before ${id}`);
      }
    }
  }),
  check("user.list/order#not-of-names", { effect: "write", alone: true }, async (api) => {
    // Sorted by creation only: the second user's name and address would come first.
    const [earlier, later] = [api.email(), api.email()];
    const first = expectSuccess(await api.createUser({ name: "Zoe Zimmer", email: later }), "user.create");
    const second = expectSuccess(await api.createUser({ name: "Abe Adams", email: earlier }), "user.create");
    const ascending = [first.id, second.id].sort();
    const listed = (await endOfList(api)).users.map(({ id }) => id).filter((id) => ascending.includes(id));
    if (listed.join() !== ascending.join())
      fail("body:/items/*/id", `the ids ${ascending.join(" and ")} in this order`, listed.join(" and "));
  }),
  check("user.list/read-only#another-key", { needs: ["users:read"], last: true }, async (api) => {
    const read = async (options: CallOptions) =>
      readEntries(await api.call("user.list", { input: { limit: 200 }, ...options }));
    const [one, other] = [await read({}), await read({ credentials: "users:read" })];
    const shown = new Map(other.entries.map((user) => [String(Object(user).id), JSON.stringify(user)]));
    for (const user of toJudge(one.entries, "user")) {
      const again = shown.get(String(Object(user).id)) ?? "nothing";
      if (again !== JSON.stringify(user)) fail("body:/items", ...excerpts(JSON.stringify(user) ?? "", again));
    }
  }),
  listCheck("user.list/read-only#again", async (api) => {
    const { key, platform } = api;
    for (const input of INPUTS) {
      const first = await pageOfUsers(api, input);
      const again = [
        await api.call("user.list", { input }),
        await api.call("user.list", { input, credentials: "query" }),
        await api.call("user.list", { input, credentials: { key: { header: key }, platform: { query: platform } } }),
        await api.call("user.list", { input, credentials: { key: { query: key }, platform: { header: platform } } }),
      ];
      for (const second of again.map(readPage))
        await inCase(JSON.stringify(input), () => {
          expectSameUsers(second.items, first.items, "the same page again");
          if ((first.nextCursor === undefined) !== (second.nextCursor === undefined))
            fail("body:/nextCursor", "the same end of the page again", "nextCursor only in one");
        });
    }
  }),
  // No `listCheck`, which would retry if the list has grown: this check looks for new users.
  check("user.list/read-only#refused", { alone: true }, async (api) => {
    // A GET with a body, or with parameters of user.create, does not create a user.
    const { cursor, users } = await endOfList(api);
    const user = { name: "Nobody", email: api.email() };
    await api.call("user.list", { body: { "@": "user.create", data: user } });
    await api.call("user.list", { query: Object.entries(user) });
    const after = await walkUsers(api, cursor === undefined ? {} : { from: cursor });
    // Other clients may have created users meanwhile, after the existing ones.
    expectSameUsers(after.slice(0, users.length), users, "the list as it was", "state");
    if (after.some(({ email }) => email === user.email)) fail("state", `no user ${user.email}`, "created by GET");
  }),
  listCheck("user.list/walk#any-limit", async (api) => {
    const items = toJudge((await beginning(api)).items, "user");
    for (const limit of [1, 2, 7, 50, 199]) {
      const walked = await walkUsers(api, { limit, maxPages: FEW_PAGES });
      const both = Math.min(walked.length, items.length);
      await inCase(`a walk by ${limit}`, () => {
        expectSameUsers(walked.slice(0, both), items.slice(0, both), "the users of a walk by 200");
        if (walked.length < items.length && walked.length < limit * FEW_PAGES)
          fail("body:/items", `all ${items.length} users`, `${walked.length}`);
      });
    }
    const { cursor, users } = await placeBefore(await endOfList(api), api, 6);
    for (const limit of [1, 2, 4, 5, 6]) {
      const walked = await walkWhile(api, cursor, () => limit);
      await inCase(`the last ${users.length} users by ${limit}`, () => {
        expectOnceEach(walked, users);
        expectSameUsers(walked, users, "the end of the list");
      });
    }
  }),
  check("user.list/walk#while-created", { effect: "write", alone: true }, async (api) => {
    // The end before the change; other clients may create users at any time. It is read twice, so that a cache stores it.
    const end = await endOfList(api);
    const { cursor, users } = await placeBefore(end, api, 2);
    // In parallel: users of the same millisecond differ only in the other bits of their ids.
    const created = await Promise.all([1, 2, 3].map(() => create(api)));
    expectOnceEach(await walkUsers(api, end.cursor === undefined ? {} : { from: end.cursor }), created);
    const more: ListedUser[] = [];
    const walked = await walkWhile(
      api,
      cursor,
      (page) => (page <= FEW_PAGES ? 1 : MOST),
      async (page) => {
        if (page === 1 || page === 3) more.push(await create(api));
      },
    );
    // Including the users created meanwhile, at the end of the list, before the walk reached it.
    expectOnceEach(walked, [...users, ...created, ...more]);
  }),
];

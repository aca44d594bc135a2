import type { Api } from "../../client/api.ts";
import { expectSuccess, fail } from "../../client/expect.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import { type ListedUser, pageOfUsers, walkUsers } from "../users.ts";
import { beginning, type End, endOfList, expectSameUsers, inputOf, listCheck } from "./pages.ts";

/** Pages of a walk that must come to its end, and of one that need not. */
const MAX_PAGES = 40;
const FEW_PAGES = 12;

async function create(api: Api): Promise<ListedUser> {
  return expectSuccess(await api.createUser(), "user.create");
}

/** The place so many users before the end of the list, and what follows it. */
async function placeBefore({ cursor, users }: End, api: Api, wanted: number): Promise<End> {
  const before = Math.max(0, users.length - wanted);
  if (before === 0) return { cursor, users };
  const { nextCursor } = await pageOfUsers(api, inputOf(cursor, before));
  return { cursor: nextCursor, users: users.slice(before) };
}

function expectOnceEach(walked: readonly ListedUser[], present: readonly ListedUser[]): void {
  const times = new Map<string, number>();
  for (const { id } of walked) times.set(id, (times.get(id) ?? 0) + 1);
  for (const { id } of present) {
    const count = times.get(id) ?? 0;
    if (count !== 1)
      fail("state", `every user of the start exactly once`, `${id} ${count === 0 ? "never" : `${count} times`}`);
  }
  for (const [id, count] of times) if (count > 1) fail("state", "no user twice", `${id} ${count} times`);
}

/** Walks to the end, a page of `limit` at a time, and does something after each of the first pages. */
async function walkWhile(api: Api, from: string | undefined, limit: number, between: (page: number) => Promise<void>) {
  const users: ListedUser[] = [];
  let cursor = from;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, nextCursor } = await pageOfUsers(api, inputOf(cursor, limit));
    users.push(...items);
    if (nextCursor === undefined) return users;
    cursor = nextCursor;
    await between(page);
  }
  return fail("body", `an end within ${MAX_PAGES} pages`, "always another page");
}

/** A walk over the whole list (D26). */
export const walks = [
  ...listCheck("user.list/walk#any-limit", async (api) => {
    const { items } = await beginning(api);
    for (const limit of [1, 2, 7, 50, 199]) {
      const walked = await walkUsers(api, { limit, maxPages: FEW_PAGES });
      await inCase(`a walk by ${limit}`, async () => {
        const both = Math.min(walked.length, items.length);
        expectSameUsers(walked.slice(0, both), items.slice(0, both), "the users of a walk by 200");
        if (walked.length < items.length && walked.length < limit * FEW_PAGES) {
          fail("body", `all ${items.length} users`, `${walked.length}`);
        }
      });
    }
  }),
  check("user.list/walk#while-created", { effect: "write", alone: true }, async (api) => {
    // So that a cache has it.
    await endOfList(api);
    // At once: users of the same millisecond are told apart by more than their time.
    const created = await Promise.all([1, 2, 3].map(() => create(api)));
    const end = await endOfList(api);
    const { cursor, users } = await placeBefore(end, api, 5);
    expectOnceEach(users, created);
    const more: ListedUser[] = [];
    const walked = await walkWhile(api, cursor, 1, async (page) => {
      if (page === 1 || page === 3) more.push(await create(api));
    });
    expectOnceEach(walked, users);
    // They were created at the end, before the walk had come there.
    expectOnceEach(walked, more);
  }),
  ...listCheck("user.list/walk#from-the-end", async (api) => {
    const end = await endOfList(api);
    const { cursor, users } = await placeBefore(end, api, 6);
    for (const limit of [1, 2, 4, 5, 6]) {
      const walked = await walkWhile(api, cursor, limit, async () => {});
      await inCase(`the last ${users.length} users by ${limit}`, async () => {
        expectOnceEach(walked, users);
        expectSameUsers(walked, users, "the end of the list");
      });
    }
  }),
];

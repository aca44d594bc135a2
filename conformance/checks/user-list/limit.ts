import { counted } from "../../client/counted.ts";
import { fail } from "../../client/expect.ts";
import { check } from "../check.ts";
import { inCase, toJudge } from "../probe.ts";
import { beginning, DEFAULT, ensureUsers, expectCursor, expectSameUsers, inputOf, listCheck, MOST } from "./pages.ts";
import { type Page, pageOfUsers, readPage, walkUsers } from "./users.ts";

/** Only the last page is shorter than `limit`. */
function expectLength({ items, nextCursor }: Page, limit: number): void {
  const fits = nextCursor === undefined ? items.length <= limit : items.length === limit;
  const wanted =
    nextCursor === undefined
      ? `at most ${counted(limit, "item")} on the last page`
      : `${counted(limit, "item")}, as more follow`;
  if (!fits) fail("body:/items", wanted, counted(items.length, "item"));
}

/** The length of a page (D26). */
export const limits = [
  listCheck("user.list/limit-default#at-most-50", async (api) => {
    const page = await pageOfUsers(api);
    expectLength(page, DEFAULT);
    const asked = await pageOfUsers(api, { limit: DEFAULT });
    expectLength(asked, DEFAULT);
    expectSameUsers(page.items, asked.items, `without limit the page of limit=${DEFAULT}`);
    const wanted = Math.min((await beginning(api)).items.length, DEFAULT);
    if (page.items.length !== wanted) fail("body:/items", counted(wanted, "user"), `${page.items.length}`);
  }),
  // A page is full only if there are more users than it holds. Users cannot be deleted: other checks create theirs first.
  check("user.list/limit-default#more-than-a-page", { effect: "write", last: true }, async (api) => {
    await ensureUsers(api, DEFAULT + 1);
    const page = await pageOfUsers(api);
    expectLength(page, DEFAULT);
    expectCursor(page, true, `more than ${DEFAULT} users are there`);
  }),
  check("user.list/limit#more-than-default", { effect: "write", last: true }, async (api) => {
    const walk = () => walkUsers(api, { limit: DEFAULT, maxPages: 5 });
    await ensureUsers(api, DEFAULT + 1, async () => (await walk()).length);
    const users = await walk();
    for (const limit of [DEFAULT + 1, 100, MOST - 1, MOST]) {
      const { items } = await pageOfUsers(api, { limit });
      const wanted = users.slice(0, limit);
      await inCase(`limit=${limit}`, () =>
        expectSameUsers(items.slice(0, wanted.length), wanted, "as many items as there are"),
      );
    }
  }),
  listCheck("user.list/limit#pages", async (api) => {
    const { items } = await beginning(api);
    const some = [1, 2, 3, items.length - 1, items.length, items.length + 1, 199, MOST];
    for (const limit of new Set(some.filter((limit) => limit >= 1 && limit <= MOST)))
      await inCase(`limit=${limit}`, async () => {
        const page = await pageOfUsers(api, { limit });
        expectLength(page, limit);
        expectSameUsers(page.items, items.slice(0, limit), `the first ${limit} items`);
      });
    for (const rawQuery of ["@=user.list&%6Cimit=1", "limi%74=%31&%40=user.list"]) {
      const page = readPage(await api.call("user.list", { rawQuery }));
      await inCase(rawQuery, () => expectLength(page, 1));
    }
    toJudge(items.slice(1), "second user");
    const first = await pageOfUsers(api, { limit: 1 });
    expectCursor(first, true, `there are ${items.length} users`);
    for (const limit of [1, 2, MOST - 1])
      await inCase(`limit=${limit} on the second page`, async () => {
        const page = await pageOfUsers(api, inputOf(first.nextCursor, limit));
        expectLength(page, limit);
        expectSameUsers(page.items, items.slice(1, 1 + limit), `the next ${limit} items`);
      });
  }),
];

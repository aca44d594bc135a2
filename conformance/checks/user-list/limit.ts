import { expectProblem, expectStatus, fail } from "../../client/expect.ts";
import { check } from "../check.ts";
import { inCase, toJudge } from "../probe.ts";
import { beginning, DEFAULT, ensureUsers, expectCursor, expectSameUsers, inputOf, listCheck, MOST } from "./pages.ts";
import { type Page, pageOfUsers, readPage, walkUsers } from "./users.ts";

/** A page that is shorter than asked for is the last. */
function expectLength({ items, nextCursor }: Page, limit: number): void {
  const fits = nextCursor === undefined ? items.length <= limit : items.length === limit;
  const wanted =
    nextCursor === undefined ? `at most ${limit} items on the last page` : `${limit} items, as more follow`;
  if (!fits) fail("body:/items", wanted, `${items.length} items`);
}

/** Integers from 1 to 200 in the one spelling that there is (D8), and what is none; each as it stands in the query. */
const RIGHT = "1 9 10 99 100 199 200 %31 1%30".split(" ");
const WRONG = [
  ..."0 201 202 1000 -1 -0 1.5 1.0 1. .5 1e0 1e2 0x10 0b1 0o7 %2B5 %205 5%20 +5 5+ 5%0A 5%00 abc 5abc".split(" "),
  ..."05 00 001 2147483648 4294967297 9007199254740991 9007199254740993 18446744073709551617".split(" "),
  ..."99999999999999999999999999999999999999 NaN Infinity null undefined true 1,2 1_0 1;2 %5B5%5D".split(" "),
  ...["%EF%BC%95", "%D9%A5", "5%25", "ten", ""],
];

/** How long a page is (D26). */
export const limits = [
  listCheck("user.list/limit-default#at-most-50", async (api) => {
    const page = await pageOfUsers(api);
    expectLength(page, DEFAULT);
    const asked = await pageOfUsers(api, { limit: DEFAULT });
    expectSameUsers(page.items, asked.items, `without limit the page of limit=${DEFAULT}`);
    const wanted = Math.min((await beginning(api)).items.length, DEFAULT);
    if (page.items.length !== wanted) fail("body:/items", `${wanted} users`, `${page.items.length}`);
  }),
  // A page is full only where there are more users than it holds. Nothing can be deleted: the others' users come first.
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
  check("user.list/limit-range#spellings", {}, async (api) => {
    const call = (limit: string) => api.call("user.list", { rawQuery: `@=user.list&limit${limit}` });
    for (const limit of RIGHT) {
      const reply = await call(`=${limit}`);
      await inCase(`limit=${limit}`, () => expectStatus(reply, 200));
    }
    for (const limit of [...WRONG.map((text) => `=${text}`), ""]) {
      const reply = await call(limit);
      await inCase(`limit${limit}`, () => expectProblem(reply, 422, "invalid-input"));
    }
  }),
  check("user.list/limit-range#with-cursor", { effect: "write", alone: true }, async (api) => {
    await ensureUsers(api);
    const first = await pageOfUsers(api, { limit: 1 });
    expectCursor(first, true, "more users are there");
    for (const limit of [1, MOST]) await pageOfUsers(api, inputOf(first.nextCursor, limit));
    for (const limit of ["0", "201", "", "abc", "-1"]) {
      const reply = await api.call("user.list", { input: { limit, cursor: first.nextCursor } });
      await inCase(`limit=${limit} with a cursor`, () => expectProblem(reply, 422, "invalid-input"));
    }
  }),
];

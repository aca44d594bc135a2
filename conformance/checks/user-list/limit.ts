import { expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import { Stopped } from "../../client/expectation.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import { pageOfUsers, walkUsers } from "../users.ts";
import { beginning, ensureUsers, expectSameUsers, inputOf, listCheck, MOST, type Page } from "./pages.ts";

/** D26 gives these; a page that is shorter than asked for is the last. */
const DEFAULT = 50;

function expectLength({ items, nextCursor }: Page, limit: number): void {
  const fits = nextCursor === undefined ? items.length <= limit : items.length === limit;
  const wanted =
    nextCursor === undefined ? `at most ${limit} items on the last page` : `${limit} items, since more follow`;
  if (!fits) fail("body", wanted, `${items.length} items`);
}

/** No integers from 1 to 200 in the one spelling there is (D8), each as it stands in the query. */
const wrongLimits = [
  "0",
  "201",
  "202",
  "1000",
  "-1",
  "-0",
  "1.5",
  "1.0",
  "1.",
  ".5",
  "1e0",
  "1e2",
  "0x10",
  "0b1",
  "0o7",
  "%2B5",
  "%205",
  "5%20",
  "+5",
  "5+",
  "5%0A",
  "5%00",
  "",
  "abc",
  "5abc",
  "05",
  "00",
  "001",
  "2147483648",
  "4294967297",
  "9007199254740991",
  "9007199254740993",
  "18446744073709551617",
  "99999999999999999999999999999999999999",
  "NaN",
  "Infinity",
  "null",
  "undefined",
  "true",
  "1,2",
  "1_0",
  "1;2",
  "%5B5%5D",
  "%EF%BC%95",
  "%D9%A5",
  "5%25",
  "ten",
];

/** How long a page is (D26). */
export const limits = [
  ...listCheck("user.list/limit-default#at-most-50", async (api) => {
    const page = await pageOfUsers(api);
    expectLength(page, DEFAULT);
    const asked = await pageOfUsers(api, { limit: DEFAULT });
    expectSameUsers(page.items, asked.items, `without limit the page of limit=${DEFAULT}`);
    const all = (await beginning(api)).items.length;
    if (page.items.length !== Math.min(all, DEFAULT))
      fail("body", `${Math.min(all, DEFAULT)} of ${all} users`, `${page.items.length}`);
  }),
  // A page is full only where there are more users than it holds. Nothing can be deleted: the others' users come first.
  check("user.list/limit-default#more-than-a-page", { effect: "write", last: true }, async (api) => {
    await ensureUsers(api, DEFAULT + 1);
    const page = await pageOfUsers(api);
    expectLength(page, DEFAULT);
    if (page.nextCursor === undefined) fail("body", `nextCursor, since more than ${DEFAULT} items are there`, "none");
  }),
  check("user.list/limit#more-than-default", { effect: "write", last: true }, async (api) => {
    const walk = () => walkUsers(api, { limit: DEFAULT, maxPages: 5 });
    await ensureUsers(api, DEFAULT + 1, async () => (await walk()).length);
    const users = await walk();
    for (const limit of [DEFAULT + 1, 100, MOST - 1, MOST]) {
      const { items } = await pageOfUsers(api, { limit });
      const wanted = users.slice(0, limit);
      await inCase(`limit=${limit}`, async () =>
        expectSameUsers(items.slice(0, wanted.length), wanted, "as many items as there are"),
      );
    }
  }),
  ...listCheck("user.list/limit#first-page", async (api) => {
    const { items } = await beginning(api);
    const some = [1, 2, 3, items.length - 1, items.length, items.length + 1, 199, MOST];
    for (const limit of new Set(some.filter((limit) => limit >= 1 && limit <= MOST))) {
      await inCase(`limit=${limit}`, async () => {
        const page = await pageOfUsers(api, { limit });
        expectLength(page, limit);
        expectSameUsers(page.items, items.slice(0, limit), `the first ${limit} items`);
      });
    }
    for (const rawQuery of ["@=user.list&%6Cimit=1", "limi%74=%31&%40=user.list"]) {
      const page = expectSuccess(await api.call("user.list", { rawQuery }), "user.list");
      await inCase(rawQuery, async () => expectLength(page, 1));
    }
  }),
  ...listCheck("user.list/limit#later-pages", async (api) => {
    const { items } = await beginning(api);
    const { nextCursor } = await pageOfUsers(api, { limit: 1 });
    if (nextCursor === undefined && items.length > 1)
      fail("body", `a second page of ${items.length} items by 1`, "none");
    if (nextCursor === undefined) throw new Stopped("there is no second page to judge");
    for (const limit of [1, 2, MOST - 1]) {
      await inCase(`limit=${limit} on the second page`, async () => {
        const page = await pageOfUsers(api, inputOf(nextCursor, limit));
        expectLength(page, limit);
        expectSameUsers(page.items, items.slice(1, 1 + limit), `the next ${limit} items`);
      });
    }
  }),
  check("user.list/limit-range#spellings", {}, async (api) => {
    for (const limit of ["1", "9", "10", "99", "100", "199", "200", "%31", "1%30"]) {
      await inCase(`limit=${limit}`, async () =>
        expectSuccess(await api.call("user.list", { rawQuery: `@=user.list&limit=${limit}` }), "user.list"),
      );
    }
    for (const limit of [...wrongLimits.map((text) => `=${text}`), ""]) {
      await inCase(`limit${limit}`, async () =>
        expectProblem(
          await api.call("user.list", { rawQuery: `@=user.list&limit${limit}` }),
          422,
          "invalid-input",
          "user.list",
        ),
      );
    }
  }),
  check("user.list/limit-range#with-cursor", { effect: "write", alone: true }, async (api) => {
    await ensureUsers(api);
    const { nextCursor } = await pageOfUsers(api, { limit: 1 });
    if (nextCursor === undefined) fail("body", "a second page", "none");
    for (const limit of [1, MOST]) await pageOfUsers(api, { limit, cursor: nextCursor });
    for (const limit of ["0", "201", "", "abc", "-1"]) {
      const reply = await api.call("user.list", { input: { limit, cursor: nextCursor } });
      await inCase(`limit=${limit} with a cursor`, async () => expectProblem(reply, 422, "invalid-input", "user.list"));
    }
  }),
];

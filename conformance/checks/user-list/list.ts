import { expectSuccess, fail } from "../../client/expect.ts";
import { check } from "../check.ts";
import { inCase, toJudge } from "../probe.ts";
import { findUser, pageOfUsers, walkUsers } from "../users.ts";
import { beginning, endOfList, expectSameUsers, ids, listCheck, MOST } from "./pages.ts";

/** What a page is (D26). */
export const list = [
  ...listCheck("user.list/page#documented", async (api) => {
    await endOfList(api);
    for (const input of [{}, { limit: 1 }, { limit: 2 }, { limit: MOST }]) {
      const { nextCursor } = await inCase(JSON.stringify(input), () => pageOfUsers(api, input));
      if (nextCursor !== undefined)
        await inCase("the second page", () => pageOfUsers(api, { ...input, cursor: nextCursor }));
    }
  }),
  check("user.list/page#created", { effect: "write" }, async (api) => {
    const email = api.email();
    if (await findUser(api, email)) fail("state", "nobody with an address that was never used", email);
    const created = expectSuccess(await api.createUser({ name: "Zo\u00eb \u{1f600} O'Neil", email }), "user.create");
    const listed = await findUser(api, created.email);
    if (!listed) fail("state", "the created user in the list", `no ${created.email}`);
    expectSameUsers([listed], [created], "the user as it was created");
    if (listed.name !== created.name) fail("state", `the name ${created.name}`, listed.name);
  }),
  ...listCheck("user.list/order#ascending", async (api) => {
    const walks = [
      ["the first page", async () => (await beginning(api)).items],
      ["pages of two", () => walkUsers(api, { limit: 2, maxPages: 10 })],
      ["pages of one", () => walkUsers(api, { limit: 1, maxPages: 5 })],
      ["the last page", async () => (await endOfList(api)).users],
    ] as const;
    for (const [what, walk] of walks) {
      const users = await walk();
      toJudge(users.slice(1), "second user");
      users.forEach(({ id }, index) => {
        const before = users[index - 1]?.id;
        if (before === undefined || before.toLowerCase() < id.toLowerCase()) return;
        fail("body", `ids that ascend, in ${what}`, before === id ? `${id} twice` : `${before} before ${id}`);
      });
    }
  }),
  check("user.list/order#not-of-names", { effect: "write", alone: true }, async (api) => {
    // In the order of creation, and in no other: the second one has the name and the address that come first.
    const [earlier, later] = [api.email(), api.email()];
    const first = expectSuccess(await api.createUser({ name: "Zoe Zimmer", email: later }), "user.create");
    const second = expectSuccess(await api.createUser({ name: "Abe Adams", email: earlier }), "user.create");
    const end = await endOfList(api);
    const listed = ids(end.users).filter((id) => id === first.id || id === second.id);
    const ascending = [first.id, second.id].sort();
    if (listed.join() !== ascending.join())
      fail("body", `the ids ${ascending.join(" and ")} in this order`, listed.join(" and "));
  }),
  ...listCheck("user.list/read-only#again", async (api) => {
    for (const input of [{}, { limit: 1 }, { limit: MOST }]) {
      const first = await pageOfUsers(api, input);
      const second = await pageOfUsers(api, input);
      await inCase(JSON.stringify(input), async () => {
        expectSameUsers(second.items, first.items, "the same page again");
        if ((first.nextCursor === undefined) !== (second.nextCursor === undefined)) {
          fail("body", "the same end of the page again", "nextCursor only in one");
        }
      });
    }
  }),
  ...listCheck("user.list/read-only#placements", async (api) => {
    const { key, platform } = api;
    const first = await pageOfUsers(api, { limit: MOST });
    for (const credentials of [
      { key: { query: key }, platform: { query: platform } },
      { key: { header: key }, platform: { query: platform } },
      { key: { query: key }, platform: { header: platform } },
    ]) {
      const reply = await api.call("user.list", { credentials, input: { limit: MOST } });
      expectSameUsers(expectSuccess(reply, "user.list").items, first.items, "the same page whatever the placement");
    }
  }),
  ...listCheck("user.list/read-only#refused", async (api) => {
    // A GET with a body, or with a member of user.create, does not create.
    const before = await endOfList(api);
    const user = { name: "Nobody", email: api.email() };
    await api.call("user.list", { body: { "@": "user.create", data: user } });
    await api.call("user.list", { query: Object.entries(user) });
    const after = await endOfList(api);
    expectSameUsers(after.users, before.users, "the list as it was");
    if (ids(after.users).length !== new Set(ids(after.users)).size) fail("body", "every user once", "one twice");
  }),
];

import { describe, expect, it } from "vitest";
import { operations } from "../../../generated/operations.ts";
import { Expectation } from "../../client/expectation.ts";
import { serve } from "../../test/server.test-kit.ts";
import { apiFor } from "../../test/session.test-kit.ts";
import { expectUnchanged, stateOf } from "../state.ts";
import { expectSameUsers } from "./pages.ts";
import { findUser, pageOfUsers, walkUsers } from "./users.ts";

/** A target whose list has these pages, by cursor; the first page has the empty cursor. */
async function listing(pages: Readonly<Record<string, { users: number; next?: string }>>) {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    const { searchParams } = new URL(request.url, "http://localhost");
    const cursor = searchParams.get("cursor") ?? "";
    asked.push(`${searchParams.get("limit")} ${cursor}`.trim());
    const { users, next } = pages[cursor] ?? { users: 0 };
    const items = Array.from({ length: users }, (_, index) => ({
      id: `0197${index.toString(16).padStart(4, "0")}-0000-7000-8000-000000000000`,
      name: "A",
      email: `${cursor}${index}@example.com`,
      createdAt: "2026-01-01T00:00:00.000Z",
    }));
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
    response.end(JSON.stringify({ items, ...(next === undefined ? {} : { nextCursor: next }) }));
  });
  return { api: apiFor(url), asked };
}

describe("a walk", () => {
  it("goes from page to page to the end, or as far as asked", async () => {
    const { api, asked } = await listing({ "": { users: 2, next: "b" }, b: { users: 1 } });
    expect((await walkUsers(api)).map(({ email }) => email)).toEqual([
      "0@example.com",
      "1@example.com",
      "b0@example.com",
    ]);
    expect(await walkUsers(api, { from: "b", limit: 7 })).toHaveLength(1);
    expect(await walkUsers(api, { maxPages: 1 })).toHaveLength(2);
    expect((await pageOfUsers(api)).nextCursor).toBe("b");
    expect(await findUser(api, "B0@Example.com")).toMatchObject({ email: "b0@example.com" });
    expect(await findUser(api, "nobody@example.com")).toBeNull();
    expect(asked).toEqual(["200", "200 b", "7 b", "200", "null", "200", "200 b", "200", "200 b"]);
  });

  it.each([
    ["a page that was there", { "": { users: 1, next: "b" }, b: { users: 2, next: "b" } }],
    ["nobody", { "": { users: 1, next: "b" }, b: { users: 2, next: "c" }, c: { users: 0, next: "d" } }],
  ])("ends where a cursor leads to %s", async (_, pages) => {
    const { api, asked } = await listing(pages);
    expect(await walkUsers(api)).toHaveLength(3);
    expect(asked).toHaveLength(3);
  });
});

it("two lists that differ: the finding shows the first user that does, where it does, and the page that it was read from", async () => {
  const { api } = await listing({ "": { users: 2, next: "b" }, b: { users: 2, next: "c" }, c: { users: 1 } });
  const users = await walkUsers(api);
  const found = (expected: typeof users) => {
    try {
      expectSameUsers(users, expected, "the list again");
    } catch (error) {
      if (error instanceof Expectation) return error;
    }
    throw new Error("no finding");
  };
  const late = found(users.map((user, index) => (index === 2 ? { ...user, createdAt: "2027" } : user)));
  expect(late.expected).toMatch(/^the list again: 5 users, at 2 .*2027/);
  expect(late.actual).toMatch(/^5 users, at 2 .*2026-01-01T00:00:00/);
  expect(late.exchange?.request.url).toContain("cursor=b");
  expect(found(users.slice(0, 1))).toMatchObject({
    expected: "the list again: 1 user, none at 1",
    actual: expect.stringMatching(/^5 users, at 1 /),
  });
  expectSameUsers(users, users, "the list again");
});

describe("a walk of a long list", () => {
  it("begins near the end the second time, and meets all that is new", async () => {
    const pages = Array.from({ length: 60 }, (_, page) => [
      page === 0 ? "" : `p${page}`,
      { users: 1, ...(page < 59 && { next: `p${page + 1}` }) },
    ]);
    const { api, asked } = await listing(Object.fromEntries(pages));
    expect(await walkUsers(api)).toHaveLength(60);
    expect((await walkUsers(api)).at(-1)?.email).toBe("p590@example.com");
    expect(asked.slice(60)).toEqual(["200 p57", "200 p58", "200 p59"]);
    // Pages of another size have other cursors.
    expect(await walkUsers(api, { limit: 100 })).toHaveLength(60);
  });
});

describe("the state before and after", () => {
  /** A target with one user. The test changes `users` as a rejected command would that was carried out nevertheless. */
  async function holding() {
    const users = [{ id: "0197aaaa-0000-7000-8000-000000000000", name: "Ada", email: "ada@example.com" }];
    const url = await serve((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
      const items = users.map((user) => ({ ...user, createdAt: "2026-01-01T00:00:00.000Z" }));
      response.end(JSON.stringify({ items }));
    });
    return { api: apiFor(url), users };
  }
  const rename = {
    ...operations["user.create"],
    exampleFrom: { id: [{ operation: "user.create", pointer: "/id" }] },
  };
  const aimed = { id: "0197aaaa-0000-7000-8000-000000000000", name: "Grace" };

  it("is that of the record which a command is aimed at", async () => {
    const { api, users } = await holding();
    const before = await stateOf(api, rename, aimed);
    expect(before.records).toEqual([expect.stringContaining('"name":"Ada"')]);
    users.push({ id: "0197aaaa-0000-7000-8000-000000000001", name: "Bob", email: "bob@example.com" });
    await expectUnchanged(api, before);
    users.splice(0, 1, { id: aimed.id, name: "Grace", email: "ada@example.com" });
    await expect(expectUnchanged(api, before)).rejects.toThrow("Grace");
    users.splice(0, 1);
    await expect(expectUnchanged(api, before)).rejects.toMatchObject({ aspect: "state", actual: "nothing" });
  });

  it("has no record yet with the addresses that are sent, wherever in a body they stand", async () => {
    const { api, users } = await holding();
    const email = api.email();
    const before = await stateOf(api, operations["user.create"], {}, [{ body: JSON.stringify({ data: { email } }) }]);
    expect(before).toMatchObject({ addresses: [email], records: [] });
    await expectUnchanged(api, before);
    users.push({ id: aimed.id, name: "Eve", email: email.toUpperCase() });
    await expect(expectUnchanged(api, before)).rejects.toThrow("a refused call that creates nothing");
  });
});

import { describe, expect, it } from "vitest";
import { contract } from "../../generated/contract.ts";
import { operationById } from "../client/operation.ts";
import { serve } from "../test/server.test-kit.ts";
import { apiFor } from "../test/session.test-kit.ts";
import { endOf, expectListed, expectUnchanged, stateOf } from "./state.ts";

const { operations } = contract;

const list = operationById("user.list");

/** A target whose list has these pages, by cursor; the first page has the empty cursor. */
async function listing(pages: Readonly<Record<string, { users: number; next?: string }>>) {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    const cursor = new URL(request.url, "http://localhost").searchParams.get("cursor") ?? "";
    asked.push(cursor);
    const page = pages[cursor];
    const items = Array.from({ length: page?.users ?? 0 }, (_, index) => ({ id: `${cursor}${index}` }));
    response.writeHead(page ? 200 : 400, { "Content-Type": "application/json; charset=utf-8" });
    response.end(JSON.stringify({ items, ...(page?.next && { nextCursor: page.next }) }));
  });
  return { api: apiFor(url), asked };
}

describe("the end of a list", () => {
  it.each([
    ["of one page", { "": { users: 3 } }, { near: undefined, far: undefined }, 1],
    [
      "with enough on the last page",
      { "": { users: 9, next: "b" }, b: { users: 9, next: "c" }, c: { users: 10 } },
      { near: "c", far: "b" },
      3,
    ],
    [
      "with few on the last page",
      { "": { users: 9, next: "b" }, b: { users: 9, next: "c" }, c: { users: 1 } },
      { near: "b", far: undefined },
      3,
    ],
    ["that goes round", { "": { users: 9, next: "b" }, b: { users: 10, next: "b" } }, { near: "b", far: undefined }, 2],
    ["that leads nowhere", { "": { users: 10, next: "b" } }, { near: undefined, far: undefined }, 2],
  ] as const)("is found once: %s", async (_, pages, end, requests) => {
    const { api, asked } = await listing(pages);
    expect(await endOf(api, list)).toEqual(end);
    expect(await endOf(api, list)).toEqual(end);
    expect(asked).toHaveLength(requests);
  });
});

describe("the state before and after", () => {
  /** A target with one user. The test changes `users` as a rejected command would that was carried out nevertheless. */
  async function holding() {
    const users = [{ id: "0197aaaa-0000-7000-8000-000000000000", name: "Ada", email: "ada@example.com" }];
    const url = await serve((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
      response.end(JSON.stringify({ items: users }));
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

  it("has each created record as its response shows it", async () => {
    const { api, users } = await holding();
    const created = async (change: object) => {
      const [user] = users.splice(0, 1, { ...Object(users[0]), ...change });
      const reply = await api.call("user.list");
      return { ...reply, json: () => user } as typeof reply;
    };
    const command = operationById("user.create");
    await expectListed(api, command, [await created({})]);
    await expect(created({ name: "Eve" }).then((reply) => expectListed(api, command, [reply]))).rejects.toThrow("Eve");
    await expect(created({ id: "b" }).then((reply) => expectListed(api, command, [reply]))).rejects.toThrow("no such");
  });
});

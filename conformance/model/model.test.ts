import { describe, expect, it } from "vitest";
import { exchanged, get, type Sent, worldOf } from "../laws/exchange.test-kit.ts";
import type { Schema } from "../oracle/contract.ts";
import type { Request } from "../oracle/world.ts";
import { packaged } from "../packaged.ts";
import { learn, momentsOf } from "./learn.ts";
import { linksOf } from "./links.ts";
import { orderOf } from "./order.ts";
import { PagedList } from "./paged-list.ts";
import { stateDifference } from "./pages.ts";
import { Unchanged } from "./unchanged.ts";

const OWN: Request["fields"] = [...get("").fields, ["X-API-KEY", "k"], ["X-PLATFORM", "web"]];
const listing = (query = ""): Request => ({ ...get(`/api/?@=user.list${query}`), fields: OWN });
const creating = (data: object, key = "one"): Request => ({
  ...get("/api/", "POST"),
  fields: [...OWN, ["Content-Type", "application/json"], ["Idempotency-Key", key]],
  body: JSON.stringify({ "@": "user.create", data }),
});
const ada = { name: "Ada", email: "Ada@example.com" };
const id = (n: number) => `01900000-0000-7000-8000-00000000000${n}`;
const user = (n: number, email = `${n}@example.com`) => ({
  ...{ id: id(n), name: "Ada", email, createdAt: "2026-01-31T12:00:00Z" },
});
const linked = (target: string) => [["Link", `<${target}>; rel="next"`]] as const;
const link = linked("?@=user.list&limit=1&cursor=c");

/** A world that has learned from these exchanges. */
function known(...exchanges: readonly (readonly [Request, Sent])[]) {
  const world = worldOf(packaged.oracle);
  for (const [request, sent] of exchanges) learn(world, exchanged(world, request, sent));
  return world;
}
const CREATED = [creating(ada), { status: 201, json: user(1, ada.email) }] as const;

describe("a world", () => {
  it("predicts a replay, another use of its key, and a conflict", () => {
    const world = known(CREATED);
    const predicted = (...of: Parameters<typeof creating>) =>
      packaged.oracle.predict(creating(...of), world);
    expect(predicted({ email: ada.email, name: "Ada" }).replayed?.body).toEqual(user(1, ada.email));
    expect(predicted({ ...ada, name: "Eve" }).code).toBe("idempotency-key-reused");
    expect(predicted({ ...ada, email: "ada@EXAMPLE.com" }, "two").code).toBe("email-taken");
  });

  it("knows cursors and names, tags, and the files that a page loads", () => {
    const page = { fields: link, json: { items: [user(1)], nextCursor: "c" } };
    const items = [{ operation: "docs.get.README" }, { operation: "docs.get.more" }];
    const world = known(
      [listing("&limit=1"), page],
      [get("/api/?@=docs.list"), { json: { items } }],
    );
    expect(packaged.oracle.predict(listing("&cursor=c"), world).code).toBeNull();
    expect(packaged.oracle.predict(listing("&cursor=d"), world).code).toBe("invalid-cursor");
    expect(packaged.oracle.predict(get("/api/?@=docs.get.more"), world).code).toBeNull();
    expect(packaged.oracle.predict(get("/api/?@=docs.get.none"), world).code).toBe(
      "document-not-found",
    );
    world.files.add("/reference");
    const fields = [
      ["Content-Type", "text/html"],
      ["ETag", 'W/"t"'],
    ] as const;
    const html = '<script src="reference/a.js"></script><img src="//elsewhere.example/b.png">';
    learn(world, exchanged(world, get("/reference"), { fields, body: html }));
    expect([...world.files]).toEqual(["/reference", "/reference/a.js"]);
    const again = {
      ...get("/reference"),
      fields: [...get("").fields, ["If-None-Match", '"t"'] as const],
    };
    expect(packaged.oracle.predict(again, world).status).toBe(304);
  });
});

describe("a page", () => {
  const page = (items: readonly object[], nextCursor?: string, fields: Sent["fields"] = []) => ({
    ...{ fields, json: nextCursor === undefined ? { items } : { items, nextCursor } },
  });
  const pageOf = (target: string) => page([user(1)], "c", linked(target));
  const one = listing("&limit=1");
  const LINK = "user.list/link header:link";
  const NEXT = "user.list/next body:/nextCursor";
  const MANY = "user.create/one-of-many body:/items";

  it.each<[string | null, string, Request, Sent, ...(readonly [Request, Sent])[]]>([
    [null, "it is right", one, page([user(1)], "c", link)],
    [
      null,
      "its link has the deployment's address",
      one,
      pageOf("http://h/api/?@=user.list&limit=1&cursor=c"),
    ],
    [LINK, "it has no link", one, page([user(1)], "c")],
    [LINK, "its link is to another host", one, pageOf("//a.example/api/?cursor=c")],
    [LINK, "its link has credentials", one, pageOf("?@=user.list&limit=1&X-API-KEY=k&cursor=c")],
    [LINK, "its link is to another page", one, pageOf("?@=user.list&limit=1&cursor=d")],
    [LINK, "its link has another limit", one, pageOf("?@=user.list&limit=2&cursor=c")],
    [
      "user.list/order body:/items/*/id",
      "it has another order",
      listing(),
      page([user(2), user(1)]),
    ],
    ["user.list/limit body:/items", "it is too long", one, page([user(1), user(2)])],
    [
      "user.create/listed body:/items",
      "what was created is not there",
      listing(),
      page([]),
      CREATED,
    ],
    [MANY, "an address is there twice", listing(), page([user(1), user(2, "1@example.com")])],
    [
      NEXT,
      "what follows has no cursor",
      one,
      page([user(1)]),
      [listing(), page([user(1), user(2)])],
    ],
  ])("differs by %s where %s", (expected, _, request, sent, ...before) => {
    const world = known(...before);
    const exchange = exchanged(world, request, sent);
    const difference = stateDifference(world, new Unchanged("run"), exchange, momentsOf(world));
    expect(difference && `${difference.requirement} ${difference.aspect}`).toBe(expected);
  });

  it("has links that are read in linear time", () => {
    const all = `${"<".repeat(60_000)}a>; rel=prev, <b>; x="1"; rel="first next", <c>; rel=next`;
    expect(linksOf([["Link", all]])).toEqual(["b", "c"]);
  });
});

const ALL = { after: null, limit: 9, isLimited: false, nextCursor: undefined };
const [first, renamed, eve, bob] = ["Ada", "Grace", "Eve", "Bob"].map((name) => ({
  id: name === "Bob" ? "b" : "a",
  name,
}));

const operation = packaged.oracle.contract.operations["user.list"] ?? expect.fail();
const byText = orderOf(operation, { type: "string" });
const behind = (last: string) => ({ last, since: 0, ids: [], before: null });

const same = () => {};
const changed = (list: PagedList) => list.change("a", renamed);
/** Commands do not show what became of them. */
const unknown = (list: PagedList) => {
  for (const id of ["a", "none"]) list.change(id, null);
};

it.each<[string | null, string, (list: PagedList) => void, readonly unknown[], object?]>([
  [null, "items as they were created", same, [first, bob]],
  ["listed", "an item otherwise", same, [renamed, bob]],
  ["listed", "an item less", same, [first]],
  [null, "an item as a command has changed it", changed, [renamed, bob]],
  ["listed", "an item that a command has changed otherwise", changed, [eve, bob]],
  ["listed", "the item less that a command has changed", changed, [bob]],
  ["next", "nothing behind its last item", same, [], { after: behind("b") }],
  [
    null,
    "nothing where a command may have removed the last item",
    (list) => list.change("b", null),
    [],
    { after: behind("b") },
  ],
  [null, "anything of an item of which nothing is known", unknown, [eve, bob]],
  [null, "an item less of which nothing is known", unknown, [bob]],
  ["listed", "another item less", unknown, [renamed]],
])("a list breaks the rule %s when it shows %s", (rule, _, change, items, more) => {
  const list = new PagedList(true, byText);
  for (const item of [first, bob]) list.add(item, true);
  change(list);
  expect(list.differenceOf({ ...ALL, items, ...more }, list.now)?.rule ?? null).toBe(rule);
});

it("may show equal items if these have no id, and in any order", () => {
  const list = new PagedList(false, byText);
  list.add({ name: "Bob" }, true);
  const items = [{ name: "Bob" }, { name: "Bob" }, { name: "Ada" }];
  expect(list.differenceOf({ ...ALL, items }, list.now)).toBeNull();
  expect(
    list.differenceOf({ ...ALL, items: [first, bob], limit: 1, isLimited: true }, list.now)?.rule,
  ).toBe("limit");
});

it.each<[string, Schema, readonly (string | number)[]]>([
  ["integers as numbers", { type: "integer" }, [-10, -9, 0, 2, 9, 10, 12]],
  [
    "integers that are sent as texts",
    { type: "string", format: "int64" },
    ["-9", "9", "10", "9007199254740993"],
  ],
  [
    "large ones too",
    { type: "string", format: "uint64" },
    ["18446744073709551614", "18446744073709551615"],
  ],
  [
    "texts by code points",
    { type: "string" },
    ["", "10", "9", "B", "a", "é", "\uffee", "\u{1f600}", "\u{1f601}"],
  ],
  [
    "UUIDs, which may be in capitals",
    { type: "string", format: "uuid" },
    ["7A", "7a"].map((one) => id(1).replace("70", one)),
  ],
])("a list is in the order of its ids: %s", (_, schema, ids) => {
  const pageOf = (...shown: readonly (string | number)[]) => ({
    ...ALL,
    items: shown.map((one) => ({ id: one })),
  });
  const list = new PagedList(true, orderOf(operation, schema));
  expect(list.differenceOf(pageOf(...ids), 0)).toBeNull();
  for (const one of ids.toReversed()) list.add({ id: one }, false);
  expect(list.following(null, list.now, 99)).toEqual(ids.map(String));
  for (const [at, one] of ids.slice(1).entries())
    expect(list.differenceOf(pageOf(one, ids[at] ?? ""), 0)?.rule).toBe("order");
});

describe("a list without an order", () => {
  const [a, b, c] = ["a", "b", "c"].map((one) => ({ id: one }));
  /** It knows a and b; a walk has shown the first of them with a cursor, and then c was created. */
  const begun = () => {
    const list = new PagedList(
      true,
      orderOf({ ...operation, unordered: true }, { type: "string" }),
    );
    for (const item of [a, b]) list.add(item, false);
    list.learn({ ...ALL, items: [b], nextCursor: "1" }, list.now);
    list.add(c, true);
    return list;
  };
  it.each<
    [
      string | null,
      string,
      readonly unknown[],
      { cursor?: string; nextCursor?: string; limit?: number; isLimited?: boolean }?,
    ]
  >([
    [null, "all in any order", [c, a, b]],
    [null, "the rest of a walk", [a], { cursor: "1" }],
    [null, "the rest, with what was created meanwhile", [c, a], { cursor: "1" }],
    [null, "some, with a cursor to the rest", [c], { nextCursor: "2" }],
    ["walk", "an item twice on a page", [c, c], { nextCursor: "2" }],
    ["walk", "an item of the page before", [b, a], { cursor: "1" }],
    ["walk", "an item less", [], { cursor: "1" }],
    ["listed", "less than was created", [a, b]],
    ["listed", "an item otherwise", [{ ...c, name: "x" }, a, b]],
    ["limit", "more than it may", [a, b, c], { limit: 2, isLimited: true }],
  ])("breaks the rule %s when it shows %s", (rule, _, items, { cursor, ...more } = {}) => {
    const list = begun();
    const page = {
      ...ALL,
      limit: more.nextCursor ? items.length : 9,
      ...more,
      after: list.placeOf(cursor) ?? null,
      items,
    };
    expect(list.differenceOf(page, list.now)?.rule ?? null).toBe(rule);
  });
});

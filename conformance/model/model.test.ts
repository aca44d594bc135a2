import { describe, expect, it } from "vitest";
import { exchanged, get, type Sent, worldOf } from "../laws/exchange.test-kit.ts";
import type { Schema } from "../oracle/contract.ts";
import type { Request } from "../oracle/model-state.ts";
import { orderOf } from "../oracle/order.ts";
import { packaged } from "../packaged.ts";
import { ImmutableFieldTracker } from "./immutable-fields.ts";
import { learn } from "./learn.ts";
import { linksOf } from "./links.ts";
import { PagedList } from "./paged-list.ts";
import { stateDifference } from "./pages.ts";
import { type Change, Records } from "./records.ts";

const id = (n: number) => `01900000-0000-7000-8000-00000000000${n}`;

it("a world knows the files that a page loads, and its tag", () => {
  const model = worldOf(packaged.oracle);
  model.files.add("/reference");
  const fields = Object.entries({ "Content-Type": "text/html", ETag: 'W/"t"' });
  const body = '<script src="reference/a.js"></script><img src="//elsewhere.example/b.png">';
  learn(model, exchanged(model, get("/reference"), { fields, body }));
  expect([...model.files]).toEqual(["/reference", "/reference/a.js"]);
});

describe("a page", () => {
  const credentials = Object.entries({ "X-API-KEY": "k", "X-PLATFORM": "web" });
  const listing = (query = ""): Request => {
    const request = get(`/api/?@=user.list${query}`);
    return { ...request, fields: [...request.fields, ...credentials] };
  };
  const listOfOne = listing("&limit=1");
  const user = (n: number, email = `${n}@example.com`) => ({
    id: id(n),
    name: "Ada",
    email,
    createdAt: "2026-01-31T12:00:00Z",
  });
  const page = (...items: readonly object[]): Sent => ({ json: { items } });
  const linkTo = (target: string): Sent => ({
    fields: [["Link", `<${target}>; rel="next"`]],
    json: { items: [user(1)], nextCursor: "c" },
  });
  const LINK = "user.list/link header:link";

  // What else a page can have wrong, changed responses and broken servers show.
  it.each<[string | null, string, Request, Sent, Sent?]>([
    [null, "its link is relative", listOfOne, linkTo("?@=user.list&limit=1&cursor=c")],
    [null, "its link is whole", listOfOne, linkTo("http://h/api/?@=user.list&limit=1&cursor=c")],
    [LINK, "its link is to another host", listOfOne, linkTo("//a.example/api/?cursor=c")],
    [
      LINK,
      "its link has credentials",
      listOfOne,
      linkTo("?@=user.list&limit=1&X-API-KEY=k&cursor=c"),
    ],
    [LINK, "its link is to another page", listOfOne, linkTo("?@=user.list&limit=1&cursor=d")],
    ["user.list/limit body:/items", "it is too long", listOfOne, page(user(1), user(2))],
    [
      "user.create/one-of-many body:/items",
      "an address is there twice",
      listing(),
      page(user(1), user(2, "1@example.com")),
    ],
    [
      "user.list/next body:/nextCursor",
      "what follows has no cursor",
      listOfOne,
      page(user(1)),
      page(user(1), user(2)),
    ],
  ])("differs by %s where %s", (expected, _, request, sent, before) => {
    const model = worldOf(packaged.oracle);
    if (before) learn(model, exchanged(model, listing(), before));
    const exchange = exchanged(model, request, sent);
    const difference = stateDifference(
      model,
      new ImmutableFieldTracker("run"),
      exchange,
      model.clock.now,
    );
    expect(difference && `${difference.requirement} ${difference.aspect}`).toBe(expected);
  });

  it.each([
    ["state", "run-0017", "run-0017"],
    // A cut mark is not that of another record.
    [null, "run-017", "run-017%"],
  ])("differs by %s where it has %s, and %s was rejected", (expected, email, rejected) => {
    const model = worldOf(packaged.oracle);
    const tracker = new ImmutableFieldTracker("run");
    const body = JSON.stringify({ "@": "user.create", data: { name: "Ada", email: rejected } });
    const request = { method: "POST", target: "/api/", fields: [], body } as const;
    tracker.learn(exchanged(model, request, { status: 422, json: {} }));
    const shown = exchanged(model, listing(), page(user(1, email)));
    const difference = stateDifference(model, tracker, shown, model.clock.now);
    expect(difference?.aspect ?? null).toBe(expected);
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

const { contract } = packaged.oracle;
const operation = contract.operations["user.list"] ?? expect.fail();
const orderBy = (id: Schema) =>
  orderOf(contract, operation, { type: "object", properties: { id } });
const byText = orderBy({ type: "string" });
const behind = (last: object) => ({ last, since: 0, ids: [], before: null });
const clock = { now: 0 };
const listOf = (order: ReturnType<typeof orderOf>, hasIds = true) =>
  new PagedList({
    records: new Records(clock, { key: "id", volatile: [], free: [], areOpen: false }),
    hasIds,
    isOpen: false,
    order,
    filter: null,
    isFiltered: false,
    mayShrink: true,
  });

const same = () => {};
const by = (apply: Change["apply"]): Change => ({ apply, event: "updated", since: clock.now });
const changed = ({ records }: PagedList) =>
  records.change(
    "a",
    by((state) => [state, renamed ?? null, null]),
  );
const begun = ({ records }: PagedList) => records.underWay("a", 1);
const rejected = ({ records }: PagedList) => {
  for (const count of [1, -1] as const) records.underWay("a", count);
};
/** Commands do not show what became of them. */
const unknown = ({ records }: PagedList) => {
  for (const id of ["a", "none"]) records.change(id, by(null));
};

it.each<[string | null, string, (list: PagedList) => void, readonly unknown[], object?]>([
  [null, "items as they were created", same, [first, bob]],
  ["listed", "an item otherwise", same, [renamed, bob]],
  ["listed", "an item less", same, [first]],
  [null, "an item as a command has changed it", changed, [renamed, bob]],
  ["listed", "an item that a command has changed otherwise", changed, [eve, bob]],
  [null, "the item less that a command has changed, or removed", changed, [bob]],
  [null, "an item otherwise while a command is under way", begun, [eve, bob]],
  [null, "an item less while a command is under way", begun, [bob]],
  ["listed", "an item otherwise when that has been rejected", rejected, [eve, bob]],
  ["listed", "an item less when that has been rejected", rejected, [bob]],
  [
    null,
    "nothing where its last item may have been removed",
    same,
    [],
    { after: behind(Object(bob)) },
  ],
  [null, "anything of an item of which nothing is known", unknown, [eve, bob]],
  [null, "an item less of which nothing is known", unknown, [bob]],
  ["listed", "another item less", unknown, [renamed]],
])("a list breaks the rule %s when it shows %s", (rule, _, change, items, overrides) => {
  const list = listOf(byText);
  for (const item of [first, bob]) list.records.add(item, true);
  change(list);
  expect(list.differenceOf({ ...ALL, items, ...overrides }, clock.now)?.rule ?? null).toBe(rule);
});

it("may show equal items if these have no id, and in any order", () => {
  const list = listOf(byText, false);
  const items = [{ name: "Bob" }, { name: "Bob" }, { name: "Ada" }];
  expect(list.differenceOf({ ...ALL, items }, clock.now)).toBeNull();
  expect(
    list.differenceOf({ ...ALL, items: [first, bob], limit: 1, isLimited: true }, clock.now)?.rule,
  ).toBe("limit");
});

it.each<[string, Schema, readonly (string | number)[]]>([
  ["integers as numbers", { type: "integer" }, [-10, -9, 0, 2, 9, 10, 12]],
  [
    "integers that are sent as texts",
    { type: "string", format: "uint64" },
    ["-9", "9", "10", "18446744073709551614", "18446744073709551615"],
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
  const list = listOf(orderBy(schema));
  const ruleOf = (...shown: typeof ids) =>
    list.differenceOf({ ...ALL, items: shown.map((one) => ({ id: one })) }, 0)?.rule;
  expect(ruleOf(...ids)).toBeUndefined();
  for (const [at, id] of ids.slice(1).entries()) expect(ruleOf(id, ids[at] ?? "")).toBe("order");
});

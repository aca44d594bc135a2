import { expect, it } from "vitest";
import { PagedList } from "./paged-list.ts";

const ALL = { after: null, limit: 9, isLimited: false, nextCursor: undefined };
const [ada, renamed, eve, bob] = ["Ada", "Grace", "Eve", "Bob"].map((name) => ({
  id: name === "Bob" ? "b" : "a",
  name,
}));

const same = () => {};
const changed = (list: PagedList) => list.change("a", renamed);
/** Commands do not show what became of them. */
const unknown = (list: PagedList) => {
  for (const id of ["a", "none"]) list.change(id, null);
};

it.each<[string | null, string, (list: PagedList) => void, readonly unknown[], object?]>([
  [null, "items as they were created", same, [ada, bob]],
  ["listed", "an item otherwise", same, [renamed, bob]],
  ["listed", "an item less", same, [ada]],
  [null, "an item as a command has changed it", changed, [renamed, bob]],
  ["listed", "an item that a command has changed otherwise", changed, [eve, bob]],
  ["listed", "the item less that a command has changed", changed, [bob]],
  ["next", "nothing behind its last item", same, [], { after: "b" }],
  [
    null,
    "nothing where a command may have removed the last item",
    (list) => list.change("b", null),
    [],
    { after: "b" },
  ],
  [null, "anything of an item of which nothing is known", unknown, [eve, bob]],
  [null, "an item less of which nothing is known", unknown, [bob]],
  ["listed", "another item less", unknown, [renamed]],
])("a list breaks the rule %s when it shows %s", (rule, _, change, items, more) => {
  const list = new PagedList();
  for (const item of [ada, bob]) list.add(item, true);
  change(list);
  expect(list.differenceOf({ ...ALL, items, ...more }, list.now)?.rule ?? null).toBe(rule);
});

it("may show equal items if these have no id, and in any order", () => {
  const list = new PagedList(false);
  list.add({ name: "Bob" }, true);
  const items = [{ name: "Bob" }, { name: "Bob" }, { name: "Ada" }];
  expect(list.differenceOf({ ...ALL, items }, list.now)).toBeNull();
  expect(list.differenceOf({ ...ALL, items: [ada, bob], limit: 1, isLimited: true }, list.now)?.rule).toBe("limit");
});

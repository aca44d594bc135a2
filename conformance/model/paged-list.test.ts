import { describe, expect, it } from "vitest";
import { PagedList } from "./paged-list.ts";

const page = (...items: readonly object[]) => ({
  ...{ after: null, limit: 9, isLimited: false, nextCursor: undefined },
  items,
});
const ada = { id: "a", name: "Ada" };
const renamed = { id: "a", name: "Grace" };
const bob = { id: "b", name: "Bob" };

describe("a paged list", () => {
  const listOf = (...items: readonly object[]) => {
    const list = new PagedList();
    for (const item of items) list.add(item, true);
    return list;
  };
  const found = (list: PagedList, ...items: readonly object[]) =>
    list.differenceOf(page(...items), list.now)?.rule ?? null;

  it("shows items as they were created", () => {
    const list = listOf(ada, bob);
    expect(found(list, ada, bob)).toBeNull();
    expect(found(list, renamed, bob)).toBe("listed");
    expect(found(list, ada)).toBe("listed");
  });

  it("may show equal items if these have no id, and in any order", () => {
    const list = new PagedList(false);
    list.add({ name: "Bob" }, true);
    expect(found(list, { name: "Bob" }, { name: "Bob" }, { name: "Ada" })).toBeNull();
    expect(list.differenceOf({ ...page(ada, bob), limit: 1, isLimited: true }, list.now)?.rule).toBe("limit");
  });

  it("shows an item as a command has changed it", () => {
    const list = listOf(ada, bob);
    list.change("a", renamed);
    expect(found(list, renamed, bob)).toBeNull();
    expect(list.textOf(renamed)).toContain("Grace");
    expect(found(list, { id: "a", name: "Eve" }, bob)).toBe("listed");
    expect(found(list, bob)).toBe("listed");
  });

  it("has no page behind its last item, unless a command may have removed what was there", () => {
    const list = listOf(ada, bob);
    const behind = { ...page(), after: "b" };
    expect(list.differenceOf(behind, list.now)?.rule).toBe("next");
    list.change("b", null);
    expect(list.differenceOf(behind, list.now)).toBeNull();
  });

  it("may show anything of an item where the command does not show what became of it", () => {
    const list = listOf(ada, bob);
    list.change("a", null);
    list.change("none", null);
    expect(found(list, { id: "a", name: "Eve" }, bob)).toBeNull();
    expect(found(list, bob)).toBeNull();
    expect(found(list, renamed)).toBe("listed");
  });
});

// The pages of any service: what a cursor and a Link are of, and which ids they hold.
import { describe, expect, it } from "vitest";
import type { Id, Position, ReadPage } from "../storage/driver.ts";
import { pageOf } from "./pages.ts";

const UUID = "019c1395-e200-7000-8000-0123456789ab";

/** The cursor and the link of a first page, and what a page behind a cursor begins after. */
async function paged(name: string, input: object, last: Id) {
  let began: Position | null = null;
  const read: ReadPage = async ({ after }) => {
    began = after;
    return { items: "[]", last, more: true };
  };
  const page = (changes: object) =>
    pageOf(name, { limit: 1, ...input, ...changes }, read, Number.POSITIVE_INFINITY);
  const { parts } = await page({});
  if (!("json" in parts)) return expect.unreachable();
  const cursor: string = JSON.parse(parts.json).nextCursor;
  const startOf = async (changes: object = {}) => {
    await page({ cursor, ...changes });
    return began;
  };
  return { cursor, link: parts.headers?.Link?.replace(cursor, "CURSOR"), startOf };
}

it("keeps the cursors of the last release for lists without other parameters", async () => {
  const { cursor, link, startOf } = await paged("thing.list", {}, UUID);
  expect([cursor, link]).toEqual([
    "AZwTleIAcACAAAEjRWeJq8jsHv8",
    '<?@=thing.list&limit=1&cursor=CURSOR>; rel="next"',
  ]);
  expect(await startOf({ limit: 200 })).toBe(UUID);
});

it.each<[string, Id]>([
  ["an integer", 9],
  ["a negative integer", -9_007_199_254_740_991],
  ["a text", "a b"],
  ["a text that reads like an integer", "9"],
  ["a text as long as the bytes of a UUID", "0123456789abcdef"],
  ["a UUID in capitals", UUID.toUpperCase()],
  ["an empty text", ""],
  ["a text beyond the first plane", "\u{1f600}é"],
])("begins behind the same id: %s", async (_, id) => {
  expect(await (await paged("thing.list", {}, id)).startOf()).toBe(id);
});

describe("a list with other parameters", () => {
  const input = { text: "a&b+c>d é", tags: ["x", "y"], none: [], size: 0.5, isNew: false };

  it("repeats them in its Link, in a query that reads as they were", async () => {
    const { link = "" } = await paged("thing.list.{room}", { ...input, room: "r1" }, 1);
    const [, query] = /^<\?([\x21-\x7e]*)>; rel="next"$/.exec(link) ?? [];
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      "@": "thing.list.r1",
      text: "a&b+c>d é",
      tags: "x,y",
      size: "0.5",
      isNew: "false",
      limit: "1",
      cursor: "CURSOR",
    });
  });

  it("takes its cursor with these parameters alone, whatever their order", async () => {
    const { startOf } = await paged("thing.list.{room}", { ...input, room: "r1" }, 1);
    const { text, ...otherParameters } = input;
    expect(await startOf({ ...otherParameters, text, limit: 7 })).toBe(1);
    const [otherText, noText] = [{ text: "b" }, { text: undefined }];
    const changes = [otherText, noText, { tags: ["x"] }, { isNew: true }, { room: "r2" }, { a: 1 }];
    const codes = changes.map((change) => startOf(change).catch(({ code }) => code));
    expect(await Promise.all(codes)).toEqual(changes.map(() => "invalid-cursor"));
  });
});

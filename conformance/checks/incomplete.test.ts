// A check that finds nothing to check is incomplete: neither passed nor failed.
import { describe, expect, it } from "vitest";
import { Stopped } from "../client/expectation.ts";
import { MAX_USERS } from "../client/users.ts";
import { checks } from "../suite.ts";
import { type Arrived, serve } from "../test/server.test-kit.ts";
import { apiFor } from "../test/session.test-kit.ts";
import { ensureUsers } from "./user-list/pages.ts";

/** Responds to every request with the list that `items` returns. */
const listing = (items: (query: URLSearchParams) => object): Promise<string> =>
  serve(({ url }: Arrived, response) => {
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(items(new URL(url, "http://localhost").searchParams)));
  });

const nothing = () => ({ items: [] });

/** An endless list; the cursor is the number of the first user of a page. */
function endless(query: URLSearchParams): object {
  const [first, limit] = [Number(query.get("cursor") ?? 0), Number(query.get("limit") ?? 50)];
  const items = Array.from({ length: limit }, (_, index) => ({
    id: `019c1395-e200-7000-8000-${(first + index).toString(16).padStart(12, "0")}`,
    name: "Ada",
    email: `ada.${first + index}@example.com`,
    createdAt: "2026-01-01T00:00:00.000Z",
  }));
  return { items, nextCursor: String(first + limit) };
}

async function outcome(id: string, url: string): Promise<unknown> {
  const found = checks.find((check) => check.id === id);
  if (found?.kind !== "target") throw new Error(`no such check: ${id}`);
  const api = apiFor(url, { mayWrite: false });
  // The run has already read almost as many pages as a walk may read.
  api.places.set("user.list", { pages: 2_490, cursor: "498000" });
  return found.run(api).then(
    () => "passed",
    (error: unknown) => (error instanceof Stopped ? "incomplete" : error),
  );
}

describe("a check", () => {
  it.each([
    "user.list/invalid-cursor#near-misses",
    "user.list/order#ascending",
    "user.list/limit#pages",
    "user.list/link#page-by-page",
  ])("is incomplete where nothing is listed: %s", async (id) => {
    expect(await outcome(id, await listing(nothing))).toBe("incomplete");
  });

  it.each([
    "user.list/order#ascending",
    "user.list/next#any-limit",
    "user.list/link#last-page",
    "user.list/walk#any-limit",
    "user.list/read-only#refused",
  ])("is incomplete where the end is out of sight: %s", async (id) => {
    expect(await outcome(id, await listing(endless))).toBe("incomplete");
  });

  it("creates no users where it may not create as many as it needs", async () => {
    await expect(ensureUsers(apiFor(await listing(nothing)), MAX_USERS + 1)).rejects.toThrow(Stopped);
  });

  it("fails where a request that must be answered is not", async () => {
    const silent = await serve(({ headers }, response) => {
      if (headers.host === "elsewhere.example") return void response.destroy();
      response.writeHead(401, { "Content-Type": "application/problem+json" });
      response.end('{"type":"about:blank"}');
    });
    expect(await outcome("errors/type#not-from-the-host", silent)).toMatchObject({
      expected: "an answer to another Host",
    });
  });
});

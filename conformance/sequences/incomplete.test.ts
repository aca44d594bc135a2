// A check that finds nothing to check is incomplete: neither passed nor failed.
import { describe, expect, it } from "vitest";
import { Stopped } from "../client/expectation.ts";
import { ours } from "../lists/ours.ts";
import { checks } from "../suite.ts";
import { serve } from "../test/server.test-kit.ts";
import { apiFor } from "../test/session.test-kit.ts";

/** The result of a check of a target that responds to every request with this list; `first`: the number of a page's first item. */
async function outcome(id: string, listing: (first: number) => object): Promise<unknown> {
  const url = await serve((request, response) => {
    const first = Number(new URL(request.url, "http://localhost").searchParams.get("cursor") ?? 0);
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(listing(first)));
  });
  const found = checks.find((check) => check.id === id);
  if (found?.kind !== "target") throw new Error(`no such check: ${id}`);
  const api = apiFor(url, { mayWrite: false, mayHarm: false });
  for (const { id, example } of Object.values(ours.contract.operations)) api.model.examples.set(id, example);
  return found.run(api).then(
    () => "passed",
    (error: unknown) => (error instanceof Stopped ? "incomplete" : error),
  );
}

describe("a check", () => {
  it.each(["user.list/order#histories", "user.list/link#histories", "user.list/invalid-cursor#age"])(
    "is incomplete where nothing is listed: %s",
    async (id) => expect(await outcome(id, () => ({ items: [] }))).toBe("incomplete"),
  );

  it("is incomplete where the end is out of sight", async () => {
    const endless = (first: number) => ({
      items: [{ id: `019c1395-e200-7000-8000-${first.toString(16).padStart(12, "0")}` }],
      nextCursor: String(first + 1),
    });
    expect(await outcome("user.list/order#histories", endless)).toBe("incomplete");
  });
});

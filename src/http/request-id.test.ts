import { describe, expect, it } from "vitest";
import { issueKey } from "../credentials/key.ts";
import { requestIdOf } from "./request-id.ts";

describe("requestIdOf", () => {
  const mistyped = `atp_${"0".repeat(48)}`;

  it.each([
    "a",
    "A-1_b.2",
    "x".repeat(64),
    mistyped.slice(1),
    mistyped.slice(0, -1),
    `${mistyped}0`,
    `web-${mistyped}`,
  ])("keeps the caller's %s", (id) => {
    expect(requestIdOf(id)).toBe(id);
  });

  it.each([...[undefined, "", "x".repeat(65), "a b", "a, b", "a\n", "é", "<b>", ["a"]], ...[issueKey().key, mistyped]])(
    "makes a new one for %j",
    (id) => {
      expect(requestIdOf(id)).toMatch(/^[0-9a-f-]{36}$/);
      expect(requestIdOf(id)).not.toBe(requestIdOf(id));
    },
  );
});

import { describe, expect, it } from "vitest";
import { requestIdOf } from "./request-id.ts";

describe("requestIdOf", () => {
  it.each(["a", "A-1_b.2", "x".repeat(64)])("keeps the caller's %s", (id) => {
    expect(requestIdOf(id)).toBe(id);
  });

  it.each([undefined, "", "x".repeat(65), "a b", "a, b", "a\n", "é", "<b>", ["a"]])("makes a new one for %j", (id) => {
    expect(requestIdOf(id)).toMatch(/^[0-9a-f-]{36}$/);
    expect(requestIdOf(id)).not.toBe(requestIdOf(id));
  });
});

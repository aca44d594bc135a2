import { describe, expect, it } from "vitest";
import { hashKey, isKeyShaped, issueKey } from "./key.ts";

describe("a key", () => {
  it("is prefixed, random and well-shaped, and goes with its hash", () => {
    const { key, hash } = issueKey();
    expect(key).toMatch(/^atp_[0-9a-f]{48}$/);
    expect(isKeyShaped(key)).toBe(true);
    expect(hash).toBe(hashKey(key));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(issueKey().key).not.toBe(key);
  });

  it("has a checksum that finds any changed character", () => {
    const { key } = issueKey();
    for (let at = 4; at < key.length; at++) {
      const other = key[at] === "0" ? "1" : "0";
      expect(isKeyShaped(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });

  it("is compared whole", () => {
    const { key } = issueKey();
    for (const text of [
      "",
      "atp_",
      key.toUpperCase(),
      ` ${key}`,
      `${key}\n`,
      key.slice(0, -1),
      `${key}0`,
      key.replace("atp_", "sk__"),
    ])
      expect(isKeyShaped(text)).toBe(false);
  });
});

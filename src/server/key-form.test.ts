import { describe, expect, it } from "vitest";
import { form } from "../test/atpoint.ts";
import { hashKey } from "./key-form.ts";

describe("a key", () => {
  it("is prefixed, random and well-shaped, and goes with its hash", () => {
    const { key, hash } = form.issue();
    expect(key).toMatch(/^atp_[0-9a-f]{48}$/);
    expect(form.isKey(key)).toBe(true);
    expect(hash).toBe(hashKey(key));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(form.issue().key).not.toBe(key);
  });

  it("has a checksum that finds any changed character", () => {
    const { key } = form.issue();
    for (let at = 4; at < key.length; at++) {
      const other = key[at] === "0" ? "1" : "0";
      expect(form.isKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
  });

  it("is compared whole", () => {
    const { key } = form.issue();
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
      expect(form.isKey(text)).toBe(false);
  });
});

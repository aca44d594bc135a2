import { expect, it } from "vitest";
import { form } from "../test/atpoint.ts";
import { hashKey } from "./key-form.ts";

const { key, hash } = form.issue();

it("is prefixed, random and well-shaped, and goes with its hash", () => {
  expect(key).toMatch(/^atp_[0-9a-f]{48}$/);
  expect(form.isWellFormed(key)).toBe(true);
  expect(hash).toBe(hashKey(key));
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(form.issue().key).not.toBe(key);
});

it("is compared whole, with a checksum that finds any changed character", () => {
  const changed = Array.from(key.slice(4), (character, at) => {
    return key.slice(0, 4 + at) + (character === "0" ? "1" : "0") + key.slice(5 + at);
  });
  const bad = [
    "",
    "atp_",
    key.toUpperCase(),
    ` ${key}`,
    `${key}\n`,
    key.slice(0, -1),
    `${key}0`,
    `sk_${key.slice(4)}`,
  ];
  expect([...changed, ...bad].filter(form.isWellFormed)).toEqual([]);
});

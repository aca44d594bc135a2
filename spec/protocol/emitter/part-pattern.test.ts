import { expect, it } from "vitest";
import { innerPattern } from "./part-pattern.ts";

it.each([
  ["^(a|b)+$", "(?:a|b)+"],
  ["^a|b$", "a|b"],
  ["^((a)(?:b))?$", "(?:(?:a)(?:b))?"],
  [String.raw`^\((a)\)\$$`, String.raw`\((?:a)\)\$`],
  [String.raw`^[(^$](a)[^)\](]$`, String.raw`[(^$](?:a)[^)\](]`],
  [String.raw`^\\(a)$`, String.raw`\\(?:a)`],
  ["^(?=a)(?!b)(?<=c)(?<!d)(e)$", "(?=a)(?!b)(?<=c)(?<!d)(?:e)"],
  ["^[](a)$", "[](?:a)"],
  [String.raw`^\p{L}\u{1F600}\x41\0(\d)$`, String.raw`\p{L}\u{1F600}\x41\0(?:\d)`],
])("lets the groups of %s not count", (pattern, inner) => {
  expect(innerPattern(pattern)).toBe(inner);
  expect(new RegExp(`^(${inner})$|^$`, "u").exec("")).toHaveLength(2);
});

it.each([
  "",
  "^",
  "$",
  "a",
  "^a",
  "a$",
  String.raw`^a\$`,
  "^a$b$",
  "^(?:^a)$",
  "^(?<n>a)$",
  String.raw`^(a)\1$`,
])("rejects %s", (pattern) => {
  expect(innerPattern(pattern)).toBeNull();
});

import { expect } from "vitest";

/** Names of the elements if the markup is well-formed; throws if it is not. */
export function elements(markup: string, voids: readonly string[] = []): string[] {
  if (/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(markup))
    throw new Error("a character XML cannot hold");
  const open: string[] = [];
  const seen: string[] = [];
  const tag = /<(?:[?!][^<>]*|(\/?)([a-zA-Z][a-zA-Z0-9]*)((?: [\w:-]+(?:="[^"<]*")?)*)\s*(\/?))>/g;
  const text = markup
    .replace(/(?<=<(style|script)>)[\s\S]*?(?=<\/\1>)/g, "")
    .replace(tag, (_all, end: string, name: string | undefined, _attributes, empty: string) => {
      if (name === undefined) return "";
      if (end) expect(open.pop()).toBe(name);
      else {
        seen.push(name);
        if (!empty && !voids.includes(name)) open.push(name);
      }
      return "";
    });
  expect(open).toEqual([]);
  expect(text).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot|#\d+);)/);
  return seen;
}

import type { Answer } from "../client/wire/exchange.ts";

const ADDRESS = /\b(?:src|href)=["']?([^"'\s>]+)/g;

/**
 * Paths of this deployment that a page of it loads, or links to, below the deployment's path prefix; none of a page in a content
 * coding.
 */
export function loadedBy(path: string, prefix: string, answer: Answer): readonly string[] {
  const base = `http://page.invalid${prefix}${path}`;
  const text = answer.body.toString();
  return [...text.matchAll(ADDRESS)].flatMap(([, address = ""]) => {
    if (!URL.canParse(address, base)) return [];
    const { origin, pathname } = new URL(address, base);
    return origin === new URL(base).origin && pathname.startsWith(prefix) ? [pathname.slice(prefix.length)] : [];
  });
}

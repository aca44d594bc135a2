import type { Answer } from "../client/wire/exchange.ts";
import { fieldsOf } from "../oracle/world.ts";
import type { Difference, Page } from "./paged-list.ts";

/** The targets of `Link` with `rel="next"` (RFC 8288). */
export function linksOf({ headers }: Pick<Answer, "headers">): readonly string[] {
  const fields = fieldsOf(headers, "Link").join(", ");
  return [...fields.matchAll(/<([^>]*)>((?:\s*;\s*[^;,"]+(?:"[^"]*")?)*)/g)].flatMap(
    ([, target = "", parameters = ""]) => {
      const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters);
      return (rel?.[1] ?? rel?.[2] ?? "").toLowerCase().split(/\s+/).includes("next") ? [target] : [];
    },
  );
}

/** One link if there is a next page, to that page, without credentials; `address`: of the request. */
export function linkIn(
  { nextCursor, limit }: Page,
  byDefault: unknown,
  address: string,
  answer: Pick<Answer, "headers">,
): Difference | null {
  const links = linksOf(answer);
  const wanted = nextCursor === undefined ? 0 : 1;
  const link = (expected: string, actual: string): Difference => ({
    ...{ rule: "link", aspect: "header:link", expected, actual },
  });
  if (links.length !== wanted) return link(`${wanted ? "one" : "no"} Link with rel="next"`, links.join() || "none");
  if (nextCursor === undefined) return null;
  const url = new URL(links[0] ?? "", address);
  const base = new URL(address);
  if (url.origin !== base.origin || url.pathname !== base.pathname)
    return link(`a link to ${base.origin}${base.pathname}`, links[0] ?? "");
  const names = [...url.searchParams.keys()].filter((name) => /x-api-key|x-platform|api.?key/i.test(name));
  if (names.length > 0 || url.username || url.password)
    return link("a link without credentials", names.join() || "a user");
  const [cursor, length] = [url.searchParams.get("cursor"), url.searchParams.get("limit")];
  if (cursor !== nextCursor) return link(`the cursor ${nextCursor}`, cursor ?? "none");
  return Number(length ?? byDefault) === limit ? null : link(`limit=${limit}, as of this page`, length ?? "none");
}

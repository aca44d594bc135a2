import { differs } from "../laws/difference.ts";
import { fieldsOf, type Request } from "../oracle/model-state.ts";
import type { Page, PageDifference } from "./paged-list.ts";

/** The text between `<` and `>`, and its parameters, up to the next link. */
const LINK = /<([^<>]*)>([^<]*)/g;
const RELATION = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i;

/** The targets of `Link` with `rel="next"` (RFC 8288). */
export function linksOf(fields: Request["fields"]): readonly string[] {
  return [...fieldsOf(fields, "Link").join(", ").matchAll(LINK)].flatMap(
    ([, target = "", parameters = ""]) => {
      const [, quoted, token] = RELATION.exec(parameters) ?? [];
      return (quoted ?? token ?? "").toLowerCase().split(/\s+/).includes("next") ? [target] : [];
    },
  );
}

/**
 * One link if there is a next page, to that page, without credentials; `address`: of the request.
 */
export function linkDifference(
  { nextCursor, limit }: Page,
  byDefault: unknown,
  address: string,
  fields: Request["fields"],
): PageDifference | null {
  const links = linksOf(fields);
  const [first = ""] = links;
  const wanted = nextCursor === undefined ? 0 : 1;
  const link = (expected: string, actual: string) => ({
    rule: "link",
    ...differs("header:link", expected, actual),
  });
  if (links.length !== wanted)
    return link(`${wanted ? "one" : "no"} Link with rel="next"`, links.join() || "none");
  if (nextCursor === undefined) return null;
  const base = new URL(address);
  const url = URL.canParse(first, address) ? new URL(first, address) : null;
  if (url?.origin !== base.origin || url.pathname !== base.pathname)
    return link(`a link to ${base.origin}${base.pathname}`, first);
  const names = [...url.searchParams.keys()].filter((name) =>
    /x-api-key|x-platform|api.?key/i.test(name),
  );
  if (names.length > 0 || url.username || url.password)
    return link("a link without credentials", names.join() || "a user");
  const [cursor, length] = [url.searchParams.get("cursor"), url.searchParams.get("limit")];
  if (cursor !== nextCursor) return link(`the cursor ${nextCursor}`, cursor ?? "none");
  return Number(length ?? byDefault) === limit
    ? null
    : link(`limit=${limit}, as of this page`, length ?? "none");
}

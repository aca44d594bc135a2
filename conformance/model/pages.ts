import type { Difference, Exchange } from "../exchange.ts";
import { differs } from "../laws/difference.ts";
import { View } from "../laws/view.ts";
import { type Operation, requirementOf } from "../oracle/contract.ts";
import { listOf, viewOf } from "../oracle/lists.ts";
import { creatorOf, type Known, listFor, listsOf, type Moments, pageOf, twiceIn } from "./learn.ts";
import { linkDifference, linksOf } from "./links.ts";
import { type Page, type PageDifference, type PagedList, textOf } from "./paged-list.ts";
import type { Unchanged } from "./unchanged.ts";

/** For a list without requirements of its own. */
const GENERAL = "answers/schema";
/** What the command that creates its records promises. */
const OF_COMMAND = ["listed", "one-of-many"];

export type StateDifference = Difference & {
  readonly requirement: string;
  readonly cause?: Exchange;
};

/**
 * Where a success does not agree with what the run has seen of the deployment, and the requirement about that. `moments`: when the
 * request was sent; items that were not known then are not missing. `cause`: an earlier exchange
 * that it does not agree with.
 */
export function stateDifference(
  world: Known,
  unchanged: Unchanged,
  exchange: Exchange,
  moments: Moments,
): StateDifference | null {
  const { request, response, prediction } = exchange;
  const { operation, code, replayed } = prediction ?? {};
  if (!response || !operation || code !== null) return null;
  const view = new View(world.oracle.contract, exchange, response);
  if (operation.method === "POST")
    return view.status === 201 && !replayed ? idDifference(world, operation, view) : null;
  const reading = world.oracle.read(request, world);
  const list = listFor(world, reading);
  if (view.status !== 200 || !list) return null;
  const since = moments.get(viewOf(reading)) ?? 0;
  const page = pageOf(
    world,
    request,
    operation,
    request.method === "HEAD" ? { items: [] } : view.json,
  );
  const found =
    request.method === "HEAD"
      ? page && headDifference(world, operation, page, view, since)
      : (unchanged.differenceOf(view, operation) ??
        (page && pageDifference(world, operation, list, page, view, since)));
  if (!found || "requirement" in found) return found;
  const { rule, ...difference } = found;
  const about = OF_COMMAND.includes(rule) ? creatorOf(view.contract, operation) : operation;
  const ofEvery =
    view.contract.requirements.find(({ id }) => id === `paging/${rule}`)?.id ?? GENERAL;
  return { ...difference, requirement: requirementOf(view.contract, about, rule, ofEvery) };
}

/** A record that is created has an id that no other has. */
function idDifference(
  world: Known,
  operation: Operation,
  { object, contract }: View,
): StateDifference | null {
  if (!object) return null;
  for (const { id } of listsOf(contract, operation)) {
    const known = world.lists.get(id)?.textOf(object);
    if (known === undefined || known === textOf(object)) continue;
    const requirement = requirementOf(contract, operation, "id", GENERAL);
    return {
      requirement,
      ...differs("body:/id", "an id that no other record has", `that of ${known}`),
    };
  }
  return null;
}

/** HEAD has the `Link` of its GET: known items decide whether there is another page. */
function headDifference(world: Known, operation: Operation, page: Page, view: View, since: number) {
  const { request, response, reading } = view;
  const [link] = linksOf(response.fields);
  const known = listFor(world, reading)?.following(page.after, since, page.limit + 1) ?? [];
  if (link === undefined && known.length > page.limit)
    return {
      rule: "link",
      ...differs("header:link", 'one Link with rel="next" to HEAD, as to GET', "none"),
    };
  if (link === undefined) return null;
  // Which cursor GET would have is not known.
  const [nextCursor = ""] = world.oracle
    .read({ ...request, target: `/api/${queryOf(link)}` }, world)
    .named("cursor");
  return linksDifference(world, operation, { ...page, nextCursor }, view);
}

const queryOf = (link = "") => (link.includes("?") ? link.slice(link.indexOf("?")) : "");

/** Where a page does not agree with its request, or with what the run has seen of the list. */
function pageDifference(
  world: Known,
  operation: Operation,
  list: PagedList,
  page: Page,
  view: View,
  since: number,
): PageDifference | null {
  return (
    list.differenceOf(page, since) ??
    twiceIn(world, operation, page.items) ??
    linksDifference(world, operation, page, view)
  );
}

/** Where its `Link` is not to the next page of the same list. */
function linksDifference(
  world: Known,
  operation: Operation,
  page: Page,
  { request, response, reading }: View,
) {
  const address = /^https?:/i.test(request.target) ? request.target : world.url + request.target;
  const [link] = linksOf(response.fields);
  const next = world.oracle.read({ ...request, target: `/api/${queryOf(link)}` }, world);
  return (
    linkDifference(page, operation.schema.properties?.limit?.default, address, response.fields) ??
    (link === undefined || listOf(next) === listOf(reading)
      ? null
      : notOfList(link, listOf(reading)))
  );
}

const notOfList = (link: string, list: string): PageDifference => ({
  rule: "link-of-input",
  ...differs("header:link", `a link to the list of this page: ${list}`, link),
});

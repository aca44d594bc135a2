import type { Difference, Exchange } from "../exchange.ts";
import { differs } from "../laws/difference.ts";
import { View } from "../laws/view.ts";
import { requirementOf } from "../oracle/contract.ts";
import { creatorOf, type Known, listsOf, pageOf, twiceIn } from "./learn.ts";
import { linkDifference, linksOf } from "./links.ts";
import { textOf } from "./paged-list.ts";
import type { Unchanged } from "./unchanged.ts";

/** For a list without requirements of its own. */
const GENERAL = "answers/schema";
/** What the command that creates its records promises. */
const OF_COMMAND = ["listed", "one-of-many"];

export type StateDifference = Difference & { readonly requirement: string; readonly cause?: Exchange };

/**
 * Where a success does not agree with what the run has seen of the deployment. `since`: the time, in events of the list that is read.
 * `cause`: an earlier exchange that it does not agree with.
 */
export function stateDifference(
  world: Known,
  unchanged: Unchanged,
  exchange: Exchange,
  since?: number,
): StateDifference | null {
  const { request, response, prediction } = exchange;
  const { operation, code } = prediction ?? {};
  if (!response || !operation || code !== null) return null;
  if (operation.method === "POST") return response.status === 201 ? idDifference(world, exchange) : null;
  if (response.status !== 200 || !world.lists.has(operation.id)) return null;
  if (request.method === "HEAD") return headDifference(world, exchange, since);
  const view = new View(world.oracle.contract, exchange, response);
  return unchanged.differenceOf(view, operation) ?? pageDifference(world, exchange, since);
}

/** A record that is created has an id that no other has. */
function idDifference(world: Known, exchange: Exchange): StateDifference | null {
  const { response, prediction } = exchange;
  const { contract } = world.oracle;
  const { operation, replayed } = prediction ?? {};
  if (!response || !operation || replayed) return null;
  const body = new View(contract, exchange, response).object;
  if (!body) return null;
  for (const { id } of listsOf(contract, operation)) {
    const known = world.lists.get(id)?.textOf(body);
    if (known === undefined || known === textOf(body)) continue;
    const requirement = requirementOf(contract, operation, "id", GENERAL);
    return { requirement, ...differs("body:/id", "an id that no other record has", `that of ${known}`) };
  }
  return null;
}

/** HEAD has the `Link` of its GET: known items decide whether there is another page. */
function headDifference(world: Known, { request, response, prediction }: Exchange, since?: number) {
  const { operation = null } = prediction ?? {};
  const page = operation && pageOf(world, request, operation, { items: [] });
  const following = page && world.lists.get(operation.id)?.following(page.after, since);
  if (!following || following.length <= page.limit || linksOf(response?.fields ?? []).length === 1) return null;
  const requirement = requirementOf(world.oracle.contract, operation, "link", GENERAL);
  return { requirement, ...differs("header:link", 'one Link with rel="next" to HEAD, as to GET', "none") };
}

/**
 * Where a page of a list does not agree with its request, or with what the run has seen of the list; and the requirement about that.
 * `since`: the time, in events of the list, at which the request was sent; without it, items that are missing are no difference.
 */
export function pageDifference(
  world: Known,
  exchange: Exchange,
  since = 0,
): (Difference & { readonly requirement: string }) | null {
  const { request, response, prediction } = exchange;
  const { contract } = world.oracle;
  const { operation, code } = prediction ?? {};
  const list = world.lists.get(operation?.id ?? "");
  if (!response || !operation || !list || code !== null || response.status !== 200 || request.method !== "GET")
    return null;
  const page = pageOf(world, request, operation, new View(contract, exchange, response).json);
  if (!page) return null;
  const address = /^https?:/i.test(request.target) ? request.target : world.url + request.target;
  const found =
    list.differenceOf(page, since) ??
    twiceIn(world, operation, page.items) ??
    linkDifference(page, operation.schema.properties?.limit?.default, address, response.fields);
  if (!found) return null;
  const { rule, ...difference } = found;
  const about = OF_COMMAND.includes(rule) ? creatorOf(contract, operation) : operation;
  return { ...difference, requirement: requirementOf(contract, about, rule, GENERAL) };
}

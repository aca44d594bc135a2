import { requirementOf } from "../../oracle/contract.ts";
import type { Difference, Exchange } from "../exchange.ts";
import { View } from "../laws/view.ts";
import { creatorOf, type Known, pageOf, twiceIn } from "./learn.ts";
import { linkDifference } from "./links.ts";

/** For a list without requirements of its own. */
const GENERAL = "answers/schema";
/** What the command that creates its records promises. */
const OF_COMMAND = ["listed", "one-of-many"];

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

import type { Exchange } from "../exchange.ts";
import { differs } from "../laws/difference.ts";
import { ParsedExchange } from "../laws/parsed-exchange.ts";
import { createsRecord, type Operation, requirementOf } from "../oracle/contract.ts";
import { listOf } from "../oracle/lists.ts";
import { mayBe } from "../oracle/records.ts";
import { creatorOf, listsOf } from "./creators.ts";
import type { ImmutableFieldTracker } from "./immutable-fields.ts";
import { textOf } from "./item.ts";
import { type KnownState, listFor } from "./known-state.ts";
import { pageOf, twiceIn } from "./learn.ts";
import { linkDifference, linksOf } from "./links.ts";
import type { Page, PageDifference, PagedList } from "./paged-list.ts";
import { recordDifference, type StateDifference } from "./record-difference.ts";

/** For a list without requirements of its own. */
const GENERAL = "answers/schema";
/** What a rule of a list is about, where the contract states which records it has. */
const OF_EFFECT: Readonly<Record<string, string>> = {
  walk: "listed",
  next: "listed",
  "read-only": "listed",
};
/** What the command that creates its records promises. */
const OF_COMMAND = ["listed", "one-of-many"];

/**
 * Where a success does not agree with what the run has seen of the deployment, and the requirement
 * about that. `since`: when the request was sent; items that were not known then are not missing.
 * `cause`: an earlier exchange that it does not agree with.
 */
export function stateDifference(
  model: KnownState,
  immutableFields: ImmutableFieldTracker,
  exchange: Exchange,
  since: number,
): StateDifference | null {
  const { request, response, prediction } = exchange;
  const { operation, code, replayed } = prediction ?? {};
  if (!response || !operation || code !== null) return null;
  const parsed = new ParsedExchange(model.oracle.contract, exchange, response);
  if (operation.method === "POST" && replayed) return null;
  const ofRecord = recordDifference(model, operation, parsed, since);
  if (ofRecord || operation.method === "POST")
    return ofRecord ?? (createsRecord(operation) ? idDifference(model, operation, parsed) : null);
  const reading = model.oracle.read(request, model);
  const list = listFor(model, reading);
  if (parsed.status !== 200 || !list) return null;
  const page = pageOf(
    model,
    request,
    operation,
    request.method === "HEAD" ? { items: [] } : parsed.json,
  );
  const violation =
    request.method === "HEAD"
      ? page && headDifference(model, operation, page, parsed, since)
      : (immutableFields.differenceOf(parsed, operation) ??
        (page && pageDifference(model, operation, list, page, parsed, since)));
  if (!violation || "requirement" in violation) return violation;
  const { rule, ...difference } = violation;
  const about = OF_COMMAND.includes(rule) ? creatorOf(parsed.contract, operation) : operation;
  const general = operation.effect ? (OF_EFFECT[rule] ?? rule) : rule;
  const ids = [`effects/${general}`, `paging/${rule}`];
  const stated = parsed.contract.requirements.filter(({ id }) => ids.includes(id));
  const ofEvery =
    stated.find(({ id }) => operation.effect || !id.startsWith("effects/"))?.id ?? GENERAL;
  return { ...difference, requirement: requirementOf(parsed.contract, about, rule, ofEvery) };
}

/** A record that is created has an id that no other has. */
function idDifference(
  model: KnownState,
  operation: Operation,
  { object, contract }: ParsedExchange,
): StateDifference | null {
  if (!object) return null;
  const ofLists = listsOf(contract, operation).flatMap(
    ({ id }) => model.lists.get(id)?.records ?? [],
  );
  for (const records of new Set(ofLists)) {
    const id = records.idOf(object);
    const states = records.statesOf(id) ?? [];
    const [known] = states;
    // What is gone, or may be another, says nothing about an id.
    if (states.length !== 1 || !known || mayBe(known, object, records.options)) continue;
    return {
      requirement: requirementOf(contract, operation, "id", GENERAL),
      ...differs("body:/id", "an id that no other record has", `that of ${textOf(known)}`),
    };
  }
  return null;
}

/** HEAD has the `Link` of its GET: known items decide whether there is another page. */
function headDifference(
  model: KnownState,
  operation: Operation,
  page: Page,
  parsed: ParsedExchange,
  since: number,
) {
  const { request, response, reading } = parsed;
  const [link] = linksOf(response.fields);
  const known = listFor(model, reading)?.following(page.after, since, page.limit + 1) ?? [];
  if (link === undefined && known.length > page.limit)
    return {
      rule: "link",
      ...differs("header:link", 'one Link with rel="next" to HEAD, as to GET', "none"),
    };
  if (link === undefined) return null;
  // Which cursor GET would have is not known.
  const [nextCursor = ""] = model.oracle
    .read({ ...request, target: `/api/${queryOf(link)}` }, model)
    .named("cursor");
  return linksDifference(model, operation, { ...page, nextCursor }, parsed);
}

const queryOf = (link = "") => (link.includes("?") ? link.slice(link.indexOf("?")) : "");

/** Where a page does not agree with its request, or with what the run has seen of the list. */
function pageDifference(
  model: KnownState,
  operation: Operation,
  list: PagedList,
  page: Page,
  parsed: ParsedExchange,
  since: number,
): PageDifference | null {
  return (
    list.differenceOf(page, since) ??
    twiceIn(model, operation, page.items) ??
    linksDifference(model, operation, page, parsed)
  );
}

/** Where its `Link` is not to the next page of the same list. */
function linksDifference(
  model: KnownState,
  operation: Operation,
  page: Page,
  { request, response, reading }: ParsedExchange,
) {
  const address = /^https?:/i.test(request.target) ? request.target : model.url + request.target;
  const [link] = linksOf(response.fields);
  const next = model.oracle.read({ ...request, target: `/api/${queryOf(link)}` }, model);
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

import { ParsedExchange } from "../laws/parsed-exchange.ts";
import { creatorOf } from "../model/creators.ts";
import { pageOf } from "../model/learn.ts";
import type { Page } from "../model/paged-list.ts";
import { type Operation, requirementOf } from "../oracle/contract.ts";
import type { Predicted } from "../run/exchange.ts";
import type { Run } from "../run/state.ts";

/** The rules that a response could have shown to be broken, beyond its prediction. */

/** What the command that creates the records of a list promises. */
const OF_COMMAND = new Set(["listed", "refused-not-stored"]);

/** The requirements of these rules, of those that the contract has. */
const idsOf = (
  { suite: { oracle } }: Run,
  operation: Operation,
  rules: readonly string[],
): readonly string[] =>
  rules.flatMap((rule) => requirementOf(oracle.contract, operation, rule, "") || []);

/**
 * The requirements about the state that a success shows. `since`: when it was sent, in events of
 * its list.
 */
export function stateExercised(run: Run, exchange: Predicted, since: number): readonly string[] {
  const { contract } = run.suite.oracle;
  const { request, response, prediction } = exchange;
  const { operation, code, status, replayed } = prediction;
  if (!operation || code !== null || response?.status !== status) return [];
  if (operation.method === "POST")
    return status === 201 && !replayed ? idsOf(run, operation, ["id"]) : [];
  const { json } = new ParsedExchange(contract, exchange, response);
  const page = request.method === "GET" ? pageOf(run.model, request, operation, json) : null;
  if (!page) return [];
  return pageRules(run, operation, page, since).flatMap((rule) =>
    idsOf(run, OF_COMMAND.has(rule) ? creatorOf(contract, operation) : operation, [rule]),
  );
}

function pageRules(run: Run, operation: Operation, page: Page, since: number): readonly string[] {
  const { model, immutableFields, suite } = run;
  const list = model.lists.get(operation.id);
  const { after, limit, isLimited, items, nextCursor } = page;
  const hasItems = items.length > 0;
  const isContinued = after !== null && hasItems;
  const isFull = hasItems && (items.length >= limit || nextCursor !== undefined);
  const isLast = nextCursor === undefined;
  const creator = creatorOf(suite.oracle.contract, operation);
  const rules = {
    order: list?.hasIds === true && list.order !== null && (isContinued || items.length > 1),
    walk: list?.hasIds === true && isContinued,
    limit: isFull && isLimited,
    "limit-default": isFull && !isLimited,
    next: !isLast,
    link: !isLast,
    "read-only": list?.shows(page, since) === true,
    listed: list?.shows(page, since, true) === true,
    "refused-not-stored": isLast && immutableFields.watches(creator),
  };
  return Object.entries(rules).flatMap(([rule, isExercised]) => (isExercised ? [rule] : []));
}

import { ParsedExchange } from "../laws/parsed-exchange.ts";
import { creatorOf } from "../model/creators.ts";
import { recordsOf } from "../model/known-state.ts";
import { pageOf } from "../model/learn.ts";
import type { Page } from "../model/paged-list.ts";
import { ruleOf } from "../model/record-difference.ts";
import { createsRecord, type Operation, requirementOf } from "../oracle/contract.ts";
import { recordNamedBy } from "../oracle/effects.ts";
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
  if (operation.method === "POST") {
    const isNew = createsRecord(operation) && !replayed;
    const rules = replayed || !operation.effect ? [] : (OF_EFFECT[operation.effect.kind] ?? []);
    const state = operation.state && !replayed ? ["state"] : [];
    return [
      ...effectIds(run, operation, [...rules, ...state]),
      ...(isNew ? idsOf(run, operation, ["id"]) : []),
    ];
  }
  if (operation.effect?.kind === "reads") return readExercised(run, operation, exchange);
  const { json } = new ParsedExchange(contract, exchange, response);
  const page = request.method === "GET" ? pageOf(run.model, request, operation, json) : null;
  if (!page) return [];
  const rules = pageRules(run, operation, page, since);
  const isFiltered = Object.keys(operation.filters ?? {}).some(
    (name) => run.suite.oracle.read(request, run.model).named(name).length > 0,
  );
  return [
    ...rules.flatMap((rule) =>
      idsOf(run, OF_COMMAND.has(rule) ? creatorOf(contract, operation) : operation, [rule]),
    ),
    ...effectIds(run, operation, [...rules, ...(isFiltered ? ["filter"] : [])]),
  ];
}

/** What a success of a command could have shown to be wrong. */
const OF_EFFECT: Readonly<Record<string, readonly string[]>> = {
  creates: ["created"],
  updates: ["updated"],
};

/** The general requirements about effects, where the operation has none of its own. */
const effectIds = (
  { suite: { oracle } }: Run,
  operation: Operation,
  rules: readonly string[],
): readonly string[] =>
  operation.effect === undefined
    ? []
    : rules
        .map((rule) => requirementOf(oracle.contract, operation, rule, `effects/${rule}`))
        .filter((id) => oracle.contract.requirements.some((one) => one.id === id));

/** A record that is read shows what happened to it last. */
function readExercised(run: Run, operation: Operation, { request }: Predicted): readonly string[] {
  const { model, suite } = run;
  const id = recordNamedBy(suite.oracle.read(request, model));
  const records = recordsOf(model, operation);
  if (id === null || !records?.isOwn(id)) return [];
  return effectIds(run, operation, ["read", ruleOf(records.eventOf(id))]);
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

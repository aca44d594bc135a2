import { type Check, checkAll } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import { excerpts } from "../client/reply.ts";
import { decoded } from "../client/wire/content-coding.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { jsonIn } from "../client/wire/json.ts";
import { contract } from "../contract.ts";
import { linkIn } from "../models/links.ts";
import { creatorOf, type Model } from "../models/model.ts";
import type { Difference } from "../models/paged-list.ts";
import { type Operation, pageItemOf, requirementOf } from "../oracle/contract.ts";

/** Laws for every page of a list: it agrees with its request, and with what the run has seen of the list before. */

const RULES = ["order", "limit", "limit-default", "next", "link", "walk", "read-only", "listed", "one-of-many"];
/** For a list without requirements of its own. */
const GENERAL = "answers/schema";

type Found = Difference & { readonly by: string };
const judged = new WeakMap<Exchange, Found | null>();

function foundIn(exchange: Exchange, predicted: ReturnType<Model["predicted"]>): Found | null {
  const { answer } = exchange;
  const { request, prediction, model } = predicted ?? {};
  const { operation, code } = prediction ?? {};
  const list = model?.lists.get(operation?.id ?? "");
  if (!answer || !request || !model || !operation || !list) return null;
  if (code !== null || answer.status !== 200 || request.method !== "GET") return null;
  const page = model.pageOf(request, operation, jsonIn(decoded(answer).body));
  if (!page) return null;
  const { schema } = operation;
  const found =
    list.differenceOf(page, 0) ??
    model.twiceIn(operation, page.items) ??
    linkIn(page, schema.properties?.limit?.default, exchange.request.url, answer);
  return found && { ...found, by: requirementFor(operation, found.rule) };
}

/** What the command that creates its records promises. */
const OF_COMMAND = ["listed", "one-of-many"];
const requirementFor = (list: Operation, rule: string): string =>
  requirementOf(contract, OF_COMMAND.includes(rule) ? creatorOf(contract, list) : list, rule, GENERAL);

const requirements = Object.values(contract.operations)
  .filter((operation) => pageItemOf(contract, operation))
  .flatMap((list) => RULES.map((rule) => requirementFor(list, rule)));

export const pageLaws: readonly Check[] = [...new Set(requirements)].map((id) =>
  checkAll(`${id}#every-page`, (exchange, _, { predicted }) => {
    const found = judged.has(exchange) ? judged.get(exchange) : foundIn(exchange, predicted);
    judged.set(exchange, found ?? null);
    if (found?.by === id) fail(found.aspect, ...excerpts(found.expected, found.actual));
  }),
);

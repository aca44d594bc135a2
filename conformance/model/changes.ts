import { stringOf } from "../laws/difference.ts";
import { mayChange, type Operation } from "../oracle/contract.ts";
import type { ModelState, Request } from "../oracle/model-state.ts";
import type { ParsedRequest } from "../oracle/parsed-request.ts";
import type { Oracle } from "../oracle/predict.ts";
import { idOf } from "./item.ts";
import type { PagedList } from "./paged-list.ts";
import { listsOf } from "./records.ts";

/** What commands that create nothing may do to records that are known. */

interface KnownLists extends ModelState {
  readonly oracle: Oracle;
  /** By operation, or by `listKeyOf`. */
  readonly lists: ReadonlyMap<string, PagedList>;
}

/**
 * The records that a request may change or remove: those that the input of a command names, or all
 * where it names none. Nothing for a query, and for a command that creates a record.
 */
function changedBy(
  { lists }: KnownLists,
  { operation, data }: ParsedRequest,
): readonly (readonly [list: string, id: string])[] {
  if (!operation || !mayChange(operation)) return [];
  const sent = Object.keys(operation.exampleFrom).map((name) => stringOf(Object(data)[name]));
  // Some take the letter case of a UUID as it comes.
  const named = [...sent, ...sent.map((id) => id.toLowerCase())];
  return [...lists].flatMap(([key, { ids }]) =>
    (named.length > 0 ? [...new Set(named)] : ids).map((id) => [key, id] as const),
  );
}

/** A request is about to be sent: until it has ended, nothing is known of what it may change. */
export function underWay(model: KnownLists, request: Request): () => void {
  const changed = changedBy(model, model.oracle.read(request, model));
  for (const [list, id] of changed) model.lists.get(list)?.underWay(id, 1);
  return () => {
    for (const [list, id] of changed) model.lists.get(list)?.underWay(id, -1);
  };
}

/**
 * A command that creates nothing was carried out, or may have been; `object`: the record that its
 * response shows.
 */
export function change(
  model: KnownLists,
  operation: Operation,
  request: Request,
  object?: object,
): void {
  const shown = listsOf(model.oracle.contract, operation).map(({ id }) => id);
  const changed = changedBy(model, model.oracle.read(request, model));
  for (const [key, list] of model.lists) {
    const ids = changed.flatMap(([changedKey, id]) => (changedKey === key ? id : []));
    // With other parameters a list may have lost what was changed.
    if (object && shown.includes(key)) list.change(idOf(object), object);
    else for (const id of [...ids, ...(object ? [idOf(object)] : [])]) list.change(id, null);
  }
}

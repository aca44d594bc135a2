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

/** The records that the input of a command names; null if it names none: it may change all. */
function namedIds({ operation, data }: ParsedRequest): readonly string[] | null {
  const members = Object.keys(operation?.exampleFrom ?? {});
  const sent = members.map((name) => stringOf(Object(data)[name]));
  // Some take the letter case of a UUID as it comes.
  return sent.length === 0 ? null : [...new Set([...sent, ...sent.map((id) => id.toLowerCase())])];
}

/**
 * A request is about to be sent: until the function returned is called, nothing is known of what a
 * command that creates nothing may change.
 */
export function underWay(model: KnownLists, request: Request): () => void {
  const reading = model.oracle.read(request, model);
  if (!reading.operation || !mayChange(reading.operation)) return () => {};
  const named = namedIds(reading);
  const changed = [...model.lists.values()].flatMap((list) =>
    (named ?? list.ids).map((id) => ({ list, id })),
  );
  for (const { list, id } of changed) list.underWay(id, 1);
  return () => {
    for (const { list, id } of changed) list.underWay(id, -1);
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
  const named = namedIds(model.oracle.read(request, model));
  const shownIds = object ? [idOf(object)] : [];
  // With other parameters a list may have lost what was changed.
  for (const [key, list] of model.lists)
    if (object && shown.includes(key)) list.change(idOf(object), object);
    else for (const id of [...(named ?? list.ids), ...shownIds]) list.change(id, null);
}

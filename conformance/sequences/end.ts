import { readEntries } from "../checks/state.ts";
import type { Api } from "../client/api.ts";
import { Stopped } from "../client/expectation.ts";
import type { Model } from "../models/model.ts";
import type { Operation } from "../oracle/contract.ts";

/** Maximum pages that are read to find the end of a list. */
const MOST_PAGES = 2_500;
/** Minimum items from the cursor on, if there are as many. */
const TAIL = 10;

const ends = new WeakMap<Model, Map<string, Promise<string | undefined>>>();

/**
 * A cursor near the end of a list, where records of this run appear; undefined for a list of a page or two. Looked up once in a
 * run.
 */
export function endOf(api: Api, operation: Operation): Promise<string | undefined> {
  const known = ends.get(api.model) ?? new Map<string, Promise<string | undefined>>();
  ends.set(api.model, known);
  const end = known.get(operation.id) ?? findEnd(api, operation);
  known.set(operation.id, end);
  return end;
}

async function findEnd(api: Api, { id, schema }: Operation): Promise<string | undefined> {
  const limit = schema.properties?.limit?.maximum;
  let [before, cursor]: (string | undefined)[] = [];
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const input = { ...api.required(id), ...(limit && { limit }), ...(cursor && { cursor }) };
    const { entries, nextCursor } = readEntries(await api.call(id, { input }));
    if (nextCursor === undefined || nextCursor === cursor) return entries.length < TAIL ? before : cursor;
    [before, cursor] = [cursor, nextCursor];
  }
  throw new Stopped(`${id} has more than ${MOST_PAGES} pages`);
}

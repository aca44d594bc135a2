import { ParsedExchange } from "../laws/parsed-exchange.ts";
import { type Operation, pageItemOf } from "../oracle/contract.ts";
import { furtherOf, listOf } from "../oracle/lists.ts";
import type { Oracle } from "../oracle/predict.ts";
import { isObject } from "../oracle/schema.ts";
import { stringOf } from "../oracle/values.ts";
import {
  type Change,
  type Draft,
  nameIn,
  plain,
  setParameter,
  written,
} from "../requests/draft.ts";
import { BY_HEAD, IN_QUERY } from "../requests/modes.ts";
import { sendAndCompare } from "../run/exchange.ts";
import { skipReason } from "../run/policy.ts";
import { type Exercised, MissingPrecondition, type Run, type Script } from "../run/state.ts";

/**
 * Where the lists of a deployment end: there what a run creates appears, whatever was there before.
 */

/** Pages that are read at most to find the end of a list. */
const MOST_PAGES = 2500;
/**
 * Items from the near place on, if there are as many: ids of several replicas are only nearly in
 * order.
 */
const TAIL = 10;

/**
 * A cursor near the end of a list as it was when this run first read it; undefined where the list
 * begins, or has no order.
 */
export async function nearEndOf(run: Run, operation: Operation): Promise<string | undefined> {
  if (operation.unordered) return undefined;
  const known = run.ends.get(operation.id) ?? lastCursorOf(run, operation);
  run.ends.set(operation.id, known);
  return known;
}

async function lastCursorOf(run: Run, operation: Operation): Promise<string | undefined> {
  const cursors: (string | undefined)[] = [];
  let length = 0;
  for await (const { cursor, items } of pagesFrom(run, operation)) {
    cursors.push(cursor);
    length = items.length;
  }
  if (length < TAIL) cursors.pop();
  return cursors.at(-1);
}

/**
 * The pages of a list from a cursor on, as long as possible. It ends too where a wrong list goes
 * round, or goes on empty.
 */
export async function* pagesFrom(run: Run, operation: Operation, from?: string) {
  const limit = operation.schema.properties?.limit?.maximum;
  const seen = new Set<string | undefined>();
  for (let cursor = from; !seen.has(cursor) && seen.size < MOST_PAGES; ) {
    seen.add(cursor);
    const page = await pageAt(run, operation, { cursor, limit });
    if (!page) return;
    yield { ...page, cursor };
    if (page.nextCursor === undefined || page.items.length === 0) return;
    cursor = page.nextCursor;
  }
}

export interface LastPage {
  readonly cursor: string | undefined;
  readonly items: readonly unknown[];
}

/** Ids of two records of one millisecond begin alike. */
const ALIKE = 13;
/** The number of such places that are tried. */
const MOST_ALIKE = 3;

/** The pages that end between two items of one millisecond. */
async function* between(
  run: Run,
  operation: Operation,
  cursor: string | undefined,
  items: readonly unknown[],
) {
  const ids = items.map((item) => stringOf(Object(item).id).slice(0, ALIKE));
  const places = ids.flatMap((id, index) =>
    index > 0 && id.length === ALIKE && id === ids[index - 1] ? [index] : [],
  );
  for (const limit of places.slice(-MOST_ALIKE)) {
    const page = await pageAt(run, operation, { cursor, limit });
    if (page?.nextCursor !== undefined)
      yield* [page, await pageAt(run, operation, { cursor: page.nextCursor, limit: 1 })];
  }
}

/**
 * A last page again: with its length it ends with the last item, with one less before it; and in
 * other ways.
 */
export async function* lookedAt(run: Run, operation: Operation, { cursor, items }: LastPage) {
  const { length } = items;
  const { maximum: most = 1 } = operation.schema.properties?.limit ?? {};
  yield* between(run, operation, cursor, items);
  const lengths = [length, length - 1, length + 1, Math.floor(length / 2)].filter(
    (one) => one > 0 && one <= most,
  );
  for (const limit of new Set(lengths)) {
    const page = await pageAt(run, operation, { cursor, limit });
    if (page?.nextCursor !== undefined)
      yield* [page, await pageAt(run, operation, { cursor: page.nextCursor, limit })];
    for (const { apply } of [IN_QUERY, BY_HEAD]) {
      const change: Change = (draft) => {
        makeWhole(draft);
        apply(draft);
      };
      yield await pageAt(run, operation, { cursor, limit, change });
    }
  }
}

/** Leaves out the further parameters of a list that may be left out: they may leave out items. */
export function makeWhole(draft: Draft): void {
  const { operation } = draft;
  const optional = furtherOf(operation).filter((name) => !operation.input[name]?.required);
  draft.query = draft.query.filter((one) => !optional.includes(nameIn(one)));
}

/** A page, with its further parameters as `change` writes them. */
interface PageWanted {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  readonly change?: Change;
}

function requestOf(
  run: Run,
  operation: Operation,
  { cursor, limit, change = makeWhole }: PageWanted,
) {
  const { source, inputs } = run;
  const draft = plain(operation, inputs.all.get(operation.id) ?? operation.example, source.caller);
  change(draft);
  setParameter(draft, "limit", limit === undefined ? null : `${limit}`);
  setParameter(draft, "cursor", cursor ?? null);
  return written(draft);
}

/** Requests a page; null if this run may not. */
async function requested(run: Run, operation: Operation, wanted: PageWanted) {
  const { suite, model } = run;
  const request = requestOf(run, operation, wanted);
  const prediction = suite.oracle.predict(request, model);
  return skipReason(run, request, prediction) === null
    ? sendAndCompare(run, request, prediction)
    : null;
}

/**
 * Null: this run may not send it, or the response is no page. What is wrong with it is a finding.
 */
async function pageAt(run: Run, operation: Operation, wanted: PageWanted) {
  const since = run.model.clock.now;
  const page = await requested(run, operation, wanted);
  if (!page) return null;
  const { exchange, findings } = page;
  for (const finding of findings)
    run.results.find({ ...finding, script: `the end of ${operation.id}` });
  const { response } = exchange;
  if (response?.status !== 200) return null;
  const { items, nextCursor } =
    new ParsedExchange(run.suite.oracle.contract, exchange, response).object ?? {};
  if (!Array.isArray(items)) return null;
  const next = typeof nextCursor === "string" ? nextCursor : undefined;
  return { items: items as readonly unknown[], nextCursor: next, exchange, since };
}

/** A list as one sends it: an operation, and its further parameters. */
type Way = Pick<PageWanted, "change"> & { readonly operation: Operation };

/** Values of one parameter that are tried: with some of them a list has a second page. */
const MOST_WAYS = 6;

/**
 * A list as a whole, as its example has it, and with each of some values of its further parameters:
 * no two are the same list.
 */
function waysOf(run: Run, operation: Operation): readonly Way[] {
  const { suite, model } = run;
  const isTaken = (change: Change) =>
    suite.oracle.predict(requestOf(run, operation, { change }), model).code === null;
  const listWith = (change: Change) =>
    listOf(suite.oracle.read(requestOf(run, operation, { change }), model));
  const rows = [...(suite.tables.mutationsByOperation.get(operation.id)?.values() ?? [])];
  const changes = furtherOf(operation).flatMap((name) => {
    const ofName = rows
      .filter(({ dimension }) => dimension === `input ${name}`)
      .map(({ apply }) => apply);
    return ofName.filter(isTaken).slice(0, MOST_WAYS);
  });
  const all = [makeWhole, () => {}, ...changes].filter(isTaken);
  return [...new Map(all.map((change) => [listWith(change), { operation, change }])).values()];
}

/** The cursors of each of these, sent with the others. */
async function* exchanged(
  run: Run,
  requirements: readonly string[],
  ways: readonly Way[],
  exercised: Exercised,
): ReturnType<Script["run"]> {
  const [requirement = "", ...ofLinks] = requirements;
  let isTried = false;
  for (const way of ways) {
    const page = await requested(run, way.operation, { ...way, limit: 1 });
    yield* page?.findings ?? [];
    const body = page?.exchange.response?.json;
    const cursor = isObject(body) ? body.nextCursor : undefined;
    if (typeof cursor !== "string") continue;
    for (const otherWay of ways.filter((one) => one !== way)) {
      const answered = await requested(run, otherWay.operation, { ...otherWay, cursor });
      if (!answered) continue;
      isTried = true;
      exercised(requirement);
      // The link of a list as a whole has no parameters to repeat.
      for (const id of way.change === makeWhole ? [] : ofLinks) exercised(id);
      for (const finding of answered.findings)
        yield {
          ...finding,
          requirement: finding.source === "prediction" ? requirement : finding.requirement,
        };
    }
  }
  if (!isTried) throw new MissingPrecondition("no list has a second page");
}

/** Cursors of other lists, and of the same list with other parameters. */
export function cursorScripts({ contract }: Oracle): readonly Script[] {
  const lists = Object.values(contract.operations).filter((one) => pageItemOf(contract, one));
  const script = (
    id: string,
    requirements: readonly string[],
    waysIn: (run: Run) => readonly Way[],
  ): Script => ({
    id: `scenario ${id}`,
    requirements,
    effect: "read",
    alone: true,
    run: (run, exercised) => exchanged(run, requirements, waysIn(run), exercised),
  });
  const ofInput = ["paging/cursor-of-input", "paging/link-of-input"];
  const ofOthers = () => lists.map((operation) => ({ operation }));
  const scripts = [
    ...(lists.length < 2
      ? []
      : [script("cursors of other lists", ["paging/cursor-of-operation"], ofOthers)]),
    ...lists
      .filter((list) => furtherOf(list).length > 0)
      .map((list) =>
        script(`cursors with other parameters ${list.id}`, ofInput, (run) => waysOf(run, list)),
      ),
  ];
  const known = new Set(contract.requirements.map(({ id }) => id));
  return scripts.filter(({ requirements }) => requirements.every((id) => known.has(id)));
}

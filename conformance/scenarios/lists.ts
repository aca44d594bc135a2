import { View } from "../laws/view.ts";
import { type Operation, pageItemOf } from "../oracle/contract.ts";
import type { Oracle } from "../oracle/predict.ts";
import { isObject } from "../oracle/schema.ts";
import { plain, setParameter, written } from "../requests/draft.ts";
import { reasonAgainst } from "../run/effects.ts";
import { compared } from "../run/exchange.ts";
import { type Exercised, Lacking, type Run, type Script } from "../run/state.ts";

/** Where the lists of a deployment end: there what a run creates appears, whatever was there before. */

/** Pages that are read at most to find the end of a list. */
const MOST_PAGES = 2500;
/** Items from the near place on, if there are as many: ids of several replicas are only nearly in order. */
const TAIL = 10;

/** A cursor near the end of a list as it was when this run first read it; undefined where the list begins. */
export function nearEndOf(run: Run, operation: Operation): Promise<string | undefined> {
  const known = run.ends.get(operation.id) ?? found(run, operation);
  run.ends.set(operation.id, known);
  return known;
}

async function found(run: Run, operation: Operation): Promise<string | undefined> {
  const cursors: (string | undefined)[] = [];
  let length = 0;
  for await (const { cursor, items } of pagesFrom(run, operation)) {
    cursors.push(cursor);
    length = items.length;
  }
  if (length < TAIL) cursors.pop();
  return cursors.at(-1);
}

/** The pages of a list from a cursor on, as long as possible. It ends too where a wrong list goes round, or goes on empty. */
export async function* pagesFrom(run: Run, operation: Operation, from?: string) {
  const limit = operation.schema.properties?.limit?.maximum;
  const seen = new Set<string | undefined>();
  for (let cursor = from; !seen.has(cursor) && seen.size < MOST_PAGES; ) {
    seen.add(cursor);
    const page = await pageAt(run, operation, cursor, limit);
    if (!page) return;
    yield { ...page, cursor };
    if (page.nextCursor === undefined || page.items.length === 0) return;
    cursor = page.nextCursor;
  }
}

/** Requests a page; null if this run may not. */
async function requested(
  run: Run,
  operation: Operation,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
) {
  const { suite, world, source, inputs } = run;
  const draft = plain(operation, inputs.all.get(operation.id) ?? operation.example, source.caller);
  setParameter(draft, "limit", limit === undefined ? null : `${limit}`);
  setParameter(draft, "cursor", cursor ?? null);
  const request = written(draft);
  const prediction = suite.oracle.predict(request, world);
  return reasonAgainst(run, request, prediction) === null ? compared(run, request, prediction) : null;
}

/** Null: this run may not send it, or the response is no page. What is wrong with it is a finding. */
async function pageAt(run: Run, operation: Operation, cursor: string | undefined, limit: number | undefined) {
  const since = run.world.lists.get(operation.id)?.now ?? 0;
  const page = await requested(run, operation, { cursor, limit });
  if (!page) return null;
  const { exchange, findings } = page;
  for (const finding of findings) run.results.find({ ...finding, script: `the end of ${operation.id}` });
  const { response } = exchange;
  if (response?.status !== 200) return null;
  const { items, nextCursor } = new View(run.suite.oracle.contract, exchange, response).object ?? {};
  if (!Array.isArray(items)) return null;
  const next = typeof nextCursor === "string" ? nextCursor : undefined;
  return { items: items as readonly unknown[], nextCursor: next, exchange, since };
}

const REQUIREMENT = "paging/cursor-of-operation";

/** The cursors of each list, sent to the others. */
async function* exchanged(run: Run, lists: readonly Operation[], exercised: Exercised): ReturnType<Script["run"]> {
  let isTried = false;
  for (const list of lists) {
    const page = await requested(run, list, { limit: 1 });
    const body = page?.exchange.response?.json;
    const cursor = isObject(body) ? body.nextCursor : undefined;
    if (typeof cursor !== "string") continue;
    for (const other of lists.filter((one) => one !== list)) {
      const answered = await requested(run, other, { cursor });
      if (!answered) continue;
      isTried = true;
      exercised(REQUIREMENT);
      for (const one of answered.findings)
        yield { ...one, requirement: one.source === "prediction" ? REQUIREMENT : one.requirement };
    }
  }
  if (!isTried) throw new Lacking("no list has a second page");
}

/** Of a contract with several lists. */
export function cursorScripts({ contract }: Oracle): readonly Script[] {
  const lists = Object.values(contract.operations).filter((one) => pageItemOf(contract, one));
  const isRequired = contract.requirements.some(({ id }) => id === REQUIREMENT);
  if (lists.length < 2 || !isRequired) return [];
  return [
    {
      ...{ id: "scenario cursors of other lists", requirements: [REQUIREMENT], effect: "read", alone: true },
      run: (run, exercised) => exchanged(run, lists, exercised),
    },
  ];
}

import type { Api } from "../client/api.ts";
import { describe, expectObject, expectStatus, fail, leftTo } from "../client/expect.ts";
import { Expectation, Stopped } from "../client/expectation.ts";
import { aimsOf, type Callable, operationById, queries } from "../client/operation.ts";
import { excerpts, type Reply } from "../client/reply.ts";
import { idOf, textOf } from "../models/paged-list.ts";
import type { Operation } from "../oracle/contract.ts";

/** The records of a target, as its queries return them: a rejected call changes none of them, and a created one is listed. */

/** Maximum pages that are read to find the end of a list. */
const MOST_PAGES = 2_500;
/** Minimum items from the near place on, if there are as many. */
const TAIL = 10;

/** Cursors near the end of a list, where new records appear; undefined where the list begins. */
interface End {
  readonly near: string | undefined;
  /** A page earlier: ids of several replicas are only nearly in order. */
  readonly far: string | undefined;
}

/** The entries and the cursor of a page. Laws judge that the page is as documented. */
function readEntries(reply: Reply): { readonly entries: readonly unknown[]; readonly nextCursor: string | undefined } {
  expectStatus(reply, 200);
  const { items, nextCursor } = expectObject(reply.json());
  if (!Array.isArray(items)) fail("body:/items", "a list as items", describe(reply));
  return { entries: items, nextCursor: typeof nextCursor === "string" ? nextCursor : undefined };
}

/** The pages of a list from a cursor on, as long as possible. It ends too where a wrong list goes round, or goes on empty. */
async function* pagesFrom(api: Api, { id, schema }: Operation, from?: string) {
  const limit = schema.properties?.limit?.maximum;
  const seen = new Set<string | undefined>();
  for (let cursor = from; !seen.has(cursor); ) {
    if (seen.size === MOST_PAGES) throw new Stopped(`${id} has more than ${MOST_PAGES} pages`);
    seen.add(cursor);
    const input = { ...api.required(id), ...(limit && { limit }), ...(cursor !== undefined && { cursor }) };
    const { entries, nextCursor } = readEntries(await api.call(id, { input }));
    yield { cursor, entries };
    if (nextCursor === undefined || entries.length === 0) return;
    cursor = nextCursor;
  }
}

const ends = new WeakMap<Api["model"], Map<string, Promise<End>>>();

/** The end of a list as it was when this run first read it. */
export function endOf(api: Api, operation: Operation): Promise<End> {
  const known = ends.get(api.model) ?? new Map<string, Promise<End>>();
  ends.set(api.model, known);
  const end =
    known.get(operation.id) ??
    findEnd(api, operation).catch((error: unknown) => {
      known.delete(operation.id);
      throw error;
    });
  known.set(operation.id, end);
  return end;
}

/** Looks up again where a list ends now, and lets another model of the same deployment begin there. */
export async function passEnd(api: Api, operation: Operation, to: Api["model"]): Promise<void> {
  const { model } = api;
  const end = await endOf(api, operation)
    .then(({ near }) => findEnd(api, operation, near))
    .catch((error: unknown): End => {
      // A wrong deployment may no longer accept the cursor: then it begins with the first page.
      if (error instanceof Expectation) return { near: undefined, far: undefined };
      throw error;
    });
  for (const one of [model, to]) ends.set(one, (ends.get(one) ?? new Map()).set(operation.id, Promise.resolve(end)));
  const cursor = end.near;
  const after = model.lists.get(operation.id)?.placeOf(cursor);
  if (cursor === undefined || after === undefined) return;
  to.cursors.set(operation.id, new Set([cursor]));
  to.lists.get(operation.id)?.learn({ after, limit: 1, isLimited: true, items: [], nextCursor: cursor });
}

async function findEnd(api: Api, operation: Operation, from?: string): Promise<End> {
  const cursors: (string | undefined)[] = [];
  let length = 0;
  try {
    for await (const { cursor, entries } of pagesFrom(api, operation, from)) {
      cursors.push(cursor);
      length = entries.length;
    }
  } catch (error) {
    // A nextCursor that leads nowhere: what follows it is judged as every page is.
    if (!(error instanceof Expectation) || cursors.length === 0) throw error;
  }
  if (length < TAIL) cursors.pop();
  return { near: cursors.at(-1) ?? from, far: cursors.at(-2) ?? from };
}

/** The entries from the end on, and the page before it. */
async function latestOf(api: Api, operation: Operation): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const { entries } of pagesFrom(api, operation, (await endOf(api, operation)).far)) all.push(...entries);
  return all;
}

/** Checks that each record that these responses show is listed, as they show it. */
export async function expectListed(api: Api, command: Operation, created: readonly Reply[]): Promise<void> {
  for (const list of api.model.listsOf(command)) {
    const listed = new Map((await latestOf(api, list)).map((entry) => [idOf(entry), textOf(entry)]));
    for (const body of created.map((reply) => reply.json())) {
      const [expected, actual] = excerpts(textOf(body), listed.get(idOf(body)) ?? "no such record");
      // The law of this requirement sees the same list, unless it is not selected.
      if (expected !== actual)
        throw new Expectation("state", `in ${list.id} ${expected}`, actual, `${command.id}/listed`);
    }
  }
}

/** The records that a command can change, as queries return them: its targets, and the records with an address that it sends. */
export interface State {
  readonly command: Callable;
  /** Values that identify a record, in any letter case: the addresses, and those of `aims`, by member. */
  readonly addresses: readonly string[];
  readonly aims: Readonly<Record<string, unknown>>;
  /** The records, each as one text. */
  readonly records: readonly string[];
}

/**
 * The records that a command could change with this input, before it is sent; `sent` has additional addresses. Does not query by
 * address: each address is new, so no record has it.
 */
export async function stateOf(
  api: Api,
  command: Callable,
  input: unknown,
  ...sent: readonly unknown[]
): Promise<State> {
  const aims = Object.fromEntries(Object.entries(Object(input)).filter(([member]) => aimsOf(command).includes(member)));
  const state = { command, addresses: emailsIn(api, [input, ...sent]), aims, records: [] };
  return Object.keys(aims).length === 0 ? state : { ...state, records: await recordsOf(api, state) };
}

/** Checks that rejected calls have changed nothing: no record was changed, removed or created. */
export async function expectUnchanged(api: Api, before: State): Promise<void> {
  const after = await recordsOf(api, before);
  const [come] = after.filter((record) => !before.records.includes(record));
  const [gone] = before.records.filter((record) => !after.includes(record));
  if (come === undefined && gone === undefined) return;
  const [was, is] = excerpts(gone ?? "", come ?? "");
  fail("state", gone === undefined ? "a refused call that creates nothing" : was, come === undefined ? "nothing" : is);
}

/** The addresses in an input or a body that this run has generated; in a body that is a text, quotes are escaped. */
function emailsIn(api: Api, value: unknown): string[] {
  // Not by a single pattern: it would read the rest of a megabyte again at each character.
  const words = JSON.stringify(value).split(/["\\\s]+/);
  return words.filter((word) => word.includes(api.runId) && word.includes("@"));
}

/** Queries of one record, and the member that identifies it: its value has the same source as the command's member. */
const readersOf = ({ exampleFrom }: Callable, aim: string): readonly { query: Operation; member: string }[] => {
  const sources = (exampleFrom[aim] ?? []).map((source) => JSON.stringify(source));
  return queries.flatMap((query) =>
    Object.entries(query.exampleFrom)
      .filter(([, from]) => from.some((source) => sources.includes(JSON.stringify(source))))
      .map(([member]) => ({ query, member })),
  );
};

async function recordsOf(api: Api, { command, addresses, aims }: Omit<State, "records">): Promise<string[]> {
  const marks = new Set([...addresses, ...Object.values(aims)].map((mark) => String(mark).toLowerCase()));
  if (marks.size === 0) return [];
  const records: string[] = [];
  for (const list of api.model.listsOf(operationById(command.id))) {
    const entries = await leftTo("its operation", () => latestOf(api, list));
    const marked = entries.filter((entry) =>
      Object.values(Object(entry)).some((value) => marks.has(String(value).toLowerCase())),
    );
    records.push(...marked.map((entry) => JSON.stringify(entry)));
  }
  for (const [aim, value] of Object.entries(aims)) {
    for (const { query, member } of readersOf(command, aim)) {
      const { status, text } = await api.call(query.id, { input: { ...api.example(query.id), [member]: value } });
      // The body of a rejection has a request id of its own.
      records.push(`${query.id}: ${status < 300 ? text : status}`);
    }
  }
  return records;
}

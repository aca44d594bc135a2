import { type OperationId, operations } from "../../generated/operations.ts";
import type { Api } from "../client/api.ts";
import { describe, expectObject, expectStatus, fail, leftTo } from "../client/expect.ts";
import { Stopped } from "../client/expectation.ts";
import { aimsOf, type Known, queries } from "../client/operation.ts";
import { excerpts, type Reply } from "../client/reply.ts";

/** The records of a target, as its queries return them, and the check that a rejected call changes none of them. */

export interface WalkOptions {
  /** Entries on a page; default 200, the maximum. */
  readonly limit?: number;
  /** The cursor to start at; if absent, the walk starts at the first entry. */
  readonly from?: string;
  /** The maximum number of pages, so that the walk also ends if the target returns pages in a cycle. */
  readonly maxPages?: number;
}

/** A position in a list: the number of pages before it, and its cursor. */
type Place = Readonly<{ pages: number; cursor: string | undefined }>;

/** The maximum number of pages that a walk reads, of 200 entries each. */
const MAX_PAGES = 2_500;

/** A list with more pages is long: a run reads it whole once, and then from near its end, where new entries appear. */
const LONG = 50;
/** A later walk starts this many pages before the last known page: ids of several replicas are only nearly in order. */
const BACK = 2;

/** A page of any list: its cursor and its content. */
export interface PageOfAny {
  readonly cursor: string | undefined;
  readonly entries: readonly unknown[];
  readonly nextCursor: string | undefined;
}

/** The response that contains an entry of a list, for findings about the entry. */
export const sources = new WeakMap<object, Reply>();

/** Reads the entries and the cursor of a page. A separate check validates that the page is as documented. */
export function readEntries(reply: Reply): Omit<PageOfAny, "cursor"> {
  expectStatus(reply, 200);
  const { items, nextCursor } = expectObject(reply.json());
  if (!Array.isArray(items)) fail("body:/items", "a list as items", describe(reply));
  for (const item of items) if (typeof item === "object" && item !== null) sources.set(item, reply);
  return { entries: items, nextCursor: typeof nextCursor === "string" ? nextCursor : undefined };
}

/**
 * The pages of a list, from a cursor if one is given. Without options, later walks of a long list return only the pages near its
 * end. The walk ends after `maxPages` pages, at a page without `nextCursor`, or at a page without new entries (which
 * `user.list/next` reports). Throws `Stopped` for a list that is too long to be read.
 */
export async function* pagesOf(
  api: Api,
  id: OperationId,
  { limit = 200, from, maxPages }: WalkOptions = {},
): AsyncGenerator<PageOfAny> {
  const whole = limit === 200 && from === undefined && maxPages === undefined;
  const seen = new Set<string>();
  let place: Place = (whole && api.places.get(id)) || { pages: 0, cursor: from };
  const before: Place[] = [];
  for (let read = 0; read !== maxPages; read += 1) {
    const { pages, cursor } = place;
    if (pages === MAX_PAGES) throw new Stopped(`there are more than ${MAX_PAGES * limit} entries`);
    const page = readEntries(await api.call(id, { input: { limit, ...(cursor && { cursor }) } }));
    const fresh = page.entries.map((entry) => JSON.stringify(entry)).filter((entry) => !seen.has(entry));
    if (fresh.length === 0 && read > 0) return;
    for (const entry of fresh) seen.add(entry);
    yield { cursor, ...page };
    if (page.nextCursor === undefined) return;
    before.push(place);
    place = { pages: pages + 1, cursor: page.nextCursor };
    if (whole && pages >= LONG) place = furthest(api, id, place, before);
  }
}

/** Where to continue in a long list: here, or where another check of this run has stopped. Stores where later walks start. */
function furthest({ places }: Api, id: OperationId, place: Place, before: readonly Place[]): Place {
  const known = places.get(id);
  if (known && known.pages > place.pages) return known;
  const start = before.at(-BACK);
  if (start && start.pages === place.pages - BACK) places.set(id, start);
  return place;
}

/** The entries of these pages. */
export async function walk(api: Api, id: OperationId, options: WalkOptions = {}): Promise<unknown[]> {
  const entries: unknown[] = [];
  for await (const page of pagesOf(api, id, options)) entries.push(...page.entries);
  return entries;
}

/** The records that a command can change, as queries return them: its targets, and the records with an address that it sends. */
export interface State {
  readonly command: Known;
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
export async function stateOf(api: Api, command: Known, input: unknown, ...sent: readonly unknown[]): Promise<State> {
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

/** The same for a create with known, new addresses. */
export const expectNotCreated = (api: Api, addresses: readonly string[]): Promise<void> =>
  expectUnchanged(api, { command: operations["user.create"], addresses, aims: {}, records: [] });

/** The addresses in an input or a body that this run has generated; in a body that is a text, quotes are escaped. */
function emailsIn(api: Api, value: unknown): string[] {
  // Not by a single pattern: it would read the rest of a megabyte again at each character.
  const words = JSON.stringify(value).split(/["\\\s]+/);
  return words.filter((word) => word.includes(api.runId) && word.includes("@"));
}

/** Lists of the same resource: `user.list` of `user.create`. */
const listsOf = ({ id }: Known): readonly Known[] =>
  queries.filter((query) => "cursor" in query.input && resourceOf(query.id) === resourceOf(id));
const resourceOf = (id: string) => id.slice(0, id.lastIndexOf("."));

/** Queries of one record, and the member that identifies it: its value has the same source as the command's member. */
const readersOf = ({ exampleFrom }: Known, aim: string): readonly { query: Known; member: string }[] => {
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
  for (const { id } of listsOf(command)) {
    const entries = await leftTo("its operation", () => walk(api, id));
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

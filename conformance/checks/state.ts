import { type OperationId, operations } from "../../generated/operations.ts";
import type { Api } from "../client/api.ts";
import { describe, expectObject, expectStatus, fail, leftTo } from "../client/expect.ts";
import { Stopped } from "../client/expectation.ts";
import { aimsOf, type Known, queries } from "../client/operation.ts";
import { excerpts, type Reply } from "../client/reply.ts";

/** What a target holds, as its queries show it, and that a refused call changes none of it. */

export interface WalkOptions {
  /** Entries a page; default 200, the most there can be. */
  readonly limit?: number;
  /** The cursor to start at; absent: the first entry. */
  readonly from?: string;
  /** Stop after so many pages, so that a target that goes round in circles ends too. */
  readonly maxPages?: number;
}

/** A place in a list: the pages before it, and the cursor that leads there. */
type Place = Readonly<{ pages: number; cursor: string | undefined }>;

/** Pages that a walk reads at most, of 200 entries each. */
const MAX_PAGES = 2_500;

/** A list of more pages is long: it is read from its beginning once in a run, and then from near its end, where what is new comes. */
const LONG = 50;
/** So many pages before the last one that was seen: ids of several replicas come nearly in order. */
const BACK = 2;

/** A page of any list: where it starts, and what it says. */
export interface PageOfAny {
  readonly cursor: string | undefined;
  readonly entries: readonly unknown[];
  readonly nextCursor: string | undefined;
}

/** The response that an entry of a list was read from, for a finding about the entry to show. */
export const sources = new WeakMap<object, Reply>();

/** A page, read for its entries and its cursor: whether it is as documented is for one check to say, and not for all. */
export function readEntries(reply: Reply): Omit<PageOfAny, "cursor"> {
  expectStatus(reply, 200);
  const { items, nextCursor } = expectObject(reply.json());
  if (!Array.isArray(items)) fail("body:/items", "a list as items", describe(reply));
  for (const item of items) if (typeof item === "object" && item !== null) sources.set(item, reply);
  return { entries: items, nextCursor: typeof nextCursor === "string" ? nextCursor : undefined };
}

/**
 * The pages of a list from one place on, or of a long one, unless told otherwise, those near its end. It ends at the `maxPages`th
 * page, where no cursor leads on, and where one leads to nothing new, which is for `user.list/next` to say, and not for all.
 * Throws `Stopped` for a list that is too long to be read: of what is not in sight nothing can be said.
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

/** Where to go on in a long list: here, or where another check of this run has come to. Others may begin some pages before. */
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

/** What stands of a command's input in what queries show: the records that it is aimed at, and those with an address that it sends. */
export interface State {
  readonly command: Known;
  /** Values that mark a record, in lower case: the addresses, and what `aims` holds by its member. */
  readonly addresses: readonly string[];
  readonly aims: Readonly<Record<string, unknown>>;
  /** The records, each as one text. */
  readonly records: readonly string[];
}

/**
 * What a command could change with this input, before it is sent; `sent` holds further addresses. No address is asked for:
 * each is fresh, so that nothing has it.
 */
export async function stateOf(api: Api, command: Known, input: unknown, ...sent: readonly unknown[]): Promise<State> {
  const aims = Object.fromEntries(Object.entries(Object(input)).filter(([member]) => aimsOf(command).includes(member)));
  const state = { command, addresses: emailsIn(api, [input, ...sent]), aims, records: [] };
  return Object.keys(aims).length === 0 ? state : { ...state, records: await recordsOf(api, state) };
}

/** Calls that were refused have changed nothing of it: no record is another than before, gone, or there for the first time. */
export async function expectUnchanged(api: Api, before: State): Promise<void> {
  const after = await recordsOf(api, before);
  const [come] = after.filter((record) => !before.records.includes(record));
  const [gone] = before.records.filter((record) => !after.includes(record));
  if (come === undefined && gone === undefined) return;
  const [was, is] = excerpts(gone ?? "", come ?? "");
  fail("state", gone === undefined ? "a refused call that creates nothing" : was, come === undefined ? "nothing" : is);
}

/** The same for a create whose addresses are known, and fresh. */
export const expectNotCreated = (api: Api, addresses: readonly string[]): Promise<void> =>
  expectUnchanged(api, { command: operations["user.create"], addresses, aims: {}, records: [] });

/** The addresses in an input or a body that this run gave out; in a body that is a text, its quotes are escaped. */
function emailsIn(api: Api, value: unknown): string[] {
  // Not by one pattern: at each character of a text of a megabyte, it would read all that follow.
  const words = JSON.stringify(value).split(/["\\\s]+/);
  return words.filter((word) => word.includes(api.runId) && word.includes("@"));
}

/** Lists of the same resource: `user.list` of `user.create`. */
const listsOf = ({ id }: Known): readonly Known[] =>
  queries.filter((query) => "cursor" in query.input && resourceOf(query.id) === resourceOf(id));
const resourceOf = (id: string) => id.slice(0, id.lastIndexOf("."));

/** Queries of one record, and the member that takes what a command is aimed at: both values have the same source. */
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
      // A refusal names its request.
      records.push(`${query.id}: ${status < 300 ? text : status}`);
    }
  }
  return records;
}

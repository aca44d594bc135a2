import { mayChange, membersOf, type Operation, pageItemOf } from "../oracle/contract.ts";
import { isOpaqueFor } from "../oracle/effects.ts";
import { filterOf } from "../oracle/filters.ts";
import { freeMembersOf } from "../oracle/keywords.ts";
import { listKeyOf } from "../oracle/lists.ts";
import type { Created, ModelState } from "../oracle/model-state.ts";
import { orderOf } from "../oracle/order.ts";
import type { ParsedRequest } from "../oracle/parsed-request.ts";
import type { Oracle } from "../oracle/predict.ts";
import { PagedList } from "./paged-list.ts";
import { type Clock, Records } from "./records.ts";

type Sets = Map<string, Set<string>>;

/** What a run knows of its deployment. `learn` changes it. */
export interface KnownState extends ModelState {
  readonly oracle: Oracle;
  readonly clock: Clock;
  readonly doubtful: Set<string>;
  /** By resource, its records. */
  readonly records: ReadonlyMap<string, Records>;
  /** The address of the deployment, without `/api/`. */
  readonly url: string;
  /** Files of the contract and its extensions, and the files that their pages load. */
  readonly files: Set<string>;
  readonly names: Sets;
  readonly cursors: Sets;
  readonly tags: Sets;
  readonly created: Map<string, Created>;
  readonly taken: Sets;
  /**
   * The content of the pages of each list: by its operation if no further parameters are sent,
   * otherwise by `listKeyOf`.
   */
  readonly lists: Map<string, PagedList>;
  /** By code and value, the record with a value that must be unique. */
  readonly owners: Map<string, string>;
}

/** The records that an operation works on; none if its contract states no effect. */
export const recordsOf = (
  { records }: Pick<KnownState, "records">,
  { effect }: Pick<Operation, "effect">,
): Records | undefined => effect && records.get(effect.resource);

/** What is known of a deployment before the first exchange. */
interface Beginning
  extends Pick<KnownState, "url">,
    Partial<Pick<KnownState, "keys" | "platforms" | "runId">> {
  readonly files?: readonly string[];
}

export function emptyState(
  oracle: Oracle,
  { url, keys = new Map(), platforms = [], files = [], runId }: Beginning,
): KnownState {
  const { contract } = oracle;
  const clock = { now: 0 };
  const operations = Object.values(contract.operations);
  const mayLose = operations.some(({ effect }) => effect?.kind === "deletes");
  const records = new Map(
    Object.entries(contract.resources ?? {}).map(([name, { key, volatile }]) => {
      const isChanged = operations.some(
        (one) => isOpaqueFor(one, name) || (one.effect?.resource === name && mayChange(one)),
      );
      const options = { key, volatile, free: freeMembersOf(contract, name) };
      return [name, new Records(clock, { ...options, areOpen: isChanged || mayLose })] as const;
    }),
  );
  const lists = operations.flatMap((operation) => {
    const item = pageItemOf(contract, operation);
    const stated = operation.effect?.kind === "lists" && operation.effect.resource;
    const ofResource = stated ? records.get(stated) : undefined;
    if (!item) return [];
    const hasIds = Object.hasOwn(membersOf(contract, item), ofResource?.options.key ?? "id");
    const order = hasIds ? orderOf(contract, operation, item) : null;
    const options = {
      records: ofResource ?? unstated(oracle, clock),
      hasIds,
      order,
      // Its members change by themselves, or do not compare.
      isOpen: operation.order !== undefined && order === null,
      filter: null,
      isFiltered: false,
      mayShrink: operations.some(mayChange),
    };
    return [[operation.id, new PagedList(options)] as const];
  });
  return {
    oracle,
    clock,
    doubtful: new Set(),
    records,
    ...(runId !== undefined && { runId }),
    url: url.replace(/\/$/, ""),
    keys,
    platforms,
    files: new Set(files),
    lists: new Map(lists),
    names: new Map(),
    cursors: new Map(),
    tags: new Map(),
    created: new Map(),
    taken: new Map(),
    owners: new Map(),
  };
}

/** The records of a list of which nothing is stated. */
const unstated = ({ contract }: Oracle, clock: Clock): Records =>
  new Records(clock, {
    key: "id",
    volatile: [],
    free: [],
    areOpen: Object.values(contract.operations).some(mayChange),
  });

/** Lists with other parameters that are remembered: `--explore` may send any number of values. */
const MOST_LISTS = 500;

/**
 * The list that a request reads. With other parameters it may have other items; undefined for an
 * operation that is no list.
 */
export function listFor(model: KnownState, reading: ParsedRequest): PagedList | undefined {
  const { lists, oracle, clock } = model;
  const whole = lists.get(reading.operation?.id ?? "");
  if (!whole) return undefined;
  const key = listKeyOf(reading);
  const known = lists.get(key);
  if (known) return known;
  const filter = filterOf(reading);
  const isFiltered = filter !== null && key !== reading.operation?.id;
  const records = filter ? whole.records : unstated(oracle, clock);
  const list = new PagedList({ ...whole.options, records, filter, isFiltered });
  if (lists.size < MOST_LISTS) lists.set(key, list);
  return list;
}

import {
  type Comparing,
  FREE,
  type KnownRecords,
  type Members,
  mayBe,
  type RecordState,
} from "../oracle/records.ts";
import { type Comparison, keyText, stringOf } from "../oracle/values.ts";
import { idOf } from "./item.ts";

/** The time of a run, in events: what becomes known later is not expected of an earlier request. */
export interface Clock {
  now: number;
}

/** What happened last to a record: a difference is about that. */
export type RecordEvent = "seen" | "created" | "updated" | "state" | "deleted" | "rejected";

/** What a command does to a record: what this may be afterwards. */
export interface Change {
  /** Null: anything. */
  readonly apply: ((state: Members) => readonly RecordState[]) | null;
  readonly event: RecordEvent;
  /** When the command was sent. */
  readonly since: number;
  /** Whether it may not have been carried out. */
  readonly isOpen?: boolean;
}

type States = readonly RecordState[] | null;

/** A record: seen, or created by this run. */
interface Entry {
  /** What it may be; null: anything, or gone. */
  readonly states: States;
  /** What it may have been before, and until when. */
  readonly former: readonly { readonly states: States; readonly until: number }[];
  /** How many commands may change it, and have not ended: nothing is known of it meanwhile. */
  readonly underWay: number;
  /** What those did that have ended meanwhile, and when they ended. */
  readonly changes: readonly (Change & { readonly until: number })[];
  /** When it became known, and when it last changed. */
  readonly at: number;
  readonly changed: number;
  readonly isOwn: boolean;
  readonly event: RecordEvent;
}

/** How many earlier states are remembered for responses that are on their way. */
const MOST_FORMER = 4;
/** Of more commands at once on one record not every order is tried. */
const MOST_AT_ONCE = 5;

interface Options extends Comparing {
  /** The member that names a record. */
  readonly key: string;
  /** Whether some command may change a record: then nothing is known of those of others. */
  readonly areOpen: boolean;
}

/** The records of a resource, or of a list of which nothing is stated. */
export class Records implements KnownRecords {
  private readonly entries = new Map<string, Entry>();
  /** By order, the records of one possible state; empty where one has changed since. */
  private readonly sorted = new Map<Comparison<Members>, Members[]>();

  constructor(
    private readonly clock: Clock,
    readonly options: Options,
  ) {}

  /** The same at another time, to try what commands may have done. */
  copy(clock: Clock): Records {
    const copied = new Records(clock, this.options);
    for (const [id, entry] of this.entries) copied.entries.set(id, entry);
    return copied;
  }

  get size(): number {
    return this.entries.size;
  }

  get ids(): readonly string[] {
    return [...this.entries.keys()];
  }

  idOf(item: unknown): string {
    return keyText(idOf(item, this.options.key));
  }

  isOwn(id: string): boolean {
    return this.entries.get(id)?.isOwn === true;
  }

  eventOf(id: string): RecordEvent {
    return this.entries.get(id)?.event ?? "seen";
  }

  /** Whether a record was known at that time. */
  isKnownAt(id: string, now: number): boolean {
    return (this.entries.get(id)?.at ?? Number.POSITIVE_INFINITY) <= now;
  }

  /** Records that a record exists. */
  add(item: unknown, isOwn: boolean): void {
    const id = this.idOf(item);
    this.clock.now += 1;
    const known = this.entries.get(id);
    if (known && (known.isOwn || !isOwn)) return;
    const states = this.options.areOpen && !isOwn ? null : [Object(item) as Members];
    const at = this.clock.now;
    const event = isOwn ? "created" : "seen";
    const none = { former: [], underWay: 0, changes: [] };
    const entry: Entry = { ...none, states, at, changed: at, isOwn, event };
    if (known) this.sorted.clear();
    this.entries.set(id, entry);
    for (const [order, items] of this.sorted)
      if (states?.[0]) items.splice(indexBehind(items, order, states[0]), 0, states[0]);
  }

  /** A command that may change or remove a record is sent, or, with -1, has ended. */
  underWay(id: string, count: 1 | -1): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    const underWay = Math.max(0, entry.underWay + count);
    this.set(id, settled({ ...entry, underWay }, this.clock));
  }

  /** A command was carried out, or may have been. */
  change(id: string, change: Change): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.clock.now += 1;
    // What has ended since the command was sent may have been carried out after it.
    const isOpen = change.isOpen === true || entry.changed > change.since;
    const changes = [...entry.changes, { ...change, isOpen, until: this.clock.now }];
    this.set(id, settled({ ...entry, changes, event: change.event }, this.clock));
  }

  private set(id: string, entry: Entry): void {
    if (entry.states !== this.entries.get(id)?.states) this.sorted.clear();
    this.entries.set(id, entry);
  }

  /** A command that names the record was rejected. */
  reject(id: string): void {
    const entry = this.entries.get(id);
    if (entry) this.entries.set(id, { ...entry, event: "rejected" });
  }

  /** A response to a request sent at `since` shows what a record is. */
  show(id: string, shown: RecordState, since: number): void {
    const entry = this.entries.get(id);
    if (!entry?.isOwn || entry.underWay > 0 || entry.changed > since) return;
    const { states, event } = entry;
    const isPossible = (state: RecordState) =>
      shown === null ? state === null : mayBe(state, shown, this.options);
    // What cannot be is a finding, and changes nothing.
    if (states?.some(isPossible) === false) return;
    // The rejection of a command has changed nothing.
    const seen = { ...entry, event: event === "rejected" ? "seen" : event } as const;
    const isKnown = states?.length === 1 && !isPartlyFree(states[0] ?? null);
    this.set(id, isKnown ? seen : { ...seen, states: [shown] });
  }

  statesOf(id: string): States | undefined {
    return this.statesSince(id, this.clock.now);
  }

  /**
   * What a response to a request sent at `since` may show of a record; `own`: how many commands are
   * under way that are this request.
   */
  statesSince(id: string, since: number, own = 0): States | undefined {
    const entry = this.entries.get(id);
    if (!entry) return undefined;
    const former = entry.former.filter(({ until }) => until > since);
    if (entry.underWay > own || former.length === MOST_FORMER) return null;
    const all = [...former.map(({ states }) => states), entry.states];
    return all.every((states) => states !== null) ? all.flat() : null;
  }

  /**
   * What a record is for a request sent at `since`, and has been since the walk began; undefined
   * where that is not certain.
   */
  certain(id: string, since: number, walk: number): Members | undefined {
    const entry = this.entries.get(id);
    if (!entry || entry.at > since) return undefined;
    if (entry.changed > Math.max(entry.at, walk)) return undefined;
    const states = this.statesSince(id, since) ?? [];
    const [state] = states;
    return states.length === 1 && state && !isPartlyFree(state) ? state : undefined;
  }

  /**
   * The records of one possible state behind a place, in an order; without one all, as they became
   * known.
   */
  behind(order: Comparison<Members> | null, place: Members | null): readonly Members[] {
    const known = order && this.sorted.get(order);
    const items = known ?? [...this.singles()].sort(order ?? (() => 0));
    if (order) this.sorted.set(order, items);
    return order && place ? items.slice(indexBehind(items, order, place)) : items;
  }

  private *singles(): Iterable<Members> {
    for (const { states } of this.entries.values()) {
      const [state] = states ?? [];
      if (states?.length === 1 && state) yield state;
    }
  }

  /** The records in which a member may have this value. */
  referringTo(member: string, value: string): readonly string[] {
    const refers = (state: RecordState) => state !== null && stringOf(state[member]) === value;
    return [...this.entries].flatMap(([id, { states }]) =>
      states === null || states.some(refers) ? [id] : [],
    );
  }

  *ownStates(): Iterable<readonly [id: string, states: States]> {
    for (const [id, { isOwn }] of this.entries) if (isOwn) yield [id, this.statesOf(id) ?? null];
  }
}

const isPartlyFree = (state: RecordState) => state !== null && Object.values(state).includes(FREE);

/** Where an item is inserted, or what follows it begins: mostly at the end. */
function indexBehind(items: readonly Members[], order: Comparison<Members>, item: Members): number {
  let [from, to] = [0, items.length];
  const last = items.at(-1);
  if (last === undefined || order(last, item) <= 0) return to;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (order(items[middle] ?? {}, item) <= 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** When no command is under way: what all that have ended may have left, in any order. */
function settled(entry: Entry, clock: Clock): Entry {
  const { underWay, changes, states, former } = entry;
  if (underWay > 0 || changes.length === 0) return entry;
  clock.now += 1;
  const until = clock.now;
  const ends = states && changes.length <= MOST_AT_ONCE ? outcomesOf(states, changes) : null;
  const earlier = { states: ends?.passed ?? null, until };
  return {
    ...entry,
    changes: [],
    states: ends?.last ?? null,
    former: [...former, earlier].slice(-MOST_FORMER),
    changed: until,
  };
}

type Ended = Entry["changes"][number];

/** What a record may be after these changes, and what it may have been before; null: anything. */
function outcomesOf(states: readonly RecordState[], changes: readonly Ended[]) {
  const passed: RecordState[] = [...states];
  const last: RecordState[] = [];
  let isOpen = false;
  const follow = (now: readonly RecordState[], rest: readonly Ended[]): void => {
    if (rest.length === 0) last.push(...now);
    for (const change of rest) {
      // What had ended before another was sent was carried out before it.
      if (rest.some((other) => other !== change && other.until <= change.since)) continue;
      const { apply } = change;
      isOpen ||= apply === null;
      const after = now.flatMap((state) => (state && apply ? apply(state) : [state]));
      const remaining = rest.filter((other) => other !== change);
      if (remaining.length > 0) passed.push(...after);
      follow(change.isOpen ? [...now, ...after] : after, remaining);
    }
  };
  follow(states, changes);
  return isOpen ? null : { passed, last: [...new Set(last)] };
}

import type { Difference } from "../exchange.ts";
import { type Entry, idOf, latest, textOf, textsOf } from "./item.ts";
import type { Order } from "./order.ts";

/** A fault of a page, by the rule that it violates: `order`, `walk`, `next`, `listed` … */
export interface PageDifference extends Difference {
  readonly rule: string;
}

/** Where a page of a walk begins. */
export interface Place {
  /** The last item before it; null if there was none. */
  readonly last: string | null;
  /** When the walk began, in events of the list. */
  readonly since: number;
  /** In a list without an order: the items of the previous page, and where that page began. */
  readonly ids: readonly string[];
  readonly before: Place | null;
}

/** A page as read: its request and its content. */
export interface Page {
  /** Null: it begins with the first item of the list. */
  readonly after: Place | null;
  readonly limit: number;
  /** Whether the request set a limit. */
  readonly isLimited: boolean;
  readonly items: readonly unknown[];
  readonly nextCursor: string | undefined;
}

/** Every item on the pages of a walk before this place; of a list with an order none is kept. */
function shownBefore(place: Place | null): readonly string[] {
  const ids: string[] = [];
  for (let at = place; at !== null; at = at.before) ids.push(...at.ids);
  return ids;
}

/**
 * The model of a paged list: an ordered set that only grows, but for what commands of this run
 * change or remove. It knows the items that were seen or created, and checks that later pages show
 * them. Other clients may add items at any time, anywhere: unknown items are never missing. A list
 * whose items have no `id` may show equal items: of it, only the length of a page is checked. Of
 * one with ids and without an order, a walk shows each item once.
 */
export class PagedList {
  private readonly entries = new Map<string, Entry>();
  private sorted: string[] = [];
  /** By cursor, the item before the page that it begins. */
  private readonly positions = new Map<string, Place>();
  /**
   * The current time, in events of this list: items known later must not be expected of a request
   * sent before.
   */
  now = 0;
  /** Whether a command may have removed an item. */
  private mayShrink = false;

  /** `hasIds`: whether its items have a member `id`; `order`: of these ids. */
  constructor(
    readonly hasIds: boolean,
    readonly order: Order | null,
  ) {}

  /** How many items are known. */
  get size(): number {
    return this.entries.size;
  }

  /** The position of a cursor; undefined for one that no page of this list returned. */
  placeOf(cursor: string | undefined): Place | null | undefined {
    return cursor === undefined ? null : this.positions.get(cursor);
  }

  /** Records that an item exists. */
  add(item: unknown, isOwn: boolean): void {
    if (!this.hasIds) return;
    const id = idOf(item);
    this.now += 1;
    if (this.entries.has(id)) return;
    const entry = { texts: [textOf(item)], mayBeGone: false, underWay: 0, at: this.now, isOwn };
    this.entries.set(id, entry);
    this.sorted.splice(this.indexAfter(id), 0, id);
  }

  /** The ids of all known items. */
  get ids(): readonly string[] {
    return [...this.entries.keys()];
  }

  /** A command that may change or remove an item is sent, or, with -1, has ended. */
  underWay(id: string, count: 1 | -1): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.mayShrink = true;
    this.entries.set(id, { ...entry, underWay: Math.max(0, entry.underWay + count) });
  }

  /**
   * A command has changed an item, or removed it; `item`: as its response shows it, null where it
   * does not. Several commands may change one item at once, and responses do not show in which
   * order: any of its texts may be the one that stays.
   */
  change(id: string, item: unknown): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.mayShrink = true;
    const text = textOf(item);
    const texts =
      item === null ? null : entry.texts && [...entry.texts.filter((one) => one !== text), text];
    this.entries.set(id, { ...entry, texts, mayBeGone: true });
  }

  /** Whether a page shows an item that was known at `now`; `isOwn`: that this run has created. */
  shows({ items }: Page, now: number, isOwn = false): boolean {
    return items.some((item) => {
      const entry = this.entries.get(idOf(item));
      return entry !== undefined && entry.at <= now && (entry.isOwn || !isOwn);
    });
  }

  /**
   * What is known of an item with this id: its own text where it has been this one, otherwise its
   * latest.
   */
  textOf(item: unknown): string | undefined {
    const entry = this.entries.get(idOf(item));
    return textsOf(entry)?.includes(textOf(item)) ? textOf(item) : latest(entry);
  }

  /** Learns from a page that was requested at `now`. */
  learn({ after, items, nextCursor }: Page, now: number): void {
    for (const item of items) this.add(item, false);
    if (nextCursor === undefined) return;
    const ids = items.map(idOf);
    const shown = this.order === null ? { ids, before: after } : { ids: [], before: null };
    const last = ids.at(-1) ?? after?.last ?? null;
    this.positions.set(nextCursor, { last, since: after?.since ?? now, ...shown });
  }

  /**
   * The first items, so many at `most`, that are known to follow this place, of those that were
   * known at `now`, or without an order when the walk began; what a command may have removed is
   * not among them.
   */
  following(after: Place | null, now: number, most: number): readonly string[] {
    const [shown, since] = this.order
      ? [new Set(), now]
      : [new Set(shownBefore(after)), after?.since ?? now];
    const some: string[] = [];
    const first = this.order && after?.last != null ? this.indexAfter(after.last) : 0;
    for (let index = first; index < this.sorted.length && some.length < most; index += 1) {
      const id = this.sorted[index] ?? "";
      const entry = this.entries.get(id);
      const isThere = textsOf(entry) !== null && entry?.mayBeGone === false;
      if (isThere && entry.at <= since && !shown.has(id)) some.push(id);
    }
    return some;
  }

  /**
   * The first difference between a page and what it must be for a request sent at `now`; null if
   * there is none.
   */
  differenceOf(page: Page, now: number): PageDifference | null {
    return (
      this.orderOf(page) ?? this.contentOf(page) ?? this.gapIn(page, now) ?? this.lengthOf(page)
    );
  }

  private orderOf({ after, items }: Page): PageDifference | null {
    const { hasIds, order } = this;
    if (!hasIds) return null;
    const [pageIds, aspect] = [items.map(idOf), "body:/items/*/id"];
    if (!order) {
      const here = new Set(pageIds);
      const twice =
        shownBefore(after).find((id) => here.has(id)) ??
        pageIds.find((id, at) => pageIds.indexOf(id) < at);
      if (twice === undefined) return null;
      return {
        rule: "walk",
        aspect,
        expected: "each item once in a walk",
        actual: `${twice} again`,
      };
    }
    const last = after?.last ?? null;
    const ids = last === null ? pageIds : [last, ...pageIds];
    const at = ids.findIndex((id, index) => index > 0 && order(id, ids[index - 1] ?? "") <= 0);
    if (at < 0) return null;
    const [before = "", id = ""] = ids.slice(at - 1);
    const again = last !== null && order(id, last) <= 0;
    return {
      rule: again ? "walk" : "order",
      aspect,
      expected: `an item behind ${before}, in ascending order`,
      actual: id === before ? `${id} again` : id,
    };
  }

  private contentOf({ items }: Page): PageDifference | null {
    for (const item of items) {
      const known = this.entries.get(idOf(item));
      const text = textOf(item);
      const expected = latest(known);
      if (!known || expected === undefined || textsOf(known)?.includes(text)) continue;
      return {
        rule: known.isOwn ? "listed" : "read-only",
        aspect: "body:/items",
        expected,
        actual: text,
      };
    }
    return null;
  }

  /**
   * Every known item in the range of this page must be there; if no page follows, every known item
   * after it too.
   */
  private gapIn({ after, limit, items, nextCursor }: Page, now: number): PageDifference | null {
    const { order } = this;
    if (!order && nextCursor !== undefined) return null;
    const shown = new Set(items.map(idOf));
    const last = items.length > 0 ? idOf(items.at(-1)) : null;
    const missing = this.following(after, now, items.length + 1).find((id) => !shown.has(id));
    if (missing === undefined) return null;
    const behind = last === null || !order || order(missing, last) > 0;
    if (behind && nextCursor !== undefined) return null;
    const entry = this.entries.get(missing);
    const actual = `${items.length} items${last === null ? "" : `, the last one ${last}`}`;
    // The page has its maximum length, so only the cursor to the next one is missing.
    if (behind && items.length >= limit)
      return {
        rule: "next",
        aspect: "body:/nextCursor",
        expected: `a nextCursor, since ${missing} follows`,
        actual,
      };
    const rule = entry?.isOwn ? "listed" : "walk";
    return {
      rule,
      aspect: "body:/items",
      expected: `the item ${latest(entry) ?? missing}`,
      actual,
    };
  }

  private lengthOf({ after, limit, isLimited, items, nextCursor }: Page): PageDifference | null {
    const rule = isLimited ? "limit" : "limit-default";
    const length = (expected: string): PageDifference => ({
      rule,
      aspect: "body:/items",
      expected,
      actual: `${items.length} items`,
    });
    if (items.length > limit) return length(`at most ${limit} items`);
    // A page has a nextCursor only if an item follows, and only a command could have removed it.
    if (items.length === 0 && nextCursor === undefined && after !== null && !this.mayShrink)
      return {
        rule: "next",
        aspect: "body:/nextCursor",
        expected: `no nextCursor, since nothing follows ${after.last}`,
        actual: "an empty page behind it",
      };
    if (nextCursor === undefined || items.length === limit) return null;
    return length(`${limit} items, since there is a nextCursor`);
  }

  /** The index of an item, or where it would be inserted: mostly at the end. */
  private indexAfter(id: string): number {
    const { order, sorted } = this;
    let [from, to] = [0, sorted.length];
    if (!order || order(sorted[to - 1] ?? id, id) < 0) return to;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (order(sorted[middle] ?? "", id) <= 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

import type { Difference } from "../exchange.ts";
import type { Filter } from "../oracle/filters.ts";
import { type Members, mayBe } from "../oracle/records.ts";
import type { Comparison } from "../oracle/values.ts";
import { textOf } from "./item.ts";
import type { Records } from "./records.ts";

/** A fault of a page, by the rule that it violates: `order`, `walk`, `next`, `listed` … */
export interface PageDifference extends Difference {
  readonly rule: string;
}

/** Where a page of a walk begins. */
export interface Place {
  /** The last item before it; null if there was none. */
  readonly last: Members | null;
  /** When the walk began. */
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

/** What a list shows. */
interface ListOptions {
  /** Those that it may show. */
  readonly records: Records;
  /** Whether its items have a key. */
  readonly hasIds: boolean;
  /** Whether it has an order of which nothing can be said. */
  readonly isOpen: boolean;
  /** Null: it has none. */
  readonly order: Comparison<Members> | null;
  /** Null: what it shows of the records is not stated. */
  readonly filter: Filter | null;
  /** Whether its request has a parameter that filters. */
  readonly isFiltered: boolean;
  /** Whether a record that is gone may have been in it. */
  readonly mayShrink: boolean;
}

/**
 * The model of a paged list: the records that were seen or created, in their order. Later pages
 * must show them. Other clients may add items at any time, anywhere: unknown items are never
 * missing. A list whose items have no key may show equal items: of it, only the length of a page is
 * checked. Of one with keys and without an order, a walk shows each item once.
 */
export class PagedList {
  /** By cursor, the item before the page that it begins. */
  private readonly positions = new Map<string, Place>();

  constructor(readonly options: ListOptions) {}

  get records(): Records {
    return this.options.records;
  }

  get hasIds(): boolean {
    return this.options.hasIds;
  }

  get order(): ListOptions["order"] {
    return this.options.order;
  }

  private idOf(item: unknown): string {
    return this.records.idOf(item);
  }

  /** The position of a cursor; undefined for one that no page of this list returned. */
  placeOf(cursor: string | undefined): Place | null | undefined {
    return cursor === undefined ? null : this.positions.get(cursor);
  }

  /** Whether a page shows an item that was known at `now`; `isOwn`: that this run has created. */
  shows({ items }: Page, now: number, isOwn = false): boolean {
    const ids = items.map((item) => this.idOf(item));
    return ids.some((id) => this.records.isKnownAt(id, now) && (!isOwn || this.records.isOwn(id)));
  }

  /** Learns from a page that was requested at `now`. */
  learn({ after, items, nextCursor }: Page, now: number): void {
    for (const item of this.hasIds ? items : []) {
      this.records.add(item, false);
      this.records.show(this.idOf(item), Object(item), now);
    }
    if (nextCursor === undefined) return;
    const ids = items.map((item) => this.idOf(item));
    const shown = this.order === null ? { ids, before: after } : { ids: [], before: null };
    const last = items.length > 0 ? Object(items.at(-1)) : (after?.last ?? null);
    this.positions.set(nextCursor, { last, since: after?.since ?? now, ...shown });
  }

  /**
   * The first records, so many at `most`, that are known to follow this place, of those that were
   * known at `now`, or without an order when the walk began.
   */
  following(after: Place | null, now: number, most: number): readonly Members[] {
    const { order, records, filter } = this.options;
    const walk = after?.since ?? now;
    const shown = new Set(order ? [] : shownBefore(after));
    const some: Members[] = [];
    for (const item of records.behind(order, after?.last ?? null)) {
      if (some.length >= most) break;
      const id = records.idOf(item);
      const state = records.certain(id, order ? now : Math.min(now, walk), walk);
      const isThere = state && (filter === null || filter(state) === true);
      if (isThere && !shown.has(id)) some.push(state);
    }
    return some;
  }

  /**
   * The first difference between a page and what it must be for a request sent at `now`; null if
   * there is none.
   */
  differenceOf(page: Page, now: number): PageDifference | null {
    return (
      this.orderOf(page) ??
      this.contentOf(page, now) ??
      this.gapIn(page, now) ??
      this.lengthOf(page)
    );
  }

  private orderOf({ after, items }: Page): PageDifference | null {
    const { hasIds, order } = this;
    if (!hasIds || this.options.isOpen) return null;
    const aspect = `body:/items/*/${this.records.options.key}`;
    if (!order) {
      const pageIds = items.map((item) => this.idOf(item));
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
    const shown = items.map((item): Members => Object(item));
    const all = last === null ? shown : [last, ...shown];
    const at = all.findIndex((item, index) => index > 0 && order(all[index - 1] ?? {}, item) >= 0);
    const [before, item] = all.slice(at - 1);
    if (at < 0 || !before || !item) return null;
    const again = last !== null && order(item, last) <= 0;
    const [id, idBefore] = [this.idOf(item), this.idOf(before)];
    return {
      rule: again ? "walk" : "order",
      aspect,
      expected: `an item behind ${idBefore}, in the order of the list`,
      actual: id === idBefore ? `${id} again` : id,
    };
  }

  private contentOf({ items }: Page, now: number): PageDifference | null {
    const { records, filter, hasIds } = this.options;
    if (!hasIds) return null;
    for (const item of items) {
      const id = this.idOf(item);
      const states = records.statesSince(id, now);
      const actual = textOf(item);
      const differs = (rule: string, expected: string): PageDifference => ({
        rule,
        aspect: "body:/items",
        expected,
        actual,
      });
      if (filter?.(Object(item)) === false)
        return differs("filter", "records that match every parameter");
      if (!states || states.some((one) => mayBe(one, Object(item), records.options))) continue;
      const known = states.findLast((one) => one !== null);
      if (!known) return differs("deleted", `no record ${id}: it was removed`);
      return differs(records.isOwn(id) ? "listed" : "read-only", textOf(known));
    }
    return null;
  }

  /**
   * Every known item in the range of this page must be there; if no page follows, every known item
   * after it too.
   */
  private gapIn({ after, limit, items, nextCursor }: Page, now: number): PageDifference | null {
    const { order } = this;
    if (this.options.isOpen || (!order && nextCursor !== undefined)) return null;
    const shown = new Set(items.map((item) => this.idOf(item)));
    const last = items.length > 0 ? Object(items.at(-1)) : null;
    const missing = this.following(after, now, items.length + 1).find(
      (item) => !shown.has(this.idOf(item)),
    );
    if (missing === undefined) return null;
    const behind = last === null || !order || order(missing, last) > 0;
    if (behind && nextCursor !== undefined) return null;
    const id = this.idOf(missing);
    const end = last === null ? "" : `, the last one ${this.idOf(last)}`;
    const actual = `${items.length} items${end}`;
    // The page has its maximum length, so only the cursor to the next one is missing.
    if (behind && items.length >= limit)
      return {
        rule: "next",
        aspect: "body:/nextCursor",
        expected: `a nextCursor, since ${id} follows`,
        actual,
      };
    const ofList = this.records.isOwn(id) ? "listed" : "walk";
    const rule = this.options.isFiltered ? "filter" : ofList;
    return { rule, aspect: "body:/items", expected: `the item ${textOf(missing)}`, actual };
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
    const { mayShrink } = this.options;
    if (items.length === 0 && nextCursor === undefined && after !== null && !mayShrink)
      return {
        rule: "next",
        aspect: "body:/nextCursor",
        expected: `no nextCursor, since nothing follows ${after.last && this.idOf(after.last)}`,
        actual: "an empty page behind it",
      };
    if (nextCursor === undefined || items.length === limit) return null;
    return length(`${limit} items, since there is a nextCursor`);
  }
}

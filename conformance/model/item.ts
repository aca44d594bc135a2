import { stringOf } from "../laws/difference.ts";
import { isObject } from "../oracle/schema.ts";

/** A value as text, whatever the order of its members. */
export function textOf(value: unknown): string {
  const sorted = (node: unknown): unknown => {
    if (!isObject(node)) return Array.isArray(node) ? node.map(sorted) : node;
    return Object.fromEntries(
      Object.entries(node)
        .map(([name, member]) => [name, sorted(member)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  };
  return JSON.stringify(sorted(value)) ?? "";
}

/** Identifies an item and its position in the order: its `id`. */
export const idOf = (item: unknown): string => stringOf(Object(item).id ?? textOf(item));

/** The known facts of an item: from a page, or from the response to the command that created it. */
export interface Entry {
  /**
   * The item as text, its members in a fixed order: as first seen, and after each command that
   * changed it. Null: a command changed it, and its response does not show how.
   */
  readonly texts: readonly string[] | null;
  /** Whether a command may have removed it. */
  readonly mayBeGone: boolean;
  /** Commands that may change it, and have not ended: nothing is known of it meanwhile. */
  readonly underWay: number;
  /** When it became known, in events of this list. */
  readonly at: number;
  /** Whether this run has created it. */
  readonly isOwn: boolean;
}

/** The texts that an item may have; null if it is unknown, or may be changing. */
export const textsOf = (entry: Entry | undefined): readonly string[] | null =>
  entry && entry.underWay === 0 ? entry.texts : null;

/** The latest of them; undefined if it is unknown. */
export const latest = (entry: Entry | undefined): string | undefined => textsOf(entry)?.at(-1);

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

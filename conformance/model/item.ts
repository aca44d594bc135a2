import { isObject } from "../oracle/schema.ts";
import { stringOf } from "../oracle/values.ts";

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

/** The text that names an item: that of its key, or all of it. */
export const idOf = (item: unknown, key = "id"): string =>
  stringOf(Object(item)[key] ?? textOf(item));

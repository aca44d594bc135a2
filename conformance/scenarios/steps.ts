import type { Operation } from "../oracle/contract.ts";
import type { Variation } from "../requests/draft.ts";

/**
 * A request of a scenario, as plain data: it refers to its record, key and cursor by number, so that any part of a scenario is a
 * scenario. A step that refers to something missing (a cursor of a list that returned none) sends nothing.
 */
export interface Step {
  readonly operation: Operation;
  /** The credentials, by their kind: `full`, `noScopes`, a scope … */
  readonly caller: string;
  /** In which way it differs from the plain call. */
  readonly rows: readonly Variation[];
  /** Whether the connection of the scenario is used again, or a new one. */
  readonly isKept: boolean;
  /** For a creating command: which record, and how its data is written. */
  readonly record?: number;
  readonly written?: Written;
  /** For a command with an idempotency key: which, and how it is written. */
  readonly key?: number;
  readonly keyWritten?: KeyWritten;
  /** For a paged list: items per page; absent: the default. */
  readonly limit?: number;
  /** Where the page begins: at the very first item, near the end, or at the n-th cursor of this scenario, from its end if negative. */
  readonly from?: "start" | "end" | number;
  /** Whether the cursor is taken from the `Link` of its page. */
  readonly isLinked?: true;
  /** With the tag of the last response to this operation. */
  readonly isConditional?: true;
  /** The rule of its operation that it tests, where the prediction does not name it: `key-whole`. */
  readonly of?: string;
}

/** In sequence; the steps of an inner list at once. */
export type Scenario = readonly (Step | readonly Step[])[];

/** `other`: with another value of a member that need not be unique; `capitals`: with the unique one in capitals. */
export const WRITTEN = ["same", "reordered", "escaped", "capitals", "small letters", "other"] as const;
/** Near to a unique value, and free: longer, and with what a pattern takes for any character, or a reader leaves out. */
export const NEAR_WRITTEN = ["longer", "_ at its end", "% at its end", "a dot before its end"] as const;
export type Written = (typeof WRITTEN)[number] | (typeof NEAR_WRITTEN)[number];

/** All of them except `same` are other keys. */
export const KEY_WRITTEN = ["same", "lower", "upper", "shorter", "without its first", "longer", "quoted"] as const;
export type KeyWritten = (typeof KEY_WRITTEN)[number];

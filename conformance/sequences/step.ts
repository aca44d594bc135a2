/**
 * A request of a sequence, as plain data: it refers to its record, key and cursor by number, so that any part of a sequence is a
 * sequence. A step that refers to something missing (a cursor of a list that returned none) sends nothing.
 */
export interface Step {
  readonly operation: string;
  /** The credentials, by their name: `full`, `noScopes`, a scope … */
  readonly caller: string;
  readonly placed: Placed;
  /** Whether the connection of the sequence is used again, or a new one. */
  readonly kept: boolean;
  /** HEAD instead of GET. */
  readonly head?: boolean;
  /** Header fields that must change nothing, by their names in `extras.ts`. */
  readonly extras?: readonly string[];
  /** Its fault, by its name in `faults.ts`. */
  readonly fault?: string;
  /** For a creating command: which record, and how its data is written. */
  readonly record?: number;
  readonly written?: Written;
  /** For a command with an idempotency key: which, and how it is written. */
  readonly key?: number;
  readonly keyWritten?: KeyWritten;
  /** For a paged list: items per page; absent: the default. */
  readonly limit?: number;
  /**
   * Where the page begins: at the very first item, near the end, or at the n-th cursor of this sequence, from its end if
   * negative.
   */
  readonly from?: "start" | "end" | number;
  /** Whether the cursor is taken from the `Link` of its page. */
  readonly linked?: boolean;
  /** With the tag of the last response to this operation. */
  readonly conditional?: boolean;
  /** The rule that it tests, if the prediction alone does not name it: `key-whole`. */
  readonly of?: string;
}

/** In sequence; the steps of an inner list in parallel. */
export type Sequence = readonly (Step | readonly Step[])[];

export const PLACED = ["headers", "query", "key in the query", "platform in the query", "both"] as const;
export type Placed = (typeof PLACED)[number];

/** `other`: with another value of a member that need not be unique; `capitals`: with the unique one in capitals. */
export const WRITTEN = ["same", "reordered", "escaped", "capitals", "small letters", "other"] as const;
export type Written = (typeof WRITTEN)[number];

/** All of them except `same` are other keys. */
export const KEY_WRITTEN = ["same", "lower", "upper", "shorter", "without its first", "longer", "quoted"] as const;
export type KeyWritten = (typeof KEY_WRITTEN)[number];

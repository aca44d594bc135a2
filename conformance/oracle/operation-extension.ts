import type { ModelState } from "./model-state.ts";
import type { Rule } from "./rules.ts";
import { isObject } from "./schema.ts";
import { stringOf } from "./values.ts";

/**
 * Reads the value that must be unique, from an input or a record; null or undefined: it has none.
 * Values compare exactly as returned: in lower case where case does not count.
 */
export type UniqueReader = (record: Readonly<Record<string, unknown>>) => string | null | undefined;

/**
 * What belongs to a single operation: rules, values that must be unique, and what its successes
 * show of the deployment.
 */
export interface OperationExtension {
  /** Its id. */
  readonly operation: string;
  /** They see only requests to this operation; those of `handle` no replayed ones. */
  readonly rules?: readonly Rule[];
  /** By the code of the conflict. */
  readonly unique?: Readonly<Record<string, UniqueReader>>;
  /**
   * JSON pointers of the values that describe one deployment, or the caller: two deployments may
   * differ in them.
   */
  readonly machine?: readonly string[];
  /**
   * Names that exist, by the operation with the templated name, as a success of this operation
   * shows them.
   */
  readonly names?: (body: unknown) => Readonly<Record<string, readonly string[]>>;
}

/** The values that are in use, for the code of a conflict. */
export const isTaken = (model: ModelState, code: string, value: string | null): boolean =>
  value !== null && model.taken.get(code)?.has(value) === true;

/** The value of a record that must be unique; null if it has none. */
export function uniqueValue(read: UniqueReader, record: unknown): string | null {
  const value = (isObject(record) ? read(record) : null) ?? null;
  return value === null ? null : stringOf(value);
}

/** By the code of the conflict, the values of a record that must be unique. */
export const uniqueOf = (
  extensions: readonly OperationExtension[],
  operation: string,
  record: unknown,
): readonly (readonly [string, string])[] =>
  extensions
    .filter((one) => one.operation === operation)
    .flatMap(({ unique = {} }) => Object.entries(unique))
    .flatMap(([code, read]) => {
      const value = uniqueValue(read, record);
      return value === null ? [] : [[code, value] as const];
    });

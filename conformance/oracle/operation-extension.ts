import type { ModelState } from "./model-state.ts";
import type { Rule } from "./rules.ts";

/**
 * What belongs to a single operation: rules, values that must be unique, and what its successes
 * show of the deployment.
 */
export interface OperationExtension {
  readonly operation: string;
  readonly rules?: readonly Rule[];
  /**
   * By the code of the conflict, the value of its input that must be unique; null if the input has
   * none.
   */
  readonly unique?: Readonly<Record<string, (data: unknown) => string | null>>;
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

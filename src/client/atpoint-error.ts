import type { InputFault } from "../../generated/operations.ts";
import type { CodeOf, OperationName } from "./types.ts";

/**
 * Why a call has failed: it was refused with a `problem` (RFC 9457), got an answer that is none of the contract's
 * (`unexpected`, of a proxy perhaps), got none (`network`), none in time (`timeout`), or was `aborted` by its caller.
 */
export type FailureKind = "problem" | "unexpected" | "network" | "timeout" | "aborted";

/** What is known of a failure. `code` and `errors` are there for a problem, `status` wherever there was an answer. */
export interface Failure<Name extends OperationName = OperationName> {
  readonly operation: Name;
  readonly kind: FailureKind;
  /** Those of the contract that this client is of; a later 3.x may send more (D33). */
  readonly code?: CodeOf<Name> | undefined;
  readonly status?: number | undefined;
  /** Name it when you ask for help. */
  readonly requestId?: string | undefined;
  /** How long to wait before the next try, where the answer says so. */
  readonly retryAfterMs?: number | undefined;
  /** Of `invalid-input`: each fault of the input. */
  readonly errors?: readonly InputFault[] | undefined;
}

/** The one error of the client. `cause` is what `fetch` has thrown. */
export class AtpointError<Name extends OperationName = OperationName> extends Error implements Failure<Name> {
  override readonly name = "AtpointError";
  declare readonly operation: Name;
  declare readonly kind: FailureKind;
  declare readonly code?: CodeOf<Name> | undefined;
  declare readonly status?: number | undefined;
  declare readonly requestId?: string | undefined;
  declare readonly retryAfterMs?: number | undefined;
  declare readonly errors?: readonly InputFault[] | undefined;

  constructor(failure: Failure<Name>, detail: string, options?: ErrorOptions) {
    super(`${failure.operation}: ${detail}`, options);
    Object.assign(this, failure);
  }

  /** Whether something thrown is the failure of a call of `operation`; its `code` is then one of those of that operation. */
  static is<Called extends OperationName>(thrown: unknown, operation: Called): thrown is AtpointError<Called> {
    return thrown instanceof AtpointError && thrown.operation === operation;
  }
}

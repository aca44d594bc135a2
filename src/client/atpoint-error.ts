import type { InputFault } from "../../generated/contract.ts";
import type { CodeOf, OperationName } from "./types.ts";

/**
 * Why a call failed: the response is a `problem` of the contract (RFC 9457); it is `unexpected` (a gateway's page, a redirect,
 * broken JSON); there was no complete response (`network`), or none in time (`timeout`); the caller `aborted` the call.
 */
export type FailureKind = "problem" | "unexpected" | "network" | "timeout" | "aborted";

/** What is known of a failure. A problem has `code`, and `status` is there wherever a response began. */
export interface Failure<Name extends OperationName = OperationName> {
  readonly operation: Name;
  readonly kind: FailureKind;
  /** One of the codes in the contract of this client; a later 3.x may send others (D33). */
  readonly code?: CodeOf<Name> | undefined;
  readonly status?: number | undefined;
  /** Quote it when you contact the operator. */
  readonly requestId?: string | undefined;
  /** How long to wait before the next attempt, as the response requests. */
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

import type { OperationId, Types } from "../../generated/operations.ts";
import type { Clock } from "../server/clock.ts";
import type { Documents } from "../server/documents/documents.ts";
import type { RequestFacts } from "../server/request/request.ts";
import type { ResponseShape, Result } from "../server/response/response.ts";
import type { Storage } from "../server/storage/storage.ts";
import type { Stores } from "../server/storage/stores.ts";

/** What a handler works with: every store, and shared services. */
export interface Services extends Stores {
  readonly tryWrite: Storage["tryWrite"];
  readonly documents: Documents;
  readonly clock: Clock;
  /** How long an `Idempotency-Key` is kept (D25). */
  readonly idempotencyTtlMs: number;
}

/** A handler by the generated types of its operation: plain typed input in, plain typed output out, no HTTP. */
export type HandlerOf<T extends { input: unknown; headers: unknown; answer: ResponseShape }, S> = (
  input: T["input"],
  context: S & RequestFacts<T["headers"]>,
) => Result<T["answer"]> | Promise<Result<T["answer"]>>;

export type Handler<Id extends OperationId> = HandlerOf<Types[Id], Services>;

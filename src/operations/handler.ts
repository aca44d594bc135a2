import type { OperationId, Types } from "../../generated/operations.ts";
import type { Clock } from "../clock.ts";
import type { Documents } from "../docs/documents.ts";
import type { AnswerShape, Result } from "../protocol/answer.ts";
import type { Caller } from "../protocol/credentials.ts";
import type { Storage } from "../storage/storage.ts";
import type { Stores } from "../storage/stores.ts";

/** What a handler may know of the request beside its input. */
export interface RequestFacts {
  /** Whose key it is; null on a public operation. */
  readonly caller: Caller | null;
  /** An IP address, D22. */
  readonly clientAddress: string;
  readonly method: "GET" | "HEAD" | "POST";
  /** Which of the operation's representations the caller prefers, D10. */
  readonly mediaType: string;
}

/** What a handler works with: every store, and the rest of the house. */
export interface Services extends Stores {
  /** Asks the storage; throws when it is away. */
  readonly ping: Storage["ping"];
  readonly documents: Documents;
  readonly clock: Clock;
}

/** A handler by the generated types of its operation: plain typed input in, plain typed output out, no HTTP. */
export type HandlerOf<T extends { input: unknown; answer: AnswerShape }, S> = (
  input: T["input"],
  context: S & RequestFacts,
) => Result<T["answer"]> | Promise<Result<T["answer"]>>;

export type Handler<Id extends OperationId> = HandlerOf<Types[Id], Services>;

import type { Caller } from "./request/credentials.ts";
import type { Once } from "./resources/idempotency.ts";
import type { ResponseShape, Result } from "./response/response.ts";

/** What a handler knows of a request in addition to its input. */
export interface RequestContext<Services = unknown, Headers = unknown> {
  readonly services: Services;
  /**
   * The header parameters that the operation declares, by their names there, each of its type;
   * without those that were not sent.
   */
  readonly headers: Headers;
  /** The caller's key; null on a public operation. */
  readonly caller: Caller | null;
  /** An IP address, D22. */
  readonly clientAddress: string;
  readonly method: "GET" | "HEAD" | "POST";
  /** The representation of the operation that the caller prefers, D10. */
  readonly mediaType: string;
  /** When nothing waits for the handler any more (D13), of `performance.now()`. */
  readonly deadline: number;
  /**
   * Aborted when nothing waits for the handler any more: at the deadline, when the client has
   * closed its connection, and when the service shuts down and its time of grace is over. A handler
   * that goes on keeps its place among the requests in flight (D14).
   */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Carries out a command once for each `Idempotency-Key` (D25). */
  readonly once: Once;
}

/** The generated types of an operation. */
interface OperationTypes {
  readonly input: unknown;
  readonly headers: unknown;
  readonly answer: ResponseShape;
}

/**
 * A handler by the generated types of its operation: plain typed input in, plain typed output out,
 * no HTTP.
 */
export type Handler<T extends OperationTypes, Services> = (
  input: T["input"],
  context: RequestContext<Services, T["headers"]>,
) => Result<T["answer"]> | Promise<Result<T["answer"]>>;

/** One for each operation of the generated `Types`; a missing or extra one does not compile. */
export type Handlers<Types extends { readonly [Id in keyof Types]: OperationTypes }, Services> = {
  readonly [Id in keyof Types]: Handler<Types[Id], Services>;
};

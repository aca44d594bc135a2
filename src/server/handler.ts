import type { Context } from "@opentelemetry/api";
import type { RequestLog } from "./log/request-log.ts";
import type { Problem, ProblemOptions } from "./problem.ts";
import type { Caller } from "./request/credentials.ts";
import type { Once } from "./resources/idempotency.ts";
import type { ResponseShape, Result } from "./response/response.ts";

/** What a handler knows of a request in addition to its input. */
export interface RequestContext<
  Services = unknown,
  Headers = unknown,
  Code extends string = never,
> {
  /** That of the response's `X-Request-Id` (D12). */
  readonly requestId: string;
  /** Lines with the request id and the operation. */
  readonly log: RequestLog;
  /**
   * The OpenTelemetry context with the span of this request: the parent of a handler's own spans
   * and, by `propagation.inject(trace, headers)`, of its requests to others. Null unless tracing is
   * on.
   */
  readonly trace: Context | null;
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
  /** A problem to throw, with a code that the operation declares itself. */
  readonly problem: (code: Code, options?: ProblemOptions) => Problem;
  /** Carries out a command once for each `Idempotency-Key` (D25). */
  readonly once: Once;
}

/** The generated types of an operation. */
export interface OperationTypes {
  readonly input: unknown;
  readonly headers: unknown;
  readonly answer: ResponseShape;
  readonly problem: string;
}

/** The generated types of every operation of a contract. */
export type ContractTypes<Types> = { readonly [Id in keyof Types]: OperationTypes };

/**
 * A handler by the generated types of its operation: plain typed input in, plain typed output out,
 * no HTTP.
 */
export type Handler<T extends OperationTypes, Services> = (
  input: T["input"],
  context: RequestContext<Services, T["headers"], T["problem"]>,
) => Result<T["answer"]> | Promise<Result<T["answer"]>>;

/** One for each operation of the generated `Types`; a missing or extra one does not compile. */
export type Handlers<Types extends ContractTypes<Types>, Services> = {
  readonly [Id in keyof Types]: Handler<Types[Id], Services>;
};

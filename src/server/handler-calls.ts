import { setImmediate as turn } from "node:timers/promises";
import type { Context } from "@opentelemetry/api";
import type { Operation } from "./contract.ts";
import { ExpectedError } from "./expected-error.ts";
import { type RequestLog, requestLog } from "./log/request-log.ts";
import { Problem } from "./problem.ts";
import type { Request } from "./request/request.ts";

/** The reason of a signal when the client closed its connection: no caller reads a response. */
export class ClientGone extends ExpectedError {
  override readonly name = "ClientGone";
  constructor() {
    super("the client closed its connection");
  }
}

type Caller = Pick<Request, "id" | "method" | "headers" | "startedAt" | "onGone" | "keepPlace">;
type Called = Pick<Operation, "id" | "method">;

interface HandlerCallsOptions {
  readonly timeoutMs: number;
  readonly log: RequestLog;
  /** Whether a text may be a key, which is never logged. */
  readonly containsKeyLike: (text: string) => boolean;
  /** Begins the span of a request; none when tracing is off. */
  readonly beginSpan?: ((request: Caller, operation: string) => Context) | null;
}

/** The calls of handlers that are waited for. */
export class HandlerCalls {
  readonly running = new Set<HandlerCall>();
  #isStopped = false;

  constructor(readonly options: HandlerCallsOptions) {}

  /** Throws `shutting-down` once the service has stopped. */
  begin(request: Caller, operation: Called): HandlerCall {
    if (this.#isStopped) throw new Problem("shutting-down", { headers: { "Retry-After": "1" } });
    return new HandlerCall(this, request, operation);
  }

  /** Gives up every call, and begins no other. */
  stop(): void {
    this.#isStopped = true;
    for (const call of this.running) call.giveUp("shutting-down", "The service is shutting down");
  }
}

/** A call of a handler; it is given up at its deadline (D13), and when the service stops (D14). */
export class HandlerCall {
  readonly deadline: number;
  #controller: AbortController | null = null;
  #reason: Error | null = null;
  #trace: Context | null = null;
  #reject: ((problem: Problem) => void) | null = null;
  readonly #calls: HandlerCalls;
  readonly #request: Caller;
  readonly #operation: Called;

  constructor(calls: HandlerCalls, request: Caller, operation: Called) {
    this.deadline = performance.now() + calls.options.timeoutMs;
    this.#calls = calls;
    this.#request = request;
    this.#operation = operation;
  }

  get requestId(): string {
    return this.#request.id;
  }

  /** Created when a handler reads it, like `trace` and `signal`: most handlers do not. */
  get log(): RequestLog {
    const { log, containsKeyLike } = this.#calls.options;
    const facts = { requestId: this.#request.id, operation: this.#operation.id };
    return requestLog(log, containsKeyLike, facts);
  }

  get trace(): Context | null {
    const { beginSpan } = this.#calls.options;
    if (beginSpan) this.#trace ??= beginSpan(this.#request, this.#operation.id);
    return this.#trace;
  }

  /** The context of a span that `trace` has begun. */
  get begunTrace(): Context | null {
    return this.#trace;
  }

  /** Created when a handler reads it, since it costs as much as the rest of a small request. */
  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    this.#controller = new AbortController();
    if (this.#reason) this.#controller.abort(this.#reason);
    this.#request.onGone(() => this.#abort(new ClientGone()));
    return this.#controller.signal;
  }

  /**
   * The result of the handler. When the call is given up, its `work` goes on and keeps its place.
   */
  async settle<T>(work: Promise<T>): Promise<T> {
    const { running, options } = this.#calls;
    const deadlineExceeded = () => this.giveUp("deadline-exceeded", "The operation took too long");
    const timer = setTimeout(deadlineExceeded, options.timeoutMs);
    running.add(this);
    const givenUp = new Promise<never>((_, reject) => {
      this.#reject = (problem) => {
        reject(problem);
        this.#request.keepPlace(work);
        void this.#logOverdue(work);
      };
    });
    try {
      return await Promise.race([work, givenUp]);
    } catch (error) {
      if (error instanceof Problem) throw error;
      // What ends at the deadline may do so before the timer does.
      if (this.deadline <= performance.now()) deadlineExceeded();
      // A handler that its signal has stopped fails in a way of its own.
      throw this.#reason ?? error;
    } finally {
      clearTimeout(timer);
      running.delete(this);
    }
  }

  giveUp(code: string, why: string): void {
    const mayHaveHappened = `${why}, and may still have happened; see the header Retry-After.`;
    const detail = this.#operation.method === "POST" ? mayHaveHappened : undefined;
    const problem = new Problem(code, { detail, headers: { "Retry-After": "5" } });
    this.#reject?.(problem);
    this.#abort(problem);
  }

  #abort(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  /** A line when the handler ignores its signal, and another one when it has ended after all. */
  async #logOverdue(work: Promise<unknown>): Promise<void> {
    const { log } = this;
    const ended = work.then(
      () => true,
      () => true,
    );
    if (await Promise.race([ended, turn(false)])) return;
    log.warn("handler overdue");
    await ended;
    const durationMs = Math.round(
      performance.now() - this.deadline + this.#calls.options.timeoutMs,
    );
    log.info("overdue handler ended", { durationMs });
  }
}

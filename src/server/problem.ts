import { ExpectedError } from "./expected-error.ts";

/**
 * One fault of an input, in the `errors` of a 422: where it is, by JSON pointer (`#/data/email`) or
 * parameter name, and what is wrong.
 */
export type InputError =
  | { readonly pointer: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string };

export interface ProblemOptions {
  /**
   * Safe text for the caller: never the caller's own text, a path, SQL or a key. Without it, that
   * of the contract.
   */
  readonly detail?: string | undefined;
  readonly errors?: readonly InputError[];
  /** Headers that belong to this problem, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only; it never leaves the process. */
  readonly cause?: unknown;
}

/**
 * The one error class: a code of the contract, and its details. Anything else that is thrown is an
 * `internal-error`. A store writes `new Problem<ProblemCode>("note-not-found")`, with the type of
 * its `generated/contract.ts`: then no other code compiles.
 */
export class Problem<Code extends string = string> extends ExpectedError {
  override readonly name = "Problem";
  readonly code: Code;
  readonly detail: string | undefined;
  readonly errors: readonly InputError[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(code: NoInfer<Code>, { detail, errors, headers, cause }: ProblemOptions = {}) {
    const { stackTraceLimit } = Error;
    // A fault has the stack of its cause, and a rejection has none: creating one takes ten times
    // as long as the rest.
    Error.stackTraceLimit = 0;
    super(detail ?? code, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.headers = headers;
  }

  /** Any thrown value as a problem; the original is kept as the cause. */
  static from(thrown: unknown): Problem {
    return thrown instanceof Problem ? thrown : new Problem("internal-error", { cause: thrown });
  }
}

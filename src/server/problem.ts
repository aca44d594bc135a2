import { type ProblemCode, problems } from "../../generated/operations.ts";
import { order, type Step } from "../../generated/order.ts";
import { SafeError } from "./log/safe-error.ts";

/** One fault of an input, in the `errors` of a 422: where it is, by JSON pointer (`#/data/email`) or parameter name, and what is wrong. */
export type InputError =
  | { readonly pointer: string; readonly detail: string }
  | { readonly parameter: string; readonly detail: string };

interface ProblemOptions {
  /** Safe text for the caller: never the caller's own text, a path, SQL or a key. */
  readonly detail?: string | undefined;
  readonly errors?: readonly InputError[];
  /** Headers that belong to this problem, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only; it never leaves the process. */
  readonly cause?: unknown;
}

/** A problem document (RFC 9457) to be sent, without the members that only the request has. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ProblemCode;
  readonly requestId: string;
  readonly errors?: readonly InputError[];
}

const rejections = new Map<Step, readonly string[]>(order.map(({ step, problems: codes }) => [step, codes]));

/** Whether a step may reject with a code; each may fail. */
export const mayReject = (step: Step, code: ProblemCode): boolean =>
  code === "internal-error" || rejections.get(step)?.includes(code) === true;

/** The one error class: a code of the contract, and its details. Anything else that is thrown is an `internal-error`. */
export class Problem extends SafeError {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: readonly InputError[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(code: ProblemCode, { detail, errors, headers, cause }: ProblemOptions = {}) {
    const { stackTraceLimit } = Error;
    // A rejection is no fault, and its stack trace is never used: creating one takes ten times as long as the rest.
    if (problems[code].status < 500) Error.stackTraceLimit = 0;
    super(detail ?? problems[code].detail, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.status = problems[code].status;
    this.errors = errors;
    this.headers = headers;
  }

  /** Any thrown value as a problem; the original is kept as the cause. */
  static from(thrown: unknown): Problem {
    return thrown instanceof Problem ? thrown : new Problem("internal-error", { cause: thrown });
  }

  /** The document to send. `docs` is the absolute address of the entry `docs.get.problems` on the first deployment. */
  document(docs: string, requestId: string): ProblemDocument {
    return {
      type: `${docs}#${this.code}`,
      title: problems[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      requestId,
      ...(this.errors ? { errors: this.errors } : {}),
    };
  }
}

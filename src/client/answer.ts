import type { AnyContract, CodeOf, OperationName } from "./types.ts";

/** A fault of the input: a JSON pointer into the body, or the name of a parameter. */
export interface InputFault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly detail: string;
}

/**
 * Why a call failed: the response is a `problem` of the contract (RFC 9457); it is `unexpected` (a
 * gateway's page, a redirect, broken JSON); there was no complete response (`network`), or none in
 * time (`timeout`); the caller `aborted` the call.
 */
export type FailureKind = "problem" | "unexpected" | "network" | "timeout" | "aborted";

/**
 * The one error of the client. `cause` is what `fetch` has thrown. A problem has `code`, and
 * `status` is there wherever a response began.
 */
export class AtpointError<
  Name extends string = string,
  Code extends string = string,
> extends Error {
  override readonly name = "AtpointError";
  declare readonly operation: Name;
  declare readonly kind: FailureKind;
  /** One of the codes in the contract of this client; a later 3.x may send others (D33). */
  declare readonly code?: Code | undefined;
  declare readonly status?: number | undefined;
  /** Quote it when you contact the operator. */
  declare readonly requestId?: string | undefined;
  /** How long to wait before the next attempt, as the response requests. */
  declare readonly retryAfterMs?: number | undefined;
  /** Each fault of the input, if the code is `invalid-input`. */
  declare readonly errors?: readonly InputFault[] | undefined;

  constructor(failure: Failure<Name, Code>, detail: string, options?: ErrorOptions) {
    super(`${failure.operation}: ${detail}`, options);
    Object.assign(this, failure);
  }

  /**
   * Whether something thrown is the failure of a call of `operation`; its `code` is then one of
   * those of that operation.
   */
  static is<Name extends string, Code extends string>(
    thrown: unknown,
    operation: Name,
  ): thrown is AtpointError<Name, Code> {
    return thrown instanceof AtpointError && thrown.operation === operation;
  }
}

/** What is known of a failure. */
export type Failure<Name extends string = string, Code extends string = string> = Omit<
  AtpointError<Name, Code>,
  keyof Error
>;

/** The class of errors, for the operations of a contract. */
export interface ErrorsOf<C extends AnyContract> {
  readonly prototype: AtpointError;
  new (...parts: ConstructorParameters<typeof AtpointError>): AtpointError;
  is<Name extends OperationName<C>>(
    thrown: unknown,
    operation: Name,
  ): thrown is AtpointError<Name, CodeOf<C, Name>>;
}

/**
 * The body of a response in the representation that was requested: JSON is parsed, everything else
 * is text. Throws an `AtpointError` for a problem, and for whatever the contract does not have.
 */
export function readAnswer(
  operation: string,
  accept: string,
  response: Response,
  text: string,
): unknown {
  const { status, headers, ok } = response;
  const type = headers.get("Content-Type")?.split(";", 1)[0];
  // Some answers without success are the operation's own (D28), which `X-Operation` shows (D12);
  // others come from a proxy.
  const isAnswer = type === accept && (ok || headers.has("X-Operation"));
  if (isAnswer && !type.endsWith("json")) return text;
  const value = parsed(text);
  if (isAnswer && value !== undefined) return value;
  const retryAfterMs = retryAfter(headers);
  const answered = {
    operation,
    status,
    requestId: headers.get("X-Request-Id") ?? undefined,
    retryAfterMs,
  };
  // Proof: a problem that has a `code` is one of the contract (RFC 9457, and `problems` of it).
  const problem = value as
    | (Pick<Failure, "code" | "errors"> & { detail?: string })
    | null
    | undefined;
  if (type === "application/problem+json" && typeof problem?.code === "string") {
    const { code, errors, detail } = problem;
    const faults = Array.isArray(errors) ? ` (${errors.map(faultOf).join("; ")})` : "";
    throw new AtpointError(
      { ...answered, kind: "problem", code, errors },
      `${code}: ${detail}${faults}`,
    );
  }
  const location = headers.get("Location");
  const seen = [status, type, location && `to ${location}`, text.slice(0, EXCERPT)]
    .filter(Boolean)
    .join(" ");
  throw new AtpointError({ ...answered, kind: "unexpected" }, `unexpected response: ${seen}`);
}

function faultOf(fault: unknown): string {
  const { pointer, parameter, detail } = Object(fault);
  return `${pointer ?? parameter} ${detail}`;
}

/** How many characters of an unexpected body its error shows. */
const EXCERPT = 200;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Retry-After` in milliseconds: it is in seconds, or a date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers): number | undefined {
  const text = headers.get("Retry-After");
  if (!text) return undefined;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

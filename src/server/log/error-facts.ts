import { isIP } from "node:net";
import { ExpectedError } from "../expected-error.ts";

/**
 * What may be logged of a thrown value: never text that a row, a caller or an address with a
 * password may be part of.
 */
export interface ErrorFacts {
  readonly name: string;
  readonly stack?: readonly string[];
  readonly code?: string;
  /** The message of an error of ours, the others of `FIELDS`, and `path`. */
  readonly [field: string]: unknown;
  readonly cause?: ErrorFacts;
  readonly errors?: readonly ErrorFacts[];
}

/** Causes of causes, and errors of one `AggregateError`. */
const MAX_DEPTH = 5;

const isText = (form: RegExp) => (value: unknown) => typeof value === "string" && form.test(value);
const isIdentifier = isText(/^[A-Za-z_][\w$]{0,62}$/);

/**
 * The form of each field: a driver fills them from many sources, so the name alone proves nothing.
 */
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  // SQLITE_BUSY, ECONNREFUSED, 23505, storage-unavailable: never one of our keys, which consist of
  // small letters and `_`.
  code: isText(/^([A-Z0-9][A-Z0-9_]{0,63}|[a-z]+(-[a-z]+)*)$/),
  errno: Number.isInteger,
  syscall: isText(/^[a-z_0-9]{1,32}$/),
  address: (value) => typeof value === "string" && isIP(value) !== 0,
  port: Number.isInteger,
  // The C function of PostgreSQL that failed, and the part of the schema that was concerned.
  routine: isIdentifier,
  schema: isIdentifier,
  table: isIdentifier,
  column: isIdentifier,
  constraint: isIdentifier,
};

/** The facts of a thrown value, and of its causes. */
export function errorFacts(thrown: unknown, depth = 1): ErrorFacts {
  if (!(thrown instanceof Error)) return { name: typeof thrown };
  const values: Record<string, unknown> = { ...thrown };
  const allowed = Object.entries(values).filter(([name, value]) => FIELDS[name]?.(value));
  const causes = thrown instanceof AggregateError ? thrown.errors.slice(0, MAX_DEPTH) : [];
  const deeper = depth < MAX_DEPTH;
  // From the file system: a path of the configuration or of the package, since no request ever
  // reaches one (D30).
  const isPath = typeof values.syscall === "string" && typeof values.path === "string";
  return {
    name: isIdentifier(thrown.name) ? thrown.name : "Error",
    ...(thrown instanceof ExpectedError ? { message: thrown.message } : {}),
    ...Object.fromEntries(allowed),
    ...(isPath ? { path: values.path } : {}),
    stack: frames(thrown),
    ...(deeper && causes.length > 0
      ? { errors: causes.map((error) => errorFacts(error, depth + 1)) }
      : {}),
    ...(deeper && thrown.cause !== undefined ? { cause: errorFacts(thrown.cause, depth + 1) } : {}),
  };
}

/**
 * A place in a file or in Node; the name of the called function comes from code, not from values.
 */
const frame = /^ {4}at (?:.+ \()?(?:file:\/\/|node:|\/).*:\d+:\d+\)?$/;

/**
 * A line of the message may look like a frame. Knex later puts the statement before a message,
 * which leaves its lines unchanged.
 */
function frames({ stack = "", message }: Error): string[] {
  const words = new Set(message.split("\n"));
  return stack
    .split("\n")
    .flatMap((line) => (frame.test(line) && !words.has(line) ? [line.trim()] : []));
}

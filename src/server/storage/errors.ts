import { ExpectedError } from "../expected-error.ts";

/** The database can't be used at the moment; `cause` has the reason. */
export class StorageUnavailable extends ExpectedError {
  override readonly name = "StorageUnavailable";
  constructor(
    cause: unknown,
    /** Whether a change was sent that the database has not confirmed. */
    readonly mayHaveHappened = false,
  ) {
    super("the storage is unavailable", { cause });
  }
}

/** A value that has to be unique is taken. On PostgreSQL its transaction can only be undone. */
export class UniqueViolation extends ExpectedError {
  override readonly name = "UniqueViolation";
}

/** A row refers to one that does not exist. On PostgreSQL its transaction can only be undone. */
export class ForeignKeyViolation extends ExpectedError {
  override readonly name = "ForeignKeyViolation";
}

/** The file of SQLite (or its -wal or -shm) is missing, or was replaced. */
export class FileGone extends ExpectedError {
  override readonly name = "FileGone";
  constructor() {
    super(
      "the file of DATABASE_URL, or the -wal or -shm next to it, was removed or replaced: " +
        "put it back, or restart to use what is there",
    );
  }
}

/**
 * The codes of an unavailable storage, for calls, probes and `doctor` alike. SQLSTATEs (PostgreSQL,
 * appendix A): connection, resources, operator intervention and statement timeout, system,
 * internal, a login that is rejected; a database, a schema or a table that is missing, or that the
 * role may not use; a database that accepts no connection; a standby, conflicts, timeouts of the
 * operator's.
 */
const UNAVAILABLE: readonly RegExp[] = [
  /^(08|53|57|58|XX|28|3D|3F)[0-9A-Z]{3} /,
  /^(42501|42P01|5500[06]|25006|40001|40P01|55P03|25P0[34]) /,
  /^SQLITE_(BUSY|CANTOPEN|IOERR|FULL|READONLY|CORRUPT|NOTADB)/,
  /^SQLITE_ERROR .*no such table: \S+$/s,
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EADDRNOTAVAIL|ENOENT|EACCES) /,
  /^(EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN) /,
  // A connection that cannot be encrypted: OpenSSL's errors about the certificate (x509_vfy.h), and
  // Node.js's about its name.
  /^(UNABLE_TO_|CERT_|ERR_SSL_|ERR_TLS_CERT_)/,
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN) /,
  /^(INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|EPROTO) /,
];

/**
 * Messages of `pg` and Knex without a code; Knex puts the statement and " - " before a message of
 * `pg`.
 */
const WITHOUT_CODE = new RegExp(
  `^ (?:.* - )?(${[
    "timeout expired",
    "Query read timeout",
    "Connection terminated(?: unexpectedly)?",
    "Connection ended unexpectedly",
    "Client (?:was closed|has encountered a connection error) and is not queryable",
    "Unable to acquire a connection",
    "The server does not support SSL connections",
    "There was an error establishing an SSL connection",
    "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a (?:non-empty )?string",
  ].join("|")})$`,
  "s",
);

const codeOf = (error: Error): string =>
  "code" in error && typeof error.code === "string" ? error.code : "";

/** SQLSTATEs 23505, 23503 and, of `on delete restrict`, 23001. SQLite has one code for both. */
const UNIQUE = /^(23505 |SQLITE_CONSTRAINT .*UNIQUE constraint failed: )/s;
const FOREIGN_KEY = /^(23(503|001) |SQLITE_CONSTRAINT .*FOREIGN KEY constraint failed$)/s;

/** The code, or nothing, and the message, with a blank between. */
export const codeAndMessage = (error: Error): string => `${codeOf(error)} ${error.message}`;

const hasCode = (error: unknown, code: string) => error instanceof Error && codeOf(error) === code;

/** A server that rejects writes, such as one that has become a standby. */
export const isReadOnly = (error: unknown): boolean => hasCode(error, "25006");

/** Whether two transactions were in conflict: the one that gets this error has changed nothing. */
export const isConflict = (error: unknown): boolean => hasCode(error, "40001");

/**
 * Knex sets `timeout` on the error of a statement that took longer, and on that of a failed attempt
 * to cancel it.
 */
function timeoutMessage(error: Error): string | undefined {
  const isOfKnex = error.name === "KnexTimeoutError";
  if (!("timeout" in error)) return isOfKnex ? "no connection was free in time" : undefined;
  const end = isOfKnex ? "was cancelled" : "could not be cancelled";
  return `a statement reached its deadline, and ${end}`;
}

/** Throws `StorageUnavailable` after the deadline (of `performance.now()`). */
export function expectTime(deadline: number | undefined): void {
  if (deadline !== undefined && deadline <= performance.now())
    throw new StorageUnavailable(new ExpectedError("no turn to write before the deadline"));
}

/**
 * `StorageUnavailable`, `UniqueViolation` or `ForeignKeyViolation` for an error that means this;
 * any other is a bug, and is unchanged.
 */
export function toStorageError(error: unknown, mayHaveHappened = false): unknown {
  if (!(error instanceof Error)) return error;
  const text = codeAndMessage(error);
  if (UNIQUE.test(text)) return new UniqueViolation("a unique value is taken", { cause: error });
  if (FOREIGN_KEY.test(text))
    return new ForeignKeyViolation("a row refers to one that does not exist", { cause: error });
  const message = timeoutMessage(error) ?? WITHOUT_CODE.exec(text)?.[1];
  // It gets a message of ours: the text of a driver is never logged.
  if (message !== undefined)
    return new StorageUnavailable(new ExpectedError(message, { cause: error }), mayHaveHappened);
  const isUnavailable = error instanceof FileGone || UNAVAILABLE.some((form) => form.test(text));
  return isUnavailable ? new StorageUnavailable(error, mayHaveHappened) : error;
}

/** Runs `work`; what it throws is passed to `toStorageError`. */
export async function withStorageErrors<T>(
  work: () => PromiseLike<T>,
  mayHaveHappened = false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStorageError(error, mayHaveHappened);
  }
}

import { Problem } from "../problem.ts";
import { SafeError } from "../safe-error.ts";

/** The remedy for a damaged file. */
export const RESTORE_BACKUP =
  "Stop the service, and put a backup in its place, without the old -wal and -shm.";

const unknownAuthority =
  "the certificate of the server is from an authority that is unknown here. Add `sslrootcert=FILE`, the certificate of that authority, to DATABASE_URL. The driver treats `sslmode=prefer` and `require` as `verify-full`; `sslmode=no-verify` encrypts without a check.";

/**
 * What an error means to an operator, up to the first full stop, and the remedy. By an expression for its code (SQLSTATE, result code of
 * SQLite, or code of OpenSSL) and its message, with a blank between; the first that matches counts, and its group is `$1`.
 */
const MEANINGS: Readonly<Record<string, string>> = {
  "^08P01 .*unsupported startup parameter":
    "the pooler rejects a startup parameter. Add `?statement_timeout=` to DATABASE_URL, without a value (`&statement_timeout=` after another parameter), or set `ignore_startup_parameters = statement_timeout` in PgBouncer. If DATABASE_URL has `options`, remove them, or add `, options` to that line.",
  "^08P01 ": "the pooler rejected the connection. The log of the pooler has the reason.",
  "^28... ":
    "the log-in was rejected. Correct user and password in DATABASE_URL, or allow the log-in in the server's pg_hba.conf.",
  "^3D000 ":
    "there is no database of that name. Correct the name in DATABASE_URL, or create it: `createdb NAME`.",
  "^3F000 ":
    "the role has no schema to create tables in. As the owner of the database: `create schema if not exists NAME; grant usage, create on schema NAME to ROLE`, with the first schema of the role's search_path (by default public) as NAME.",
  "^25006 ":
    "the database, or the role, is read-only. Name the server that accepts writes in DATABASE_URL, or reset default_transaction_read_only of the database and the role.",
  '^42501 .*row-level security policy for table "([A-Za-z_][\\w$]{0,62})"$':
    "row-level security keeps rows of $1 from the role. As the owner of the table: `alter table $1 disable row level security`, or as a superuser: `alter role ROLE bypassrls`.",
  "^42501 .*permission denied for table ([A-Za-z_][\\w$]{0,62})$":
    "the role may not use the table $1. As its owner: `grant select, insert, update, delete on $1 to ROLE`, with the user of DATABASE_URL as ROLE; the role of scripts/deploy/postgres-role.sql is for `serve --no-migrate` alone.",
  "^42501 .*permission denied for sequence ([A-Za-z_][\\w$]{0,62})$":
    "the role may not use the sequence $1. As its owner: `grant usage on sequence $1 to ROLE`, with the user of DATABASE_URL as ROLE.",
  '^42P01 .*relation "([A-Za-z_][\\w$]{0,62})" does not exist$':
    "the table $1 is missing, or in no schema of the role's search_path. Restore a backup, or correct `options` in DATABASE_URL.",
  "^SQLITE_ERROR .*no such table: (?:main\\.)?([A-Za-z_][\\w$]{0,62})$": `the table $1 is missing. ${RESTORE_BACKUP}`,
  "^42501 .*permission denied for schema ([A-Za-z_][\\w$]{0,62})$":
    "the role may not create tables in the schema. As the owner of the schema: `grant usage, create on schema $1 to ROLE`, with the user of DATABASE_URL as ROLE.",
  "^42501 ":
    "the role may not do that. Use the owner of the tables in DATABASE_URL; the role of scripts/deploy/postgres-role.sql is for `serve --no-migrate` alone.",
  "^53100 ": "the disk of the server is full. Make room on it.",
  "^55000 .*not currently accepting connections$":
    "the database accepts no connections. As a superuser: `alter database NAME allow_connections true`.",
  "^53300 ":
    "the server, the database or the role has no connection left. Lower DATABASE_POOL, or raise max_connections of the server, or the connection limit of the database or the role.",
  "^57P03 ": "the server is starting up or shutting down. Wait until it has started.",
  "^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\\w+) ": unknownAuthority,
  "^ERR_TLS_CERT_ALTNAME_INVALID ":
    "the certificate of the server is for another name. Use a host in DATABASE_URL that is in the certificate; `sslmode=no-verify` encrypts without a check.",
  "^CERT_HAS_EXPIRED ": "the certificate of the server has expired. Renew it on the server.",
  "^ .*The server does not support SSL connections$":
    "the server has no TLS. Enable it on the server, or set `sslmode=disable` in DATABASE_URL; with `prefer`, the driver needs TLS too.",
  "^SQLITE_BUSY": "another process holds the file. Wait for that process, or stop it.",
  "^SQLITE_CANTOPEN":
    "the file cannot be opened, or nothing can be written next to it. Correct the path in DATABASE_URL, or let the user of this process write the file and its folder.",
  "^SQLITE_CORRUPT": `the file is damaged. ${RESTORE_BACKUP}`,
  "^SQLITE_FULL ": "the disk is full. Make room, or move the database.",
  "^SQLITE_NOTADB ": `the file is no SQLite database. Correct the path in DATABASE_URL, if it is another file. ${RESTORE_BACKUP}`,
  "^SQLITE_READONLY":
    "the file cannot be written. Let the user of this process write the file and its folder.",
};

/** Null for an error that is not in the table. Of its message, nothing is returned but an identifier. */
export function meaningOf(
  error: unknown,
): { readonly meaning: string; readonly remedy: string } | null {
  if (!(error instanceof Error)) return null;
  for (const [expression, text] of Object.entries(MEANINGS)) {
    const match = new RegExp(expression, "s").exec(textOf(error));
    if (!match) continue;
    const [meaning = "", ...remedy] = text.replaceAll("$1", () => match[1] ?? "").split(". ");
    return { meaning, remedy: remedy.join(". ") };
  }
  return null;
}

/**
 * The codes of an unavailable storage, for calls, probes and `doctor` alike. SQLSTATEs (PostgreSQL, appendix A): connection, resources,
 * operator intervention and statement time-out, system, internal, a log-in that is rejected; a database, a schema or a table that is
 * missing, or that the role may not use; a database that accepts no connection; a standby, conflicts, time-outs of the operator's.
 */
const UNAVAILABLE: readonly RegExp[] = [
  /^((08|53|57|58|XX|28|3D|3F)[0-9A-Z]{3}|42501|42P01|5500[06]|25006|40001|40P01|55P03|25P0[34]) /,
  /^(SQLITE_(BUSY|CANTOPEN|IOERR|FULL|READONLY|CORRUPT|NOTADB)|SQLITE_ERROR .*no such table: \S+$)/s,
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL|ENOENT|EACCES) /,
  // A connection that cannot be encrypted: OpenSSL's errors about the certificate (x509_vfy.h), and Node.js's about its name.
  /^(UNABLE_TO_|CERT_|ERR_SSL_|ERR_TLS_CERT_|(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|EPROTO) )/,
];

/** Messages of `pg` and Knex without a code; Knex puts the statement and " - " before a message of `pg`. */
const UNAVAILABLE_WITHOUT_CODE =
  /^ (?:.* - )?(timeout expired|Query read timeout|Connection terminated(?: unexpectedly)?|Connection ended unexpectedly|Client (?:was closed|has encountered a connection error) and is not queryable|Unable to acquire a connection|The server does not support SSL connections|There was an error establishing an SSL connection|SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a (?:non-empty )?string)$/s;

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** The code, or nothing, and the message, with a blank between. */
const textOf = (error: Error): string => `${codeOf(error)} ${error.message}`;

/** A server that rejects writes, such as one that has become a standby. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === "25006";

/** Of two transactions: the one that has this error has changed nothing. */
export const isConflict = (error: unknown): boolean => codeOf(error) === "40001";

/** The file of SQLite (or its -wal or -shm) is missing, or was replaced. */
export class FileGone extends SafeError {
  override readonly name = "FileGone";
  constructor() {
    super(
      "the file of DATABASE_URL, or the -wal or -shm next to it, was removed or replaced: put it back, or restart to use what is there",
    );
  }
}

/** The problem of an unavailable storage, to be retried after 5 s. */
export const unavailable = (cause: unknown, detail?: string): Problem =>
  new Problem("storage-unavailable", { detail, headers: { "Retry-After": "5" }, cause });

/** Knex sets `timeout` on the error of a statement that took longer, and on that of a failed attempt to cancel it. */
function timeoutMessage(error: Error): string | undefined {
  const isOfKnex = error.name === "KnexTimeoutError";
  if (!("timeout" in error)) return isOfKnex ? "no connection was free in time" : undefined;
  return `a statement reached its deadline, and ${isOfKnex ? "was cancelled" : "could not be cancelled"}`;
}

/** Throws `storage-unavailable` after the deadline (of `performance.now()`): its caller has a response. */
export function expectTime(deadline: number | undefined): void {
  if (deadline !== undefined && deadline <= performance.now())
    throw unavailable(new SafeError("no turn to write before the deadline"));
}

/** An error that means that the storage is unavailable as `storage-unavailable`; any other is a fault of ours and is unchanged. */
export function toStorageProblem(error: unknown, detail?: string): unknown {
  if (!(error instanceof Error)) return error;
  const message = timeoutMessage(error) ?? UNAVAILABLE_WITHOUT_CODE.exec(textOf(error))?.[1];
  // It gets a message of ours: the text of a driver is never logged.
  if (message !== undefined) return unavailable(new SafeError(message, { cause: error }), detail);
  const isKnown = error instanceof FileGone || UNAVAILABLE.some((form) => form.test(textOf(error)));
  return isKnown ? unavailable(error, detail) : error;
}

/** Runs `work`; what it throws is passed to `toStorageProblem`. */
export async function withStorageErrors<T>(
  work: () => PromiseLike<T>,
  detail?: string,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStorageProblem(error, detail);
  }
}

import { SafeError } from "../log/safe-error.ts";
import { Problem } from "../protocol/problem.ts";

/** What an error of a database, or of the connection to it, means. */
interface ErrorMeaning {
  /** A SQLSTATE (PostgreSQL, appendix A), a result code of SQLite, or a code of Node.js or OpenSSL; empty where the driver has none. */
  readonly code: RegExp;
  /** What the message must contain. Only its group is ever printed, for `$1` in `remedy`. */
  readonly text?: RegExp;
  /** By default the storage is unavailable. After a `conflict`, nothing has changed; a server that is `read-only` may be a standby. */
  readonly kind?: "conflict" | "read-only" | "fault";
  /** For operators. */
  readonly meaning?: string;
  readonly remedy?: string | undefined;
}

/** The remedy for a damaged file. */
export const RESTORE_BACKUP = "Stop the service, and put a backup in its place, without the old -wal and -shm.";

/** The first row that matches counts. */
const MEANINGS: readonly ErrorMeaning[] = [
  {
    code: /^08P01$/,
    text: /unsupported startup parameter/,
    meaning: "the pooler rejects a startup parameter",
    remedy:
      "Add `?statement_timeout=` to DATABASE_URL, without a value (`&statement_timeout=` after another parameter), or set `ignore_startup_parameters = statement_timeout` in PgBouncer. If DATABASE_URL has `options`, remove them, or add `, options` to that line.",
  },
  {
    code: /^08P01$/,
    meaning: "the pooler rejected the connection",
    remedy: "The log of the pooler has the reason.",
  },
  {
    code: /^28...$/,
    meaning: "the log-in was rejected",
    remedy: "Correct user and password in DATABASE_URL, or allow the log-in in the server's pg_hba.conf.",
  },
  {
    code: /^3D000$/,
    meaning: "there is no database of that name",
    remedy: "Correct the name in DATABASE_URL, or create it: `createdb NAME`.",
  },
  {
    code: /^3F000$/,
    kind: "fault",
    meaning: "the role has no schema to create tables in",
    remedy:
      "As the owner of the database: `create schema if not exists NAME; grant usage, create on schema NAME to ROLE`, with the first schema of the role's search_path (by default public) as NAME.",
  },
  {
    code: /^42501$/,
    kind: "fault",
    text: /permission denied for schema ([A-Za-z_][\w$]{0,62})$/,
    meaning: "the role may not create tables in the schema",
    remedy:
      "As the owner of the schema: `grant usage, create on schema $1 to ROLE`, with the user of DATABASE_URL as ROLE.",
  },
  {
    code: /^42501$/,
    kind: "fault",
    meaning: "the role may not do that",
    remedy:
      "Use the owner of the tables in DATABASE_URL; the role of scripts/deploy/postgres-role.sql is for `serve --no-migrate` alone.",
  },
  {
    code: /^53300$/,
    meaning: "the server has no connection left",
    remedy: "Lower DATABASE_POOL, or raise max_connections of the server.",
  },
  { code: /^57P03$/, meaning: "the server is starting up or shutting down", remedy: "Wait until it has started." },
  { code: /^40001$/, kind: "conflict" },
  { code: /^25006$/, kind: "read-only" },
  // Connection, resources, operator intervention and statement time-out, system, internal; a deadlock, and time-outs of the operator's.
  { code: /^((08|53|57|58|XX|28|3D)[0-9A-Z]{3}|40P01|55P03|25P0[34])$/ },
  {
    code: /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/,
    meaning: "the certificate of the server is from an authority that is unknown here",
    remedy:
      "Add `sslrootcert=FILE`, the certificate of that authority, to DATABASE_URL. The driver treats `sslmode=prefer` and `require` as `verify-full`; `sslmode=no-verify` encrypts without a check.",
  },
  {
    code: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    meaning: "the certificate of the server is for another name",
    remedy: "Use a host in DATABASE_URL that is in the certificate; `sslmode=no-verify` encrypts without a check.",
  },
  {
    code: /^CERT_HAS_EXPIRED$/,
    meaning: "the certificate of the server has expired",
    remedy: "Renew it on the server.",
  },
  // OpenSSL's other errors about a certificate (x509_vfy.h).
  { code: /^(UNABLE_TO_|CERT_|ERR_SSL_|ERR_TLS_CERT_|(INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|EPROTO)$)/ },
  {
    code: /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL|ENOENT|EACCES)$/,
  },
  {
    code: /^SQLITE_BUSY/,
    meaning: "another process holds the file",
    remedy: "Wait for that process, or stop it.",
  },
  {
    code: /^SQLITE_CANTOPEN/,
    meaning: "the file cannot be opened, or nothing can be written next to it",
    remedy: "Correct the path in DATABASE_URL, or let the user of this process write the file and its folder.",
  },
  { code: /^SQLITE_CORRUPT/, meaning: "the file is damaged", remedy: RESTORE_BACKUP },
  { code: /^SQLITE_FULL/, meaning: "the disk is full", remedy: "Make room, or move the database." },
  {
    code: /^SQLITE_NOTADB/,
    meaning: "the file is no SQLite database",
    remedy: `Correct the path in DATABASE_URL, if it is another file. ${RESTORE_BACKUP}`,
  },
  {
    code: /^SQLITE_READONLY/,
    meaning: "the file cannot be written",
    remedy: "Let the user of this process write the file and its folder.",
  },
  { code: /^SQLITE_IOERR/ },
  // Messages of `pg` and Knex without a code; Knex puts the statement and " - " before a message of `pg`.
  {
    code: /^$/,
    text: /(?:^| - )(The server does not support SSL connections)$/,
    meaning: "the server has no TLS",
    remedy:
      "Enable it on the server, or set `sslmode=disable` in DATABASE_URL; with `prefer`, the driver needs TLS too.",
  },
  {
    code: /^$/,
    text: /(?:^| - )(timeout expired|Query read timeout|Connection terminated(?: unexpectedly)?|Connection ended unexpectedly|Client (?:was closed|has encountered a connection error) and is not queryable|Unable to acquire a connection|There was an error establishing an SSL connection|SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a (?:non-empty )?string)$/,
  },
];

/** The row of an error, with its group in `text`; null for an error that is in no row. */
export function meaningOf(error: unknown): (Omit<ErrorMeaning, "text"> & { readonly text: string }) | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error);
  for (const row of MEANINGS) {
    const match = row.code.test(code) && (row.text ?? /$/).exec(error.message);
    if (match) return { ...row, text: match[1] ?? "", remedy: row.remedy?.replace("$1", match[1] ?? "") };
  }
  return null;
}

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : "");

/** The file of SQLite (or its -wal or -shm) is missing, or was replaced. */
export class FileGone extends SafeError {
  override readonly name = "FileGone";
  constructor() {
    super(
      "the file of DATABASE_URL, or the -wal or -shm next to it, was removed or replaced: put it back, or restart to use what is there",
    );
  }
}

/** Null for any other error. Errors without a code get a message of ours: the text of a driver is never logged. */
function unavailableCause(error: Error): Error | null {
  if (error instanceof FileGone) return error;
  if (error.name === "KnexTimeoutError") return new SafeError("no connection was free in time", { cause: error });
  const meaning = meaningOf(error);
  if (!meaning || meaning.kind === "fault") return null;
  return codeOf(error) ? error : new SafeError(meaning.text, { cause: error });
}

/** The problem of an unavailable storage, to be retried after 5 s. */
export const unavailable = (cause: unknown, detail?: string): Problem =>
  new Problem("storage-unavailable", { detail, headers: { "Retry-After": "5" }, cause });

/** An error that means that the storage is unavailable as `storage-unavailable`; any other is a fault of ours and is unchanged. */
export function toStorageProblem(error: unknown, detail?: string): unknown {
  const cause = error instanceof Error ? unavailableCause(error) : null;
  return cause === null ? error : unavailable(cause, detail);
}

/** Runs `work`; what it throws is passed to `toStorageProblem`. */
export async function withStorageErrors<T>(work: () => PromiseLike<T>, detail?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStorageProblem(error, detail);
  }
}

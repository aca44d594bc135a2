import { errorFacts } from "../log/error-facts.ts";
import { SafeError } from "../log/safe-error.ts";
import { Problem } from "../protocol/problem.ts";

/** Of a damaged file. */
export const restore = "Stop the service, and put a backup in its place, without the old -wal and -shm.";

/**
 * Causes of failures of the database in our words, each with its remedy, by what matches code and message of the driver. The code is the
 * SQLSTATE of PostgreSQL, the result code of SQLite, that of OpenSSL, or none. Of the message only an identifier is printed, as `$1`.
 */
const causes: Readonly<Record<string, string>> = {
  "^08P01 .*unsupported startup parameter":
    "the pooler rejects a startup parameter. Add `?statement_timeout=` to DATABASE_URL, without a value (`&statement_timeout=` after another parameter), or set `ignore_startup_parameters = statement_timeout` in PgBouncer. If DATABASE_URL has `options`, remove them, or add `, options` to that line.",
  "^08P01 ": "the pooler rejected the connection. The log of the pooler has the reason.",
  "^28... ":
    "the log-in was rejected. Correct user and password in DATABASE_URL, or allow the log-in in the server's pg_hba.conf.",
  "^3D000 ": "there is no database of that name. Correct the name in DATABASE_URL, or create it: `createdb NAME`.",
  "^3F000 ":
    "the role has no schema to create tables in. As the owner of the database: `create schema if not exists NAME; grant usage, create on schema NAME to ROLE`, with the first schema of the role's search_path (by default public) as NAME.",
  "^42501 .*permission denied for schema ([A-Za-z_][\\w$]{0,62})$":
    "the role may not create tables in the schema. As the owner of the schema: `grant usage, create on schema $1 to ROLE`, with the user of DATABASE_URL as ROLE.",
  "^42501 ":
    "the role may not do that. Use the owner of the tables in DATABASE_URL; the role of scripts/deploy/postgres-role.sql is for `serve --no-migrate` alone.",
  "^53300 ": "the server has no connection left. Lower DATABASE_POOL, or raise max_connections of the server.",
  "^57P03 ": "the server is starting up or shutting down. Wait until it has started.",
  "^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\\w+) ":
    "the certificate of the server is from an authority that is unknown here. Add `sslrootcert=FILE`, the certificate of that authority, to DATABASE_URL. The driver treats `sslmode=prefer` and `require` as `verify-full`; `sslmode=no-verify` encrypts without a check.",
  "^ERR_TLS_CERT_ALTNAME_INVALID ":
    "the certificate of the server is for another name. Use a host in DATABASE_URL that is in the certificate; `sslmode=no-verify` encrypts without a check.",
  "^CERT_HAS_EXPIRED ": "the certificate of the server has expired. Renew it on the server.",
  "^ .*The server does not support SSL connections$":
    "the server has no TLS. Enable it on the server, or set `sslmode=disable` in DATABASE_URL; with `prefer`, the driver needs TLS too.",
  "^SQLITE_BUSY": "another process holds the file. Wait for that process, or stop it.",
  "^SQLITE_CANTOPEN":
    "the file cannot be opened, or nothing can be written next to it. Correct the path in DATABASE_URL, or let the user of this process write the file and its folder.",
  "^SQLITE_CORRUPT": `the file is damaged. ${restore}`,
  "^SQLITE_FULL ": "the disk is full. Make room, or move the database.",
  "^SQLITE_NOTADB ": `the file is no SQLite database. Correct the path in DATABASE_URL, if it is another file. ${restore}`,
  "^SQLITE_READONLY": "the file cannot be written. Let the user of this process write the file and its folder.",
};

/** Codes that only a database has: of others, such as those of a certificate, only the storage knows that they are of one. */
const ofDatabase = /^([0-9A-Z]{5}|SQLITE_\w+)$/;

/** Why something failed, and how to mend it where we know that. */
interface Failure {
  readonly says: string;
  readonly todo?: string | undefined;
}

/** Why a command or the start failed, for a person, without a stack. Of an error that is not ours only the facts are printed: `errorFacts`. */
export function failureText(error: unknown): string {
  const { says, todo } = explainFailure(error);
  return todo === undefined ? says : `${says}. ${todo}`;
}

export function explainFailure(error: unknown): Failure {
  const isStorage = error instanceof Problem && error.code === "storage-unavailable";
  const cause = isStorage ? error.cause : error;
  const { code = "" } = errorFacts(cause);
  const found = isStorage || ofDatabase.test(code) ? causeOf(code, cause) : null;
  const storage = "The database of DATABASE_URL cannot be used";
  if (found) return { says: `${storage}: ${found.says}${code && ` (${reason(cause)})`}`, todo: found.todo };
  if (isStorage) return { says: `${storage}: ${reason(cause)}` };
  if (error instanceof Error && "code" in error && "syscall" in error) {
    if (error.code === "EADDRINUSE" && "port" in error)
      return { says: `The port ${error.port} is in use already: choose another one with PORT.` };
    if (error.syscall === "listen" || error.syscall === "getaddrinfo")
      return { says: `Cannot listen where HOST and PORT say: ${reason(error)}` };
  }
  return { says: reason(error) };
}

function causeOf(code: string, error: unknown): Failure | null {
  const message = error instanceof Error ? error.message : "";
  for (const [pattern, cause] of Object.entries(causes)) {
    const match = new RegExp(pattern, "s").exec(`${code} ${message}`);
    const [says = "", todo] = cause.split(/\. (.*)/);
    if (match) return { says, todo: todo?.replace("$1", match[1] ?? "") };
  }
  return null;
}

function reason(error: unknown): string {
  if (error instanceof SafeError) return error.message;
  // A name with several addresses fails once for each; the error around them has no message of its own.
  if (error instanceof AggregateError) return error.errors.map(reason).join(", ");
  const { name, syscall, code, routine, path, address, port, stack } = errorFacts(error);
  if (code === undefined) return [name, stack?.[0]].filter(Boolean).join(" ");
  const place = address === undefined || port === undefined ? address : `${address}:${port}`;
  return [syscall, code, routine, path, place].filter(Boolean).join(" ");
}

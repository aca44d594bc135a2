import { errorFacts } from "../log/error-facts.ts";
import { SafeError } from "../log/safe-error.ts";
import { Problem } from "../protocol/problem.ts";

/** A cause of failures of the database, in our words, and its remedy. */
interface Known {
  /** The SQLSTATE of PostgreSQL, the result code of SQLite, or the code of OpenSSL; empty where the driver has none. */
  readonly code: RegExp;
  /** What the message must contain: of it nothing is printed but an identifier, in `todo` as `$1`. */
  readonly text?: RegExp;
  readonly says: string;
  readonly todo: string;
}

/** Of a damaged file. */
export const restore = "Stop the service, and put a backup in its place, without the old -wal and -shm.";

const known: readonly Known[] = [
  {
    code: /^08P01$/,
    text: /unsupported startup parameter/,
    says: "the pooler rejects a startup parameter",
    todo: "Add `?statement_timeout=` to DATABASE_URL, without a value (`&statement_timeout=` after another parameter), or set `ignore_startup_parameters = statement_timeout` in PgBouncer. If DATABASE_URL has `options`, remove them, or add `, options` to that line.",
  },
  {
    code: /^08P01$/,
    says: "the pooler rejected the connection",
    todo: "The log of the pooler has the reason.",
  },
  {
    code: /^28...$/,
    says: "the log-in was rejected",
    todo: "Correct user and password in DATABASE_URL, or allow the log-in in the server's pg_hba.conf.",
  },
  {
    code: /^3D000$/,
    says: "there is no database of that name",
    todo: "Correct the name in DATABASE_URL, or create it: `createdb NAME`.",
  },
  {
    code: /^3F000$/,
    says: "the role has no schema to create tables in",
    todo: "As the owner of the database: `create schema if not exists NAME; grant usage, create on schema NAME to ROLE`, with the first schema of the role's search_path (by default public) as NAME.",
  },
  {
    code: /^42501$/,
    text: /permission denied for schema ([A-Za-z_][\w$]{0,62})$/,
    says: "the role may not create tables in the schema",
    todo: "As the owner of the schema: `grant usage, create on schema $1 to ROLE`, with the user of DATABASE_URL as ROLE.",
  },
  {
    code: /^42501$/,
    says: "the role may not do that",
    todo: "Use the owner of the tables in DATABASE_URL; the role of scripts/deploy/postgres-role.sql is for `serve --no-migrate` alone.",
  },
  {
    code: /^53300$/,
    says: "the server has no connection left",
    todo: "Lower DATABASE_POOL, or raise max_connections of the server.",
  },
  {
    code: /^57P03$/,
    says: "the server is starting up or shutting down",
    todo: "Wait until it has started.",
  },
  {
    code: /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/,
    says: "the certificate of the server is from an authority that is unknown here",
    todo: "Add `sslrootcert=FILE`, the certificate of that authority, to DATABASE_URL. The driver treats `sslmode=prefer` and `require` as `verify-full`; `sslmode=no-verify` encrypts without a check.",
  },
  {
    code: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    says: "the certificate of the server is for another name",
    todo: "Use a host in DATABASE_URL that is in the certificate; `sslmode=no-verify` encrypts without a check.",
  },
  {
    code: /^CERT_HAS_EXPIRED$/,
    says: "the certificate of the server has expired",
    todo: "Renew it on the server.",
  },
  {
    code: /^$/,
    text: /The server does not support SSL connections$/,
    says: "the server has no TLS",
    todo: "Enable it on the server, or set `sslmode=disable` in DATABASE_URL; with `prefer`, the driver needs TLS too.",
  },
  {
    code: /^SQLITE_BUSY/,
    says: "another process holds the file",
    todo: "Wait for that process, or stop it.",
  },
  {
    code: /^SQLITE_CANTOPEN/,
    says: "the file cannot be opened, or nothing can be written next to it",
    todo: "Correct the path in DATABASE_URL, or let the user of this process write the file and its folder.",
  },
  { code: /^SQLITE_CORRUPT/, says: "the file is damaged", todo: restore },
  { code: /^SQLITE_FULL$/, says: "the disk is full", todo: "Make room, or move the database." },
  {
    code: /^SQLITE_NOTADB$/,
    says: "the file is no SQLite database",
    todo: `Correct the path in DATABASE_URL, if it is another file. ${restore}`,
  },
  {
    code: /^SQLITE_READONLY/,
    says: "the file cannot be written",
    todo: "Let the user of this process write the file and its folder.",
  },
];

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
  for (const { code: codes, text, says, todo } of known) {
    const match = codes.test(code) && (text ?? /$/).exec(message);
    if (match) return { says, todo: todo.replace("$1", match[1] ?? "") };
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

import { ENCODE_PASSWORD } from "../settings/database-url.ts";
import { codeAndMessage } from "../storage/errors.ts";

/** The remedy for a file, or a folder, that the process cannot write. */
export const ALLOW_WRITING = "Let the user of this process write the file and its folder.";

/** The remedy for a damaged file. */
export const RESTORE_BACKUP =
  "Stop the service, and put a backup in its place, without the old -wal and -shm.";

/**
 * What an error of a database means to an operator, and the remedy, by its code (SQLSTATE, result
 * code of SQLite, or code of OpenSSL) and its message, with a blank between. The first match
 * counts, and its group is `$1`.
 */
const ADVICE: readonly (readonly [match: RegExp, meaning: string, remedy: string])[] = [
  [
    /^08P01 .*unsupported startup parameter/s,
    "the pooler rejects a startup parameter",
    "Add `?statement_timeout=` to DATABASE_URL, without a value (`&statement_timeout=` " +
      "after another parameter), or set `ignore_startup_parameters = statement_timeout` in " +
      "PgBouncer. If DATABASE_URL has `options`, remove them, or add `, options` to that " +
      "line.",
  ],
  [/^08P01 /, "the pooler rejected the connection", "The log of the pooler has the reason."],
  [
    /^(ENOTFOUND|EAI_AGAIN) /,
    "the name of the host cannot be resolved",
    `Correct the host in DATABASE_URL; ${ENCODE_PASSWORD}.`,
  ],
  [
    /^ECONNREFUSED /,
    "no server listens there",
    "Start PostgreSQL, or correct host and port in DATABASE_URL.",
  ],
  [
    /^ENOENT connect /,
    "the server has no socket there",
    "Start PostgreSQL, or correct host and port in DATABASE_URL.",
  ],
  [
    /^((ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN) | timeout expired$)/,
    "the server does not respond",
    "Correct host and port in DATABASE_URL, or let this machine reach the server.",
  ],
  [
    /^28... /,
    "the login was rejected",
    `Correct user and password in DATABASE_URL (${ENCODE_PASSWORD}), or allow the login in the ` +
      "server's pg_hba.conf.",
  ],
  [
    /^3D000 .*database "([\w.-]{1,63})" does not exist$/s,
    "there is no database $1",
    "Correct the name in DATABASE_URL, or create it: `createdb $1`.",
  ],
  [
    /^3D000 /,
    "there is no database of that name",
    "Correct the name in DATABASE_URL, or create it: `createdb NAME`.",
  ],
  [
    /^3F000 /,
    "the role has no schema to create tables in",
    "As the owner of the database: `create schema if not exists NAME; grant usage, create " +
      "on schema NAME to ROLE`, with the first schema of the role's search_path (by default " +
      "public) as NAME.",
  ],
  [
    /^25006 /,
    "the database, or the role, is read-only",
    "Name the server that accepts writes in DATABASE_URL, or reset " +
      "default_transaction_read_only of the database and the role.",
  ],
  [
    /^42501 .*row-level security policy for table "([A-Za-z_][\w$]{0,62})"$/s,
    "row-level security keeps rows of $1 from the role",
    "As the owner of the table: `alter table $1 disable row level security`, or as a " +
      "superuser: `alter role ROLE bypassrls`.",
  ],
  [
    /^42501 .*permission denied for table ([A-Za-z_][\w$]{0,62})$/s,
    "the role may not use the table $1",
    "As its owner: `grant select, insert, update, delete on $1 to ROLE`, with the user of " +
      "DATABASE_URL as ROLE; the role of scripts/deploy/postgres-role.sql is for `serve " +
      "--no-migrate` alone.",
  ],
  [
    /^42501 .*permission denied for sequence ([A-Za-z_][\w$]{0,62})$/s,
    "the role may not use the sequence $1",
    "As its owner: `grant usage on sequence $1 to ROLE`, with the user of DATABASE_URL as " +
      "ROLE.",
  ],
  [
    /^42P01 .*relation "([A-Za-z_][\w$]{0,62})" does not exist$/s,
    "the table $1 is missing, or in no schema of the role's search_path",
    "Restore a backup, or correct `options` in DATABASE_URL.",
  ],
  [
    /^SQLITE_ERROR .*no such table: (?:main\.)?([A-Za-z_][\w$]{0,62})$/s,
    "the table $1 is missing",
    RESTORE_BACKUP,
  ],
  [
    /^42501 .*permission denied for schema ([A-Za-z_][\w$]{0,62})$/s,
    "the role may not create tables in the schema",
    "As the owner of the schema: `grant usage, create on schema $1 to ROLE`, with the user " +
      "of DATABASE_URL as ROLE.",
  ],
  [
    /^42501 /,
    "the role may not do that",
    "Use the owner of the tables in DATABASE_URL; the role of " +
      "scripts/deploy/postgres-role.sql is for `serve --no-migrate` alone.",
  ],
  [/^53100 /, "the disk of the server is full", "Make room on it."],
  [
    /^55000 .*not currently accepting connections$/s,
    "the database accepts no connections",
    "As a superuser: `alter database NAME allow_connections true`.",
  ],
  [
    /^53300 /,
    "the server, the database or the role has no connection left",
    "Lower DATABASE_POOL, or raise max_connections of the server, or the connection limit " +
      "of the database or the role.",
  ],
  [/^57P03 /, "the server is starting up or shutting down", "Wait until it has started."],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+) /,
    "the certificate of the server is from an authority that is unknown here",
    "Add `sslrootcert=FILE`, the certificate of that authority, to DATABASE_URL. The " +
      "driver treats `sslmode=prefer` and `require` as `verify-full`; `sslmode=no-verify` " +
      "encrypts without a check.",
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID /,
    "the certificate of the server is for another name",
    "Use a host in DATABASE_URL that is in the certificate; `sslmode=no-verify` encrypts " +
      "without a check.",
  ],
  [/^CERT_HAS_EXPIRED /, "the certificate of the server has expired", "Renew it on the server."],
  [
    /^ .*The server does not support SSL connections$/s,
    "the server has no TLS",
    "Enable it on the server, or set `sslmode=disable` in DATABASE_URL; with `prefer`, the " +
      "driver needs TLS too.",
  ],
  [/^SQLITE_BUSY/, "another process holds the file", "Wait for that process, or stop it."],
  [
    /^SQLITE_CANTOPEN/,
    "the file cannot be opened, or nothing can be written next to it",
    "Correct the path in DATABASE_URL, or let the user of this process write the file and " +
      "its folder.",
  ],
  [
    /^(EACCES|EPERM|EROFS) .* (open|mkdir) /s,
    "the file cannot be created, since its folder cannot be written",
    ALLOW_WRITING,
  ],
  [/^SQLITE_CORRUPT/, "the file is damaged", RESTORE_BACKUP],
  [/^SQLITE_FULL /, "the disk is full", "Make room, or move the database."],
  [
    /^SQLITE_NOTADB /,
    "the file is no SQLite database",
    `Correct the path in DATABASE_URL, if it is another file. ${RESTORE_BACKUP}`,
  ],
  [/^SQLITE_READONLY/, "the file cannot be written", ALLOW_WRITING],
];

/** Null for an error that is not in the table. Of its message only an identifier is shown. */
export function storageAdvice(
  error: unknown,
): { readonly meaning: string; readonly remedy: string } | null {
  if (!(error instanceof Error)) return null;
  for (const [form, meaning, remedy] of ADVICE) {
    const match = form.exec(codeAndMessage(error));
    if (!match) continue;
    const [, name = ""] = match;
    const named = (text: string) => text.replaceAll("$1", () => name);
    return { meaning: named(meaning), remedy: named(remedy) };
  }
  return null;
}

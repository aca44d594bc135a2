import { SafeError } from "../log/safe-error.ts";
import { Problem } from "../protocol/problem.ts";

const sqliteAway = /^SQLITE_(BUSY|CANTOPEN|IOERR|FULL|READONLY|CORRUPT|NOTADB)/;

/**
 * SQLSTATEs (PostgreSQL, appendix A): 08 connection, 53 resources, 57 operator intervention and statement time-out, 58 system,
 * XX internal; 28 and 3D are rejected log-ins and a missing database, 25006 is a standby after a switch; 40001 and 40P01 are conflicts
 * between transactions, 55P03, 25P03 and 25P04 time-outs of the operator's.
 */
const postgresAway = /^((08|53|57|58|XX|28|3D)[0-9A-Z]{3}|25006|40001|40P01|55P03|25P0[34])$/;

const networkAway =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL|ENOENT|EACCES)$/;

/** A connection that cannot be encrypted: OpenSSL's errors about the certificate (x509_vfy.h), and Node.js's about its name. */
const tlsAway =
  /^(UNABLE_TO_|CERT_|ERR_SSL_|ERR_TLS_CERT_|(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|EPROTO)$)/;

/** Messages of `pg` and Knex without a code; Knex puts the statement and " - " before a message of `pg`. */
const driverAway =
  /(?:^| - )(timeout expired|Query read timeout|Connection terminated(?: unexpectedly)?|Connection ended unexpectedly|Client (?:was closed|has encountered a connection error) and is not queryable|Unable to acquire a connection|The server does not support SSL connections|There was an error establishing an SSL connection|SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a (?:non-empty )?string)$/;

/** The file of SQLite (or its -wal or -shm) is missing, or was replaced. */
export class FileGone extends SafeError {
  override readonly name = "FileGone";
  constructor() {
    super(
      "the file of DATABASE_URL, or the -wal or -shm next to it, was removed or replaced: put it back, or restart to use what is there",
    );
  }
}

/** Why the storage is unavailable, or null for any other error. Errors without a code get a name of ours: the text of a driver is never logged. */
function whyAway(error: Error): Error | null {
  if (error instanceof FileGone) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code) return [sqliteAway, postgresAway, networkAway, tlsAway].some((away) => away.test(code)) ? error : null;
  const said =
    error.name === "KnexTimeoutError" ? "no connection was free in time" : driverAway.exec(error.message)?.[1];
  return said === undefined ? null : new SafeError(said, { cause: error });
}

/** The problem of an unavailable storage, to be retried after 5 s. */
export const unavailable = (cause: unknown, detail?: string): Problem =>
  new Problem("storage-unavailable", { detail, headers: { "Retry-After": "5" }, cause });

/** An error that means that the storage is unavailable as `storage-unavailable`; any other is a fault of ours and is unchanged. */
export function judged(error: unknown, detail?: string): unknown {
  const cause = error instanceof Error ? whyAway(error) : null;
  return cause === null ? error : unavailable(cause, detail);
}

/** Runs `work`; an error that it throws is `judged`. */
export async function orUnavailable<T>(work: () => PromiseLike<T>, detail?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw judged(error, detail);
  }
}

import { Problem } from "../problem.ts";

const sqliteAway = /^SQLITE_(BUSY|CANTOPEN|IOERR|FULL|READONLY|CORRUPT|NOTADB)/;

/**
 * SQLSTATEs (PostgreSQL, appendix A): 08 connection, 53 resources, 57 operator intervention and statement time-out, 58 system,
 * XX internal; 28 and 3D are refused log-ins and a database that is gone, 25006 is a standby after a switch.
 */
const postgresAway = /^((08|53|57|58|XX|28|3D)[0-9A-Z]{3}|25006)$/;

const networkAway =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|EADDRNOTAVAIL|ENOENT|EACCES)$/;

/** What `pg` says without a code; Knex puts the statement and " - " before it. */
const driverAway =
  /(^| - )(timeout expired|Query read timeout|Connection terminated( unexpectedly)?|Connection ended unexpectedly|Client .* is not queryable|Unable to acquire a connection)$/;

function isAway(error: Error): boolean {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code) return sqliteAway.test(code) || postgresAway.test(code) || networkAway.test(code);
  return error.name === "KnexTimeoutError" || driverAway.test(error.message);
}

/** The problem that says so, to be tried again in 5 s. */
export const unavailable = (cause: unknown): Problem =>
  new Problem("storage-unavailable", { headers: { "Retry-After": "5" }, cause });

/** Turns a storage that is away into `storage-unavailable`; any other error is a fault of ours and passes as it is. */
export async function orUnavailable<T>(work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error && isAway(error) ? unavailable(error) : error;
  }
}

import { errorFacts } from "../log/error-facts.ts";
import { SafeError } from "../log/safe-error.ts";
import { Problem } from "../protocol/problem.ts";

/** Our texts for the most common causes of a failed start: SQLSTATEs of PostgreSQL and result codes of SQLite. */
const inWords: Readonly<Record<string, string>> = {
  "28...": "the log-in was rejected",
  "3D000": "there is no database of that name",
  "42501": "the role may not do that",
  "53300": "the server has no connection left",
  "57P03": "the server is starting up or shutting down",
  SQLITE_BUSY: "another process holds the file",
  SQLITE_CANTOPEN: "the file cannot be opened, or nothing can be written next to it",
  SQLITE_FULL: "the disk is full",
  SQLITE_NOTADB: "the file is no SQLite database",
  SQLITE_READONLY: "the file cannot be written",
};

/** Why a command or the start failed, for a person, without a stack. Of an error that is not ours only the facts are printed: `errorFacts`. */
export function failureText(error: unknown): string {
  if (error instanceof Problem && error.code === "storage-unavailable")
    return `The database of DATABASE_URL cannot be used: ${reason(error.cause)}`;
  if (error instanceof Error && "code" in error && "syscall" in error) {
    if (error.code === "EADDRINUSE" && "port" in error)
      return `The port ${error.port} is in use already: choose another one with PORT.`;
    if (error.syscall === "listen" || error.syscall === "getaddrinfo")
      return `Cannot listen where HOST and PORT say: ${reason(error)}`;
  }
  return reason(error);
}

function reason(error: unknown): string {
  if (error instanceof SafeError) return error.message;
  // A name with several addresses fails once for each; the error around them has no message of its own.
  if (error instanceof AggregateError) return error.errors.map(reason).join(", ");
  const { name, syscall, code, routine, path, address, port, stack } = errorFacts(error);
  if (code === undefined) return [name, stack?.[0]].filter(Boolean).join(" ");
  const words = Object.entries(inWords).find(([pattern]) => new RegExp(`^${pattern}$`).test(code))?.[1];
  const place = address === undefined || port === undefined ? address : `${address}:${port}`;
  const facts = [syscall, code, routine, path, place].filter(Boolean).join(" ");
  return words ? `${words} (${facts})` : facts;
}

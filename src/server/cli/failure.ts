import { ExpectedError } from "../expected-error.ts";
import { errorFacts } from "../log/error-facts.ts";
import { StorageUnavailable } from "../storage/errors.ts";
import { storageAdvice } from "./storage-advice.ts";

/**
 * Codes that only a database has: of others, such as those of a certificate, only the storage knows
 * that they are of one.
 */
const ofDatabase = /^([0-9A-Z]{5}|SQLITE_\w+)$/;

/**
 * Why a command or the start failed, for a person, without a stack. Of an error that is not ours
 * only the facts are printed: `errorFacts`.
 */
export function failureText(error: unknown): string {
  const { says, todo } = explainFailure(error);
  return todo === undefined ? says : `${says}. ${todo}`;
}

/** The reason of a failure, and how to correct it where that is known. */
export function explainFailure(error: unknown): { readonly says: string; readonly todo?: string } {
  const isStorage = error instanceof StorageUnavailable;
  const cause = isStorage ? error.cause : error;
  const { code = "", syscall, port } = errorFacts(cause);
  const advice = isStorage || ofDatabase.test(code) ? storageAdvice(cause) : null;
  const storage = "The database of DATABASE_URL cannot be used";
  if (advice)
    return {
      says: `${storage}: ${advice.meaning}${code && ` (${reason(cause)})`}`,
      todo: advice.remedy,
    };
  if (isStorage) return { says: `${storage}: ${reason(cause)}` };
  if (code === "EADDRINUSE" && port !== undefined)
    return { says: `The port ${port} is in use already: choose another one with PORT.` };
  if (code !== "" && (syscall === "listen" || syscall === "getaddrinfo"))
    return { says: `Cannot listen where HOST and PORT say: ${reason(error)}` };
  return { says: reason(error) };
}

function reason(error: unknown): string {
  if (error instanceof ExpectedError) return error.message;
  // A name with several addresses fails once for each; the error around them has no message of its
  // own.
  if (error instanceof AggregateError) return error.errors.map(reason).join(", ");
  const { name, syscall, code, routine, path, address, port, stack } = errorFacts(error);
  if (code === undefined) return [name, stack?.[0]].filter(Boolean).join(" ");
  const place = address === undefined || port === undefined ? address : `${address}:${port}`;
  return [syscall, code, routine, path, place].filter(Boolean).join(" ");
}

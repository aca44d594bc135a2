import { Problem } from "./problem.ts";

/** Bad input of the command line, said to its user as it is. */
export class InputFault extends Error {
  override readonly name = "InputFault";
}

/** Why a command or the start failed, for a person and without a stack. */
export function failureText(error: unknown): string {
  if (error instanceof Problem && error.code === "storage-unavailable")
    return `The database of DATABASE_URL cannot be used: ${reason(error.cause)}`;
  if (error instanceof Error && "code" in error && "syscall" in error) {
    if (error.code === "EADDRINUSE" && "port" in error)
      return `The port ${error.port} is in use already: choose another one with PORT.`;
    if (error.syscall === "listen" || error.syscall === "getaddrinfo")
      return `Cannot listen where HOST and PORT say: ${error.message}`;
  }
  return reason(error);
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A name with several addresses fails once for each; the whole then says nothing by itself.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(reason).join(", ");
  // Knex puts the whole statement before the reason.
  return error.message.replace(/^.* - /s, "");
}

import { Problem } from "./problem.ts";

/** Bad input of the command line, said to its user as it is. */
export class InputFault extends Error {
  override readonly name = "InputFault";
}

/** Why a command or the start failed, for a person and without a stack. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Problem)
    return error.code === "storage-unavailable"
      ? `The database cannot be used: ${failureText(error.cause)}`
      : error.message;
  if ("code" in error && error.code === "EADDRINUSE" && "port" in error)
    return `The port ${error.port} is in use already: choose another one with PORT.`;
  // A name with several addresses fails once for each; the whole then says nothing by itself.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(failureText).join(", ");
  // Knex puts the whole statement before the reason.
  return error.message.replace(/^.* - /s, "");
}

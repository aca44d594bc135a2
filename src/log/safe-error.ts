/**
 * An error whose message we wrote ourselves: nothing of a caller, a row or a secret is in it, so it may be printed. Of any
 * other error only what `errorFacts` allows is.
 */
export class SafeError extends Error {
  override readonly name: string = "SafeError";
}

/** Bad input of the command line, said to its user as it is. */
export class InputFault extends SafeError {
  override readonly name = "InputFault";
}

/**
 * An error whose message we wrote ourselves: it contains nothing of a caller, a row or a secret, so
 * it may be printed. Of any other error only what `errorFacts` allows is printed.
 */
export class ExpectedError extends Error {
  override readonly name: string = "ExpectedError";
}

/** Bad input of the command line, printed to its user unchanged. */
export class UsageError extends ExpectedError {
  override readonly name = "UsageError";
}

/** A mistake in how the command was used, in words for the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Turns what a reader of files or addresses throws into a usage error. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    // Readers throw Errors only: their own, and those of node:fs and JSON.parse.
    throw new UsageError((error as Error).message);
  }
}

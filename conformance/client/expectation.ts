/** What a check throws when the target does not keep the requirement. */
export class Expectation extends Error {
  override readonly name = "Expectation";
  constructor(
    readonly expected: string,
    readonly actual: string,
  ) {
    super(`expected ${expected}; got ${actual}`);
  }
}

/** What a request throws when it may not be sent any more (deadline, interrupt, too many users): the check is incomplete, not failed. */
export class Stopped extends Error {
  override readonly name = "Stopped";

  /** For the reason that the run's signal was aborted with. */
  static by(signal: AbortSignal): Stopped {
    // `abort` without a reason gives a DOMException, which is an Error as well.
    return new Stopped((signal.reason as Error).message);
  }
}

import type { RequirementId } from "../../generated/requirements.ts";

/**
 * What a failure is about: the status; a header field by its name in lower case; the body, or what stands in it at a JSON
 * pointer (`*` for any index); the connection (no answer, a wrong end, too many answers); the state of the target before
 * and after.
 */
export type Aspect = "status" | `header:${string}` | "body" | `body:/${string}` | "connection" | "state";

/** What a check throws when the target does not keep the requirement. */
export class Expectation extends Error {
  override readonly name = "Expectation";
  constructor(
    readonly aspect: Aspect,
    readonly expected: string,
    readonly actual: string,
    /** Who says it first, where it is not the check's own sentence: this requirement, or any that speaks of that operation. */
    readonly saidBy: RequirementId | "its operation" | null = null,
  ) {
    super(`expected ${expected}; got ${actual}`);
  }

  /** The same, found in one case of several. */
  in(what: string): Expectation {
    return new Expectation(this.aspect, `${this.expected} (${what})`, this.actual, this.saidBy);
  }

  /** The same, where somebody else should say it first. */
  saidFirstBy(saidBy: NonNullable<Expectation["saidBy"]>): Expectation {
    return new Expectation(this.aspect, this.expected, this.actual, saidBy);
  }
}

/** What a request throws that is not sent, since the run may only do what any client does: its check is not selected. */
export class Withheld extends Error {
  override readonly name = "Withheld";
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

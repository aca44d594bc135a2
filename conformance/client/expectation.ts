import type { Exchange } from "./wire/exchange.ts";

/**
 * What a failure is about: the status; a header field by its name in lower case; the body, or what stands in it at a JSON
 * pointer (`*` for any index); the connection (no answer, a wrong end, too many answers); the state of the target before
 * and after.
 */
export type Aspect = "status" | `header:${string}` | "body" | `body:/${string}` | "connection" | "state";

/** Whether a reader sees no difference: the same text, or the same behind the name of a comparison (`the page again: 50 users`). */
const isSameText = (expected: string, actual: string) => expected === actual || expected.endsWith(`: ${actual}`);

/**
 * What a check throws when the target does not keep the requirement. A finding whose two texts are the same helps nobody: creating one
 * is a fault of the check, which the engine reports as such.
 */
export class Expectation extends Error {
  override readonly name = "Expectation";
  constructor(
    readonly aspect: Aspect,
    readonly expected: string,
    readonly actual: string,
    /** Who says it first, where it is not the check's own sentence: this requirement, or with `its operation` any that speaks of that operation. */
    readonly saidBy: string | null = null,
    /** The exchange that shows it; null for the one whose response was read last. */
    readonly exchange: Exchange | null = null,
  ) {
    super(`expected ${expected}; got ${actual}`);
    if (isSameText(expected, actual)) throw new Error(`the finding shows no difference: ${this.message}`);
  }

  /** The same, found in one case of several. */
  in(what: string): Expectation {
    return new Expectation(this.aspect, `${this.expected} (${what})`, this.actual, this.saidBy, this.exchange);
  }

  /** The same, where somebody else should say it first. */
  saidFirstBy(saidBy: NonNullable<Expectation["saidBy"]>): Expectation {
    return new Expectation(this.aspect, this.expected, this.actual, saidBy, this.exchange);
  }

  /** The same, shown by this exchange unless it already names one: for whoever sends more before the finding is reported. */
  shownBy(exchange: Exchange | null): Expectation {
    const { aspect, expected, actual, saidBy } = this;
    return new Expectation(aspect, expected, actual, saidBy, this.exchange ?? exchange);
  }
}

/** What a request throws that this run does not send: its check is not selected. */
export class Withheld extends Error {
  override readonly name = "Withheld";
  constructor(
    /** What is not sent, or why. */
    message: string,
    /** What the run would have to allow; null where nothing would help. */
    readonly effect: "write" | "hostile" | null = "hostile",
  ) {
    super(message);
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

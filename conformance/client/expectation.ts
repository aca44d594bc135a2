import type { Exchange } from "./wire/exchange.ts";

/**
 * The subject of a failure: the status; a header field by its name in lower case; the body, or the value at a JSON pointer in it
 * (`*` for any index); the connection (no response, closed wrongly, too many responses); the state of the target before and
 * after.
 */
export type Aspect = "status" | `header:${string}` | "body" | `body:/${string}` | "connection" | "state";

/**
 * Whether a reader sees no difference: the same text, or the same after the name of a comparison (`the page again: 50 users`).
 */
const isSameText = (expected: string, actual: string) => expected === actual || expected.endsWith(`: ${actual}`);

/**
 * Thrown by a check if the target does not meet the requirement. A finding whose two texts are the same is useless: creating one
 * is a fault of the check, which the engine reports as such.
 */
export class Expectation extends Error {
  override readonly name = "Expectation";
  constructor(
    readonly aspect: Aspect,
    readonly expected: string,
    readonly actual: string,
    /**
     * The requirement that reports it first, if it is not the check's own: this one, or with `its operation` any requirement
     * about that operation.
     */
    readonly saidBy: string | null = null,
    /** The exchange that shows it; null means the one whose response was read last. */
    readonly exchange: Exchange | null = null,
  ) {
    super(`expected ${expected}; got ${actual}`);
    if (isSameText(expected, actual)) throw new Error(`the finding shows no difference: ${this.message}`);
  }

  /** The same, found in one case of several. */
  in(what: string): Expectation {
    return new Expectation(this.aspect, `${this.expected} (${what})`, this.actual, this.saidBy, this.exchange);
  }

  /** The same, if another requirement should report it first. */
  saidFirstBy(saidBy: NonNullable<Expectation["saidBy"]>): Expectation {
    return new Expectation(this.aspect, this.expected, this.actual, saidBy, this.exchange);
  }

  /** The same, shown by this exchange unless it already names one: for callers that send more before the finding is reported. */
  shownBy(exchange: Exchange | null): Expectation {
    const { aspect, expected, actual, saidBy } = this;
    return new Expectation(aspect, expected, actual, saidBy, this.exchange ?? exchange);
  }
}

/** Thrown by a request that this run does not send: its check is not selected. */
export class Withheld extends Error {
  override readonly name = "Withheld";
  constructor(
    /** The request, or the reason. */
    message: string,
    /** The flag that would allow it; null if none would. */
    readonly effect: "write" | "hostile" | null = "hostile",
  ) {
    super(message);
  }
}

/**
 * Thrown by a request that may not be sent any more (deadline, interrupt, too many users): the check is incomplete, not failed.
 */
export class Stopped extends Error {
  override readonly name = "Stopped";

  /** With the reason that the run's signal was aborted with. */
  static by(signal: AbortSignal): Stopped {
    // `abort` without a reason gives a DOMException, which is an Error as well.
    return new Stopped((signal.reason as Error).message);
  }
}

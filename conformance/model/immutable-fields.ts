import { type Difference, type Exchange, MARK_DIGITS } from "../exchange.ts";
import { withShortenedResponse } from "../http/response.ts";
import type { ParsedExchange } from "../laws/parsed-exchange.ts";
import { type Operation, requirementOf } from "../oracle/contract.ts";
import { isObject } from "../oracle/schema.ts";
import { creatorOf } from "./creators.ts";

/**
 * Rejected, and yet carried out: every command of a run has a mark of its own in one of its values,
 * and a record with the mark of a rejected one names the request that created it.
 */
export class ImmutableFieldTracker {
  /** By mark, the rejection. */
  private readonly rejected = new Map<string, Exchange>();
  /** The marks of what was carried out, or may have been. */
  private readonly accepted = new Set<string>();
  private readonly pattern;

  /** `runId`: what a mark begins with, before its number. */
  constructor(runId: string) {
    this.pattern = new RegExp(`${runId}-?\\d{${MARK_DIGITS},}`, "gi");
  }

  private marksIn(...texts: readonly string[]): readonly string[] {
    const unescaped = texts.map((text) =>
      text.replace(/\\u00([\da-f]{2})/gi, (_, hex) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    );
    return unescaped
      .flatMap((text) => text.match(this.pattern) ?? [])
      .map((mark) => mark.toLowerCase());
  }

  /** A request is carried out, or is about to be sent and a right server does so. */
  accept({ body }: Exchange["request"]): void {
    for (const mark of this.marksIn(body)) {
      this.accepted.add(mark);
      this.rejected.delete(mark);
    }
  }

  learn(exchange: Exchange): void {
    const { request, response } = exchange;
    const { status = 500 } = response ?? {};
    // What a fault of the server has left behind is unknown.
    if (status >= 500 || (status < 300 && request.method === "POST")) this.accept(request);
    if (status < 300 || status >= 500) return;
    // Thousands are kept up to the end of a run.
    const short = withShortenedResponse(exchange);
    for (const mark of this.marksIn(request.body, request.target))
      if (!this.accepted.has(mark)) this.rejected.set(mark, short);
  }

  /** Whether a call of this command was rejected, so that its record must not appear. */
  watches(command: Operation): boolean {
    return [...this.rejected.values()].some(({ prediction }) => prediction?.operation === command);
  }

  /**
   * The record of a rejected request on a page of a list; `cause`: the exchange that was rejected.
   */
  differenceOf(
    parsed: ParsedExchange,
    list: Operation,
  ): (Difference & { requirement: string; cause: Exchange }) | null {
    if (this.rejected.size === 0 || !Array.isArray(parsed.object?.items)) return null;
    for (const item of parsed.object.items) {
      const texts = isObject(item)
        ? Object.values(item).filter((value) => typeof value === "string")
        : [];
      const cause = this.marksIn(...texts).flatMap((mark) => this.rejected.get(mark) ?? [])[0];
      if (!cause) continue;
      const { status } = cause.response ?? {};
      const { by = "" } = cause.prediction ?? {};
      const { contract } = parsed;
      return {
        aspect: "state",
        expected: `no record of a request that was rejected with ${status}`,
        actual: texts.join(", "),
        cause,
        requirement: requirementOf(contract, creatorOf(contract, list), "refused-not-stored", by),
      };
    }
    return null;
  }
}

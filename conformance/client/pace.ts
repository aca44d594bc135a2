import { setTimeout as sleep } from "node:timers/promises";
import { Stopped } from "./expectation.ts";

/** Off loopback a request starts at most this often, in milliseconds: five a second is half of the 600 a minute that a key may be allowed. */
export const REMOTE_INTERVAL_MS = 200;
/** How long to wait after a 429 that does not say, in milliseconds. */
export const DEFAULT_RETRY_AFTER_MS = 1000;
/** The least wait after a 429, so that `Retry-After: 0` is no busy loop, in milliseconds. */
const LEAST_RETRY_MS = 50;
/** So many requests in a row without an answer end the run: the target has gone, and each of the rest would wait its time-out. */
export const MOST_UNANSWERED = 20;
/** The longest that a timer of Node waits, in milliseconds: beyond, it fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** `Retry-After` (RFC 9110, 10.2.3) in milliseconds: seconds, or a date. */
export function retryAfterMs(value: string | undefined, now: number): number {
  const seconds = /^\d+$/.test(value ?? "") ? Number(value) * 1000 : Date.parse(value ?? "") - now;
  return Math.max(LEAST_RETRY_MS, Number.isNaN(seconds) ? DEFAULT_RETRY_AFTER_MS : seconds);
}

/** When the next request may leave, or the next several that must leave at once: all checks of a run share one pace. */
export class Pace {
  private next = 0;
  private owed = 0;
  private unanswered = 0;

  constructor(
    private readonly intervalMs: number,
    private readonly stop: AbortSignal,
  ) {}

  /** Whether the target has stopped answering. */
  get gone(): boolean {
    return this.unanswered >= MOST_UNANSWERED;
  }

  /** What became of a request that deserved an answer. */
  ended(answered: boolean): void {
    if (!this.gone) this.unanswered = answered ? 0 : this.unanswered + 1;
  }

  /** Resolves when it is this request's turn; throws `Stopped` when the run ends first, or the target has gone. */
  async turn(): Promise<void> {
    // A pause may be prolonged while this request waits for it.
    for (;;) {
      this.goOn();
      const wait = this.next - Date.now();
      if (wait <= 0) break;
      await sleep(Math.min(wait, LONGEST_TIMER_MS), undefined, { signal: this.stop }).catch(() => {});
    }
    if (this.intervalMs > 0) this.next = Date.now() + this.intervalMs * (1 + this.owed);
    this.owed = 0;
  }

  /** A request leaves beside another, out of turn: the one whose turn is next keeps the distance of both. */
  owe(): void {
    this.goOn();
    this.owed += 1;
  }

  private goOn(): void {
    if (this.stop.aborted) throw Stopped.by(this.stop);
    if (this.gone) throw new Stopped(`the target has gone: ${MOST_UNANSWERED} requests in a row had no answer`);
  }

  /** Nobody sends anything for so long. */
  pause(ms: number): void {
    this.next = Math.max(this.next, Date.now() + ms);
  }
}

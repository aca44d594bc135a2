import { setTimeout as sleep } from "node:timers/promises";
import { Stopped } from "./expectation.ts";

/**
 * Minimum interval between requests to a remote target, in milliseconds: five a second is half of the 600 a minute that a key may
 * be allowed.
 */
export const REMOTE_INTERVAL_MS = 200;
/** Wait after a 429 without `Retry-After`, in milliseconds. */
export const DEFAULT_RETRY_AFTER_MS = 1000;
/** Minimum wait after a 429, so that `Retry-After: 0` does not cause a busy loop, in milliseconds. */
const LEAST_RETRY_MS = 50;
/**
 * This many requests in a row without a response end the run: the target is gone, and each further request would wait for its
 * time-out.
 */
export const MOST_UNANSWERED = 20;
/** The maximum of a Node timer, in milliseconds: with more it fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** `Retry-After` (RFC 9110, 10.2.3) in milliseconds: seconds, or a date. */
export function retryAfterMs(value: string | undefined, now: number): number {
  const seconds = /^\d+$/.test(value ?? "") ? Number(value) * 1000 : Date.parse(value ?? "") - now;
  return Math.max(LEAST_RETRY_MS, Number.isNaN(seconds) ? DEFAULT_RETRY_AFTER_MS : seconds);
}

/** Decides when the next request may be sent, or the next several that must be sent at once: all checks of a run share it. */
export class Pace {
  private next = 0;
  private owed = 0;
  private unanswered = 0;

  constructor(
    private readonly intervalMs: number,
    private readonly stop: AbortSignal,
  ) {}

  /** Whether the target no longer responds. */
  get gone(): boolean {
    return this.unanswered >= MOST_UNANSWERED;
  }

  /** Records whether a request got the response it should get. */
  ended(answered: boolean): void {
    if (!this.gone) this.unanswered = answered ? 0 : this.unanswered + 1;
  }

  /** Resolves when it is this request's turn; throws `Stopped` if the run ends first, or the target is gone. */
  async turn(): Promise<void> {
    // A pause may be extended while this request waits for it.
    for (;;) {
      this.goOn();
      const wait = this.next - Date.now();
      if (wait <= 0) break;
      await sleep(Math.min(wait, LONGEST_TIMER_MS), undefined, { signal: this.stop }).catch(() => {});
    }
    if (this.intervalMs > 0) this.next = Date.now() + this.intervalMs * (1 + this.owed);
    this.owed = 0;
  }

  /** A request is sent in parallel with another, out of turn: the next one waits for both intervals. */
  owe(): void {
    this.goOn();
    this.owed += 1;
  }

  private goOn(): void {
    if (this.stop.aborted) throw Stopped.by(this.stop);
    if (this.gone) throw new Stopped(`the target has gone: ${MOST_UNANSWERED} requests in a row had no answer`);
  }

  /** No request is sent for this long. */
  pause(ms: number): void {
    this.next = Math.max(this.next, Date.now() + ms);
  }
}

import { setTimeout as sleep } from "node:timers/promises";

/** The run has ended: at its deadline, by a signal, or because of the target. */
export class RunAborted extends Error {
  override readonly name = "Stopped";
}

export const stopped = ({ reason }: AbortSignal): RunAborted =>
  new RunAborted(reason instanceof Error ? reason.message : "the run has ended");

/** After a 429 without `Retry-After`. */
export const DEFAULT_RETRY_AFTER_MS = 1000;
/** `Retry-After: 0` must not cause a busy loop. */
const LEAST_RETRY_MS = 50;
/**
 * A run ends after this many requests in a row without a response: each further one would wait for
 * its time-out.
 */
export const MOST_UNANSWERED = 20;
/** A Node timer with a longer delay fires at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A shorter wait is not worth a line. */
const WORTH_TELLING_MS = 2000;
/**
 * How long a target may reject every request after it first wanted to be asked again: two minutes
 * of a limit by the minute.
 */
const PATIENCE_MS = 120_000;

/** `Retry-After` (RFC 9110, 10.2.3) in milliseconds: seconds, or a date. */
export function retryAfterMs(value: string | undefined, now: number): number {
  const seconds = /^\d+$/.test(value ?? "") ? Number(value) * 1000 : Date.parse(value ?? "") - now;
  return Math.max(LEAST_RETRY_MS, Number.isNaN(seconds) ? DEFAULT_RETRY_AFTER_MS : seconds);
}

interface PaceOptions {
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** When the run ends at the latest, in milliseconds since the epoch. */
  readonly deadline: { readonly endsAt: number };
  /** Gets a line about each long wait. */
  readonly tell: (line: string) => void;
  /** Gets each wait for a 429, in milliseconds. */
  readonly onLimit?: ((waitMs: number) => void) | undefined;
  readonly patienceMs?: number;
}

/** Decides when the next request of a run may be sent. */
export class RateLimiter {
  private next = 0;
  private unanswered = 0;
  private hopeless: string | null = null;
  /**
   * When the target first wanted to be asked again, since a request last got through; null if none
   * was rejected since.
   */
  private promised: number | null = null;
  private isTold = false;
  /** Requests whose turn has come already. */
  private together = 0;
  private lastAnswered = "";
  /** The first of the requests in a row without a response; null if the last one had one. */
  private firstSilent: { readonly request: string; readonly sentAt: number } | null = null;

  constructor(private readonly options: PaceOptions) {}

  private get isGone(): boolean {
    return this.unanswered >= MOST_UNANSWERED;
  }

  /** The last request with a response, and the first without, if the target has gone. */
  get gone() {
    return this.isGone && this.firstSilent
      ? { answered: this.lastAnswered, ...this.firstSilent }
      : null;
  }

  /**
   * Records whether a request that was sent then got a response; `unless`: it shows nothing if it
   * got none, since a right server may close the connection on it.
   */
  ended(request: string, isAnswered: boolean, sentAt: number, unless = false): void {
    if (this.isGone) return;
    if (isAnswered) {
      this.lastAnswered = request;
      this.firstSilent = null;
      this.unanswered = 0;
      return;
    }
    if (!unless) this.unanswered += 1;
    if (sentAt < (this.firstSilent?.sentAt ?? Number.POSITIVE_INFINITY))
      this.firstSilent = { request, sentAt };
  }

  /** Resolves when it is this request's turn; throws `RunAborted` if the run ends first. */
  async turn(): Promise<void> {
    const { intervalMs, signal } = this.options;
    if (this.together > 0) {
      this.together -= 1;
      this.goOn();
      return;
    }
    // A pause may be extended while this request waits for it.
    for (;;) {
      this.goOn();
      const wait = this.next - Date.now();
      if (wait <= 0) break;
      await sleep(Math.min(wait, LONGEST_TIMER_MS), undefined, { signal }).catch(() => {});
    }
    if (intervalMs > 0) this.next = Date.now() + intervalMs;
  }

  /**
   * The next so many requests may be sent at once: what comes after them waits the longer. Throws
   * `RunAborted` if the run ends.
   */
  async atOnce(count: number): Promise<void> {
    await this.turn();
    this.together = count;
    this.next += (count - 1) * this.options.intervalMs;
  }

  private goOn(): void {
    const { signal } = this.options;
    if (signal.aborted) throw stopped(signal);
    if (this.isGone)
      throw new RunAborted(
        `the target has gone: ${MOST_UNANSWERED} requests in a row had no response`,
      );
    if (this.hopeless !== null) throw new RunAborted(this.hopeless);
  }

  /** A request was neither rejected by a limit nor by an overload. */
  passed(): void {
    this.promised = null;
    this.isTold = false;
  }

  /** No request is sent for this long; `why`: the response that wants it. */
  pause(ms: number, why: string): void {
    const { deadline, patienceMs = PATIENCE_MS } = this.options;
    const now = Date.now();
    const until = now + ms;
    this.promised ??= until;
    if (why.startsWith("429")) this.options.onLimit?.(ms);
    const inSeconds = `${Math.ceil(ms / 1000)} s`;
    const wants = `wants a pause of ${inSeconds}`;
    if (until > deadline.endsAt)
      this.hopeless = `the target answers ${why} and ${wants}: longer than is left`;
    else if (now > this.promised + patienceMs)
      this.hopeless =
        `the target has answered ${why} to every request for ` +
        `${Math.round((now - this.promised) / 1000)} s`;
    else if (until - Math.max(this.next, now) > WORTH_TELLING_MS)
      this.tell(`waiting ${inSeconds}: ${why}`);
    else if (now > this.promised + WORTH_TELLING_MS && !this.isTold)
      this.tell(`waiting: ${why} to every request`);
    this.next = Math.max(this.next, until);
  }

  private tell(line: string): void {
    this.isTold = true;
    this.options.tell(line);
  }
}

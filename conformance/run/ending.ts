import { setMaxListeners } from "node:events";
import { LONGEST_TIMER_MS } from "../http/pace.ts";

/** The end of a run: its signal aborts at its deadline, or before. */
export class Ending {
  /** Milliseconds since the epoch. */
  endsAt = Number.POSITIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;

  constructor() {
    // Every request in flight listens to it; Node would report more than ten as a leak.
    setMaxListeners(0, this.signal);
  }

  /** Ends the run now. */
  readonly end = (reason: string): void => this.controller.abort(new Error(reason));

  /** So long from now. */
  set(ms: number): void {
    clearTimeout(this.timer);
    this.endsAt = Date.now() + ms;
    const reason = `the deadline of ${Math.round(ms / 1000)} s has passed`;
    this.timer = setTimeout(() => this.end(reason), Math.min(ms, LONGEST_TIMER_MS));
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

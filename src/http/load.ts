import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Config } from "../config.ts";
import { Problem } from "../protocol/problem.ts";

/** How long who is refused is asked to wait, in seconds: by then the delay of the event loop is measured anew. */
const RETRY_AFTER = "1";
const MEASURE_MS = 1000;
const RESOLUTION_MS = 20;

/** D14. */
export const overloaded = (): Problem => new Problem("overloaded", { headers: { "Retry-After": RETRY_AFTER } });

/** Mean delay of the event loop in a second, in milliseconds, the lesser of the last two: one pause, however long, is no overload. */
export interface EventLoop {
  delayMs(): number;
  close(): void;
}

export function watchEventLoop(): EventLoop {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let delayMs = 0;
  let before = 0;
  const timer = setInterval(() => {
    // Of what lies between two measurements; without any there is no mean.
    const mean = Math.max(0, histogram.mean / 1e6 - RESOLUTION_MS) || 0;
    delayMs = Math.min(before, mean);
    before = mean;
    histogram.reset();
  }, MEASURE_MS).unref();
  return {
    delayMs: () => delayMs,
    close() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/**
 * What there is to do, and whether it is too much. A request counts from when it has come whole until its answer is known: who
 * sends or reads slowly takes no place. One connection has one at most, since the next is not read before the answer has left.
 */
export class Load {
  inFlight = 0;

  constructor(
    private readonly limits: Pick<Config["limits"], "maxInFlight" | "maxEventLoopDelayMs">,
    private readonly delayMs: () => number,
  ) {}

  /** Throws `overloaded` while the event loop is too late for anything to be answered in time. */
  judge(): void {
    if (this.delayMs() > this.limits.maxEventLoopDelayMs) throw overloaded();
  }

  /** One more, which has to `leave`. Throws `overloaded` when there are too many. */
  enter(): void {
    if (this.inFlight >= this.limits.maxInFlight) throw overloaded();
    this.inFlight += 1;
  }

  leave(): void {
    this.inFlight -= 1;
  }
}

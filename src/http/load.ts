import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Config } from "../config.ts";
import { Problem } from "../protocol/problem.ts";

/** The `Retry-After` of a rejected caller, in seconds: by then the delay of the event loop is measured again. */
const RETRY_AFTER = "1";
const MEASURE_MS = 1000;
const RESOLUTION_MS = 20;

/** D14. */
export const overloaded = (): Problem => new Problem("overloaded", { headers: { "Retry-After": RETRY_AFTER } });

/** Mean delay of the event loop in a second, in milliseconds, the smaller of the last two: one pause, however long, is no overload. */
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
    // Of the samples between two measurements; without any there is no mean.
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
 * The work in progress, and whether it is too much. A request counts from when it has arrived completely until its response is known: a
 * slow sender or reader takes no place. A connection has at most one, since the next is not read before the response has left.
 */
export class Load {
  inFlight = 0;

  constructor(
    private readonly limits: Pick<Config["limits"], "maxInFlight" | "maxEventLoopDelayMs">,
    private readonly delayMs: () => number,
  ) {}

  /** Throws `overloaded` while the event loop is too late for responses in time. */
  judge(): void {
    if (this.delayMs() > this.limits.maxEventLoopDelayMs) throw overloaded();
  }

  /** Adds one, which has to `leave`. Throws `overloaded` when there are too many. */
  enter(): void {
    if (this.inFlight >= this.limits.maxInFlight) throw overloaded();
    this.inFlight += 1;
  }

  leave(): void {
    this.inFlight -= 1;
  }
}

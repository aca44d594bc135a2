import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { Problem } from "./problem.ts";
import type { Config } from "./settings/config.ts";

/**
 * The `Retry-After` of a rejected caller, in seconds: by then the delay of the event loop is
 * measured again.
 */
const RETRY_AFTER = "1";
const MEASURE_MS = 1000;
const RESOLUTION_MS = 20;

/** D14. */
export const overloaded = (): Problem =>
  new Problem("overloaded", { headers: { "Retry-After": RETRY_AFTER } });

/**
 * Mean delay of the event loop in a second, in milliseconds, the smaller of the last two: one
 * pause, however long, is no overload.
 */
export function watchEventLoop() {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const measure = meanDelay(histogram, () => performance.now());
  let delayMs = 0;
  const timer = setInterval(() => {
    delayMs = measure();
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
 * Each call ends a period. The histogram is not reset, since that forgets when the last sample was:
 * the next one would be lost, and it is the only one of an iteration as long as a period. A period
 * without a sample counts as its length.
 */
export function meanDelay(
  samples: Pick<IntervalHistogram, "count" | "mean">,
  now: () => number,
): () => number {
  let before = 0;
  let last = { count: 0, sum: 0, at: now() };
  return () => {
    const { count, mean } = samples;
    // Without a sample the mean is not a number.
    const next = { count, sum: count === 0 ? 0 : count * mean, at: now() };
    const samplesMs = (next.sum - last.sum) / 1e6 / (count - last.count);
    const delayMs = Math.max(
      0,
      (count > last.count ? samplesMs : next.at - last.at) - RESOLUTION_MS,
    );
    const less = Math.min(before, delayMs);
    before = delayMs;
    last = next;
    return less;
  };
}

/**
 * The work in progress, and whether it is too much. A request counts from when it has arrived
 * completely until its response is known and its handler has ended: a slow sender or reader takes
 * no place, but the bytes of a body that is arriving, or of a response that waits, count.
 */
export class OverloadGuard {
  inFlight = 0;
  /** Requests in flight that have their response, and whose handlers still run. */
  overdue = 0;
  /** Bytes of bodies that are arriving, and of responses that their clients have yet to take. */
  heldBytes = 0;
  /** How many responses are under way with each chunk. */
  readonly #chunks = new Map<Buffer | string, number>();

  constructor(
    private readonly limits: Pick<
      Config,
      "MAX_IN_FLIGHT" | "MAX_EVENT_LOOP_DELAY_MS" | "MAX_ARRIVING_BYTES"
    >,
    private readonly delayMs: () => number,
  ) {}

  /**
   * Throws `overloaded` while responses hold too many bytes, or the event loop is too late for
   * them.
   */
  assertCapacity(): void {
    const { MAX_EVENT_LOOP_DELAY_MS, MAX_ARRIVING_BYTES } = this.limits;
    if (this.delayMs() > MAX_EVENT_LOOP_DELAY_MS || this.heldBytes > MAX_ARRIVING_BYTES)
      throw overloaded();
  }

  /** Adds a request, which has to `leave`. Throws `overloaded` when there are too many. */
  enter(): void {
    if (this.inFlight >= this.limits.MAX_IN_FLIGHT) throw overloaded();
    this.inFlight += 1;
  }

  leave(): void {
    this.inFlight -= 1;
  }

  /** A request that has its response leaves when `work` has settled. */
  keepUntil(work: Promise<unknown>): void {
    this.overdue += 1;
    const leave = () => {
      this.overdue -= 1;
      this.leave();
    };
    work.then(leave, leave);
  }

  /** Adds bytes of a body, which have to be removed; `false` when there are too many. */
  addBytes(bytes: number): boolean {
    if (this.heldBytes + bytes > this.limits.MAX_ARRIVING_BYTES) return false;
    this.heldBytes += bytes;
    return true;
  }

  removeBytes(bytes: number): void {
    this.heldBytes -= bytes;
  }

  /**
   * Adds bytes of a response, which have to be released; once, however many responses share them.
   */
  hold(chunk: Buffer | string): void {
    const count = this.#chunks.get(chunk) ?? 0;
    if (count === 0) this.heldBytes += chunk.length;
    this.#chunks.set(chunk, count + 1);
  }

  release(chunk: Buffer | string): void {
    const count = this.#chunks.get(chunk) ?? 0;
    if (count > 1) return void this.#chunks.set(chunk, count - 1);
    if (this.#chunks.delete(chunk)) this.heldBytes -= chunk.length;
  }
}

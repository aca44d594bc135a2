/** Where the time of day comes from; a test gives its own. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds since `start` of `performance.now()`, to the microsecond. */
export const elapsedMs = (start: number): number => Math.round((performance.now() - start) * 1000) / 1000;

/** The source of the time of day; a test passes its own. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

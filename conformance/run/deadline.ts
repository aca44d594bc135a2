/** More than this a Node timer cannot wait. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** When a run ends at the latest. */
export class Deadline {
  /** Milliseconds since the epoch. */
  endsAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    ms: number,
    private readonly end: (reason: string) => void,
  ) {
    this.set(ms);
  }

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

/** How far a run is: work that is done, all of it, and the requirements that have failed. */
export interface Done {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

const CLEAR = "\r\x1b[K";
/** A terminal is written to no more often. */
const PAUSE_MS = 100;

/** One line on a terminal, which is written over; nothing elsewhere. */
export class Progress {
  private shownAt = Number.NEGATIVE_INFINITY;
  private isShown = false;

  constructor(
    private readonly write: ((text: string) => unknown) | null,
    private readonly now: () => number = () => performance.now(),
    private readonly startedAt = now(),
  ) {}

  ended({ done, total, failed }: Done): void {
    const now = this.now();
    if (!this.write || now - this.shownAt < PAUSE_MS) return;
    const left = Math.ceil((((now - this.startedAt) / done) * (total - done)) / 1000);
    this.shownAt = now;
    this.isShown = true;
    this.write(`${CLEAR}${done} of ${total}, ${failed} failed, about ${left} s left`);
  }

  /** Takes the line away, for another one. */
  clear(): void {
    if (this.isShown) this.write?.(CLEAR);
    this.isShown = false;
  }
}

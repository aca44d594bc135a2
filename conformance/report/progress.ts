import type { CheckResult } from "./report.ts";

/** How many lines a run writes if none can be overwritten. */
const SPARSE_LINES = 10;

/** The output when a check ends: on a terminal one line that is overwritten, elsewhere a line from time to time. */
export class Progress {
  private done = 0;
  private failed = 0;

  constructor(
    private readonly total: number,
    private readonly tty: boolean,
    private readonly now: () => number = () => performance.now(),
    private readonly startedAt = now(),
  ) {}

  /** Empty if nothing is to be written. */
  ended({ outcome }: CheckResult): string {
    this.done += 1;
    if (outcome === "failed") this.failed += 1;
    const left = ((this.now() - this.startedAt) / this.done) * (this.total - this.done);
    const line = `${this.done} of ${this.total} checks, ${this.failed} failed, about ${Math.ceil(left / 1000)} s left`;
    if (this.tty) return `${clear}${line}`;
    const step = Math.ceil(this.total / SPARSE_LINES);
    return this.done % step === 0 && this.done < this.total ? `${line}\n` : "";
  }

  /** Clears the line, for another one. */
  cleared(): string {
    return this.tty && this.done > 0 ? clear : "";
  }
}

const clear = "\r\x1b[K";

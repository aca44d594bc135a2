import type { Writable } from "node:stream";
import { setTimeout as after } from "node:timers/promises";

/** Writes log lines; it never blocks, fails or grows without bound. Lines that the stream does not accept are lost, and counted. */
export interface LogSink {
  write(line: string): void;
  /** Since the start, whether reported or not. */
  readonly lostLines: number;
  /** Waits until the stream has accepted all, at most `timeoutMs`; returns how many lines are lost and not yet reported. */
  flush(timeoutMs: number): Promise<number>;
}

/** How long a line waits at most for others: only a process that is killed loses it. */
const GATHER_MS = 10;

/**
 * Uses Node's own streams, since these write to pipes and sockets without blocking and without a thread. Log libraries
 * do one or the other: a full pipe stops the whole process (sync), or keeps threads that the exit then waits for.
 */
export function openLogSink(stream: Writable, maxBytes: number): LogSink {
  /** Lines that the stream has rejected, or that there was no room for, since the last report. */
  let lost = 0;
  let lostLines = 0;
  /** Lines that the stream has not accepted yet. */
  let waiting = 0;
  /** Lines that are written together: one write for each line would cost half as much as the request that it describes. */
  let gathered = "";
  let gatheredLines = 0;
  unblock(stream);
  // A full disk and a reader that is gone are reported to each write; a later one may succeed again.
  if (stream.listenerCount("error") === 0) stream.on("error", () => {});

  const lose = (lines: number) => {
    lost += lines;
    lostLines += lines;
  };
  const put = (text: string, lines: number) => {
    stream.write(text, (error) => {
      waiting -= lines;
      if (error) lose(lines);
      else if (lost > 0) report();
    });
  };
  /** The report is where the lost lines would be: after all that were written before them. */
  const report = () => {
    const lines = lost;
    lost = 0;
    waiting += lines;
    put(`${JSON.stringify({ level: 40, time: Date.now(), lines, msg: "log lines were lost" })}\n`, lines);
  };
  const pass = () => {
    const [text, lines] = [gathered, gatheredLines];
    gathered = "";
    gatheredLines = 0;
    if (lines > 0) put(text, lines);
  };
  const taken = () => new Promise((resolve) => stream.write("", resolve));
  return {
    get lostLines() {
      return lostLines;
    },
    write(line) {
      if (stream.writableLength + gathered.length + line.length > maxBytes) return lose(1);
      if (gatheredLines === 0) setTimeout(pass, GATHER_MS);
      gathered += line;
      gatheredLines += 1;
      waiting += 1;
    },
    async flush(timeoutMs) {
      pass();
      if (lost > 0) report();
      const late = after(timeoutMs, "late", { ref: false });
      // Lines that are lost meanwhile add a line that reports them.
      while (waiting > 0) if ((await Promise.race([taken(), late])) === "late") break;
      return lost + waiting;
    },
  };
}

/** A stopped terminal (Ctrl-S) would stop the process: only there Node's writes block, and there is no documented way to change that. */
function unblock(stream: Writable): void {
  const { isTTY, _handle: handle } = Object(stream);
  if (isTTY) handle?.setBlocking?.(false);
}

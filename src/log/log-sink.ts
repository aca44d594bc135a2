import type { Writable } from "node:stream";
import { setTimeout as after } from "node:timers/promises";

/** Where log lines go: it never blocks, fails or grows without bound. What the stream does not take is lost, and counted. */
export interface LogSink {
  write(line: string): void;
  /** Since the start, whether told of or not. */
  readonly lostLines: number;
  /** Waits until the stream has taken all, for `timeoutMs` at the longest; how many lines are lost and not yet told of. */
  flush(timeoutMs: number): Promise<number>;
}

/** How long a line waits at most for others: only a process that is killed loses it. */
const GATHER_MS = 10;

/**
 * Over Node's own streams, since these write to pipes and sockets without blocking and without a thread. pino's destination
 * does one or the other: a full pipe stops the whole process (sync), or keeps threads that the exit then waits for.
 */
export function openLogSink(stream: Writable, maxBytes: number): LogSink {
  /** Lines that the stream has refused, or that there was no room for, since the last time that this was told. */
  let lost = 0;
  let lostLines = 0;
  /** Lines that the stream has yet to take. */
  let waiting = 0;
  /** What is written together: a write of the stream for each line would cost as much as half the request that it tells of. */
  let gathered = "";
  let gatheredLines = 0;
  unblock(stream);
  // A full disk and a reader that has gone away are told to each write; a later one may succeed again.
  if (stream.listenerCount("error") === 0) stream.on("error", () => {});

  const lose = (lines: number) => {
    lost += lines;
    lostLines += lines;
  };
  const put = (text: string, lines: number) => {
    stream.write(text, (error) => {
      waiting -= lines;
      if (error) lose(lines);
      else if (lost > 0) tell();
    });
  };
  /** The line stands where the lost ones would: behind all that were written before them. */
  const tell = () => {
    const told = lost;
    lost = 0;
    waiting += told;
    put(`${JSON.stringify({ level: 40, time: Date.now(), lines: told, msg: "log lines were lost" })}\n`, told);
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
      if (lost > 0) tell();
      const late = after(timeoutMs, "late", { ref: false });
      // What is lost meanwhile adds a line that tells so.
      while (waiting > 0) if ((await Promise.race([taken(), late])) === "late") break;
      return lost + waiting;
    },
  };
}

/** A terminal that is stopped (Ctrl-S) would stop the process: only there Node writes blocking, and has no documented way out of it. */
function unblock(stream: Writable): void {
  const handle: unknown = Reflect.get(stream, "isTTY") === true ? Reflect.get(stream, "_handle") : null;
  if (
    typeof handle === "object" &&
    handle !== null &&
    "setBlocking" in handle &&
    typeof handle.setBlocking === "function"
  )
    handle.setBlocking(false);
}

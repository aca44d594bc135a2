import type { Writable } from "node:stream";
import { setTimeout as after } from "node:timers/promises";
import type { Config } from "../settings/config.ts";
import { errorFacts } from "./error-facts.ts";

/**
 * The fields of a log line: plain values, so that no error and no object of a driver gets in whole.
 */
export type Facts = Readonly<
  Record<string, string | number | boolean | null | undefined | readonly string[]>
>;

/** Logs only those facts of the `thrown` value that `errorFacts` allows. */
type Write = (message: string, facts?: Facts, thrown?: unknown) => void;

/**
 * One JSON line for each event. It never blocks, fails or grows without bound: lines that the
 * stream does not accept are lost, and counted.
 */
export interface Log {
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  readonly fatal: Write;
  /** How many, since the start, whether reported or not. */
  readonly lostLines: () => number;
  /**
   * Waits for a bounded time until the stream has accepted all; returns how many lines are lost
   * without a report in the log.
   */
  flush(): Promise<number>;
}

const LEVELS = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
};

export function openLog(
  {
    LOG_LEVEL,
    LOG_BUFFER_BYTES,
    LOG_FLUSH_TIMEOUT_MS,
  }: Pick<Config, "LOG_LEVEL" | "LOG_BUFFER_BYTES" | "LOG_FLUSH_TIMEOUT_MS">,
  stream: Writable = process.stdout,
): Log {
  const { add, ...sink } = openSink(stream, LOG_BUFFER_BYTES, LOG_FLUSH_TIMEOUT_MS);
  const writeAt = (level: "info" | "warn" | "error" | "fatal"): Write => {
    const { [level]: number } = LEVELS;
    if (number < LEVELS[LOG_LEVEL]) return () => {};
    return (message, facts = {}, thrown = undefined) => {
      const json = JSON.stringify(
        thrown === undefined ? facts : { ...facts, error: errorFacts(thrown) },
      );
      const members = json === "{}" ? "" : `,${json.slice(1, -1)}`;
      add(`{"level":${number},"time":${Date.now()}${members},"msg":${JSON.stringify(message)}}\n`);
    };
  };
  return {
    info: writeAt("info"),
    warn: writeAt("warn"),
    error: writeAt("error"),
    fatal: writeAt("fatal"),
    ...sink,
  };
}

/** How long a line waits at most for others: only a process that is killed loses it. */
const GATHER_MS = 10;

/**
 * Uses Node's own streams, since these write to pipes and sockets without blocking and without a
 * thread. Log libraries do one or the other: a full pipe stops the whole process (sync), or keeps
 * threads that the exit then waits for.
 */
function openSink(stream: Writable, maxBytes: number, timeoutMs: number) {
  /** Lines that the stream has rejected, or that there was no room for, since the last report. */
  let lost = 0;
  let lostLines = 0;
  /** Lines that the stream has not accepted yet. */
  let waiting = 0;
  /**
   * Lines that are written together: one write for each line would cost half as much as the request
   * that it describes.
   */
  let gathered = "";
  let gatheredLines = 0;
  // A full disk and a reader that is gone are reported to each write; a later one may succeed
  // again.
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
    put(
      `${JSON.stringify({ level: 40, time: Date.now(), lines, msg: "log lines were lost" })}\n`,
      lines,
    );
  };
  const pass = () => {
    const [text, lines] = [gathered, gatheredLines];
    gathered = "";
    gatheredLines = 0;
    if (lines > 0) put(text, lines);
  };
  return {
    lostLines: () => lostLines,
    add(line: string) {
      if (stream.writableLength + gathered.length + line.length > maxBytes) return lose(1);
      if (gatheredLines === 0) setTimeout(pass, GATHER_MS);
      gathered += line;
      gatheredLines += 1;
      waiting += 1;
    },
    async flush() {
      pass();
      if (lost > 0) report();
      const deadline = after(timeoutMs, "late", { ref: false });
      const taken = () => new Promise((resolve) => stream.write("", resolve));
      // Lines that are lost meanwhile add a line that reports them.
      while (waiting > 0) if ((await Promise.race([taken(), deadline])) === "late") break;
      return lost + waiting;
    },
  };
}

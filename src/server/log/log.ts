import type { Writable } from "node:stream";
import type { Config } from "../settings/config.ts";
import { errorFacts } from "./error-facts.ts";
import { openLogSink } from "./log-sink.ts";

/** The fields of a log line: plain values, so that no error and no object of a driver gets in whole. */
export type Facts = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>;

/** Of the `thrown` value, only the facts that `errorFacts` allows. */
type Write = (message: string, facts?: Facts, thrown?: unknown) => void;

/** One JSON line for each event. */
export interface Log {
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  readonly fatal: Write;
  /** Lines that standard output did not accept, since the start. */
  readonly lostLines: () => number;
  /** Waits for a bounded time until all is written, and returns how many lines are lost without a report in the log. */
  flush(): Promise<number>;
}

const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Number.POSITIVE_INFINITY };

export function openLog(
  { logLevel, logBufferBytes, logFlushTimeoutMs }: Pick<Config, "logLevel" | "logBufferBytes" | "logFlushTimeoutMs">,
  stream: Writable = process.stdout,
): Log {
  const sink = openLogSink(stream, logBufferBytes);
  const at = (level: "info" | "warn" | "error" | "fatal"): Write => {
    const { [level]: number } = LEVELS;
    if (number < LEVELS[logLevel]) return () => {};
    return (message, facts = {}, thrown = undefined) => {
      const json = JSON.stringify(thrown === undefined ? facts : { ...facts, error: errorFacts(thrown) });
      const members = json === "{}" ? "" : `,${json.slice(1, -1)}`;
      sink.write(`{"level":${number},"time":${Date.now()}${members},"msg":${JSON.stringify(message)}}\n`);
    };
  };
  return {
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    fatal: at("fatal"),
    lostLines: () => sink.lostLines,
    flush: () => sink.flush(logFlushTimeoutMs),
  };
}

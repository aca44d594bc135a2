import type { Writable } from "node:stream";
import pino from "pino";
import type { Config } from "../config.ts";
import { errorFacts } from "./error-facts.ts";
import { openLogSink } from "./log-sink.ts";

/** The fields of a log line: plain values, so that no error and no object of a driver gets in whole. */
export type Facts = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>;

/** Of the `thrown` value, only the facts that `errorFacts` allows. */
type Say = (message: string, facts?: Facts, thrown?: unknown) => void;

/** One JSON line for each event. */
export interface Log {
  readonly info: Say;
  readonly warn: Say;
  readonly error: Say;
  readonly fatal: Say;
  /** Lines that standard output did not accept, since the start. */
  readonly lostLines: () => number;
  /** Waits for a bounded time until all is written, and returns how many lines are lost without a report in the log. */
  flush(): Promise<number>;
}

export function openLog(
  { logLevel, logBufferBytes, logFlushTimeoutMs }: Pick<Config, "logLevel" | "logBufferBytes" | "logFlushTimeoutMs">,
  stream: Writable = process.stdout,
): Log {
  const sink = openLogSink(stream, logBufferBytes);
  const logger = pino({ level: logLevel, base: null }, sink);
  const say =
    (level: "info" | "warn" | "error" | "fatal"): Say =>
    (message, facts = {}, thrown = undefined) =>
      logger[level](thrown === undefined ? facts : { ...facts, error: errorFacts(thrown) }, message);
  return {
    info: say("info"),
    warn: say("warn"),
    error: say("error"),
    fatal: say("fatal"),
    lostLines: () => sink.lostLines,
    flush: () => sink.flush(logFlushTimeoutMs),
  };
}

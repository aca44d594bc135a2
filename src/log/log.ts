import type { Writable } from "node:stream";
import pino from "pino";
import type { Config } from "../config.ts";
import { errorFacts } from "./error-facts.ts";
import { openLogSink } from "./log-sink.ts";

/** What goes along with a message: plain values, so that no error and nothing that a driver made gets in whole. */
export type Facts = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>;

/** Of what was `thrown`, only the facts that `errorFacts` allows. */
type Say = (message: string, facts?: Facts, thrown?: unknown) => void;

/** One JSON line for each event. */
export interface Log {
  readonly info: Say;
  readonly warn: Say;
  readonly error: Say;
  readonly fatal: Say;
  /** Lines that standard output did not take, since the start. */
  readonly lostLines: () => number;
  /** Waits, not without end, until all is written, and returns how many lines are lost without a word of it in the log. */
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

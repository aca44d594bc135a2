import { AggregatorRegistry, collectDefaultMetrics, Registry } from "prom-client";
import type { RateLimitStats } from "../limits/counters.ts";
import type { RequestRecord } from "../response/send.ts";
import type { PoolUse } from "../storage/driver.ts";
import type { Page } from "./server.ts";

/** Values that are looked up when metrics are requested. */
interface Measured {
  readonly inFlight: () => number;
  readonly connections: () => number;
  readonly eventLoopDelayMs: () => number;
  readonly pools: () => Readonly<Record<string, PoolUse>>;
  readonly lostLogLines: () => number;
  readonly rateLimits: () => RateLimitStats;
}

export interface Metrics {
  /** Counts one response. Its labels come from the contract, so their values are few, whatever callers send. */
  readonly count: (record: RequestRecord, keyInQuery?: boolean) => void;
  readonly page: () => Promise<Page>;
}

/** A value as prom-client takes it. */
interface Value {
  readonly labels: Readonly<Record<string, string | number>>;
  value: number;
  readonly metricName?: string;
}

/** The requests of an operation by their duration: how many are in each bucket, and in none. */
interface Durations {
  readonly counts: number[];
  sumS: number;
}

/** From half of the time of `sysinfo` to the deadline of a handler, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Requests are counted in plain numbers, which prom-client writes when they are requested: its own counting takes 1 µs a request. */
export function createMetrics(
  { name: prefix, version }: { readonly name: string; readonly version: string },
  measured: Measured,
): Metrics {
  const [counter, gauge, histogram] = [metric("counter", prefix), metric("gauge", prefix), metric("histogram", prefix)];
  const register = new Registry();
  collectDefaultMetrics({ register });
  const responses = new Map<string, Value>();
  const durations = new Map<string, Durations>();
  let keysInQuery = 0;
  return {
    count({ operation, status, code, durationMs }, keyInQuery = false) {
      const name = operation ?? "none";
      const response = entryOf(responses, `${name} ${status} ${code}`, () => ({
        labels: { operation: name, status, code: code ?? "" },
        value: 0,
      }));
      response.value += 1;
      const seconds = durationMs / 1000;
      const duration = entryOf(durations, name, () => ({ counts: [...BUCKETS, 0].fill(0), sumS: 0 }));
      let bucket = 0;
      while (seconds > (BUCKETS[bucket] ?? Infinity)) bucket += 1;
      duration.counts[bucket] = (duration.counts[bucket] ?? 0) + 1;
      duration.sumS += seconds;
      if (keyInQuery) keysInQuery += 1;
    },
    async page() {
      const { inFlight, connections, eventLoopDelayMs, pools, lostLogLines, rateLimits } = measured;
      const { calls, isDegraded } = rateLimits();
      const counted = [
        counter(
          "requests_total",
          "Responses by operation (none: no operation was named), status and code of the problem.",
          [...responses.values()],
        ),
        histogram(
          "request_duration_seconds",
          "From the head of a request to its response, by operation.",
          [...durations].flatMap(histogramOf(prefix)),
        ),
        counter(
          "keys_in_query_total",
          "Requests with an API key in the query, where proxies and histories see it.",
          keysInQuery,
        ),
        counter(
          "log_lines_lost_total",
          "Lines of the log that could not be written to standard output.",
          lostLogLines(),
        ),
        counter(
          "rate_limit_calls_total",
          "Calls that were counted, by limit and outcome.",
          table(calls, "limit", "outcome"),
        ),
        gauge("rate_limit_alone", "1 while Redis is unavailable, and this process counts alone.", Number(isDegraded)),
        gauge("requests_in_flight", "Requests that have arrived completely and are not answered yet.", inFlight()),
        gauge("connections", "Open connections of callers.", connections()),
        gauge(
          "event_loop_delay_seconds",
          "Mean of a second, the lesser of the last two: what MAX_EVENT_LOOP_DELAY_MS bounds.",
          eventLoopDelayMs() / 1000,
        ),
        gauge(
          "database_connections",
          "Connections to the database by pool and state; waiting: who waits for one.",
          table(pools(), "pool", "state"),
        ),
        gauge("info", "1, with the version of the interface.", [{ labels: { version }, value: 1 }]),
      ];
      const texts = [register, AggregatorRegistry.aggregate([counted])].map((one) => one.metrics());
      return { status: 200, mediaType: register.contentType, body: (await Promise.all(texts)).join("\n") };
    },
  };
}

function entryOf<T>(entries: Map<string, T>, name: string, create: () => T): T {
  const known = entries.get(name);
  if (known) return known;
  const entry = create();
  entries.set(name, entry);
  return entry;
}

const metric =
  (type: "counter" | "gauge" | "histogram", prefix: string) =>
  (name: string, help: string, value: number | Value[]) => ({
    type,
    name: `${prefix}_${name}`,
    help,
    values: typeof value === "number" ? [{ labels: {}, value }] : value,
    aggregator: "first",
  });

/** `{ a: { b: 1 } }` as a value with two labels. */
const table = (rows: Readonly<Record<string, object>>, row: string, column: string): Value[] =>
  Object.entries(rows).flatMap(([one, values]) =>
    Object.entries(values).map(([other, value]) => ({ labels: { [row]: one, [column]: other }, value })),
  );

/** Prometheus counts in each bucket also what is in smaller ones. */
const histogramOf =
  (prefix: string) =>
  ([operation, { counts, sumS }]: [string, Durations]): Value[] => {
    const metricName = (part: string) => `${prefix}_request_duration_seconds_${part}`;
    let count = 0;
    const buckets = counts.map((own, bucket): Value => {
      count += own;
      return { metricName: metricName("bucket"), labels: { le: BUCKETS[bucket] ?? "+Inf", operation }, value: count };
    });
    const labels = { operation };
    return [
      ...buckets,
      { metricName: metricName("sum"), labels, value: sumS },
      { metricName: metricName("count"), labels, value: count },
    ];
  };

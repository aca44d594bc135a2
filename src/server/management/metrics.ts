import type { RateLimitStats } from "../limits/counters.ts";
import type { RequestRecord } from "../response/send.ts";
import type { Versions } from "../settings/package.ts";
import type { PoolUse } from "../storage/storage.ts";
import type { Page } from "./server.ts";

/** Values that are looked up when metrics are requested. */
interface Measured {
  readonly inFlight: () => number;
  readonly overdue: () => number;
  readonly connections: () => number;
  readonly eventLoopDelayMs: () => number;
  readonly pools: () => Readonly<Record<string, PoolUse>>;
  readonly lostLogLines: () => number;
  readonly rateLimits: () => RateLimitStats;
}

/** A value as prom-client takes it. */
type Value = {
  readonly labels: Readonly<Record<string, string | number>>;
  value: number;
  readonly metricName?: string;
};

/** The requests of an operation by their duration: how many are in each bucket, and in none. */
type Durations = { readonly counts: number[]; sumS: number };

/** The type and the meaning of each metric. */
const METRICS = {
  requests_total: [
    "counter",
    "Responses by operation (none: no operation was named), status and code of the problem.",
  ],
  request_duration_seconds: [
    "histogram",
    "From the head of a request to its response, by operation.",
  ],
  keys_in_query_total: [
    "counter",
    "Requests with an API key in the query, where proxies and histories see it.",
  ],
  log_lines_lost_total: [
    "counter",
    "Lines of the log that could not be written to standard output.",
  ],
  rate_limit_calls_total: ["counter", "Calls that were counted, by limit and outcome."],
  rate_limit_alone: ["gauge", "1 while Redis is unavailable, and this process counts alone."],
  requests_in_flight: [
    "gauge",
    "Requests that have arrived completely, and are not answered yet or overdue: " +
      "MAX_IN_FLIGHT bounds them.",
  ],
  requests_overdue: [
    "gauge",
    "Requests in flight that were given up, and whose handlers still run.",
  ],
  connections: ["gauge", "Open connections of callers."],
  event_loop_delay_seconds: [
    "gauge",
    "Mean of a second, the lesser of the last two: MAX_EVENT_LOOP_DELAY_MS bounds it.",
  ],
  database_connections: [
    "gauge",
    "Connections to the database by pool and state; waiting: who waits for one.",
  ],
  info: ["gauge", "1, with the release, and the version of its contract."],
} as const;

/** From half of the time of `sysinfo` to the deadline of a handler, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Loaded when metrics are requested for the first time, since it is an eighth of a start: those of
 * Node.js count from then on.
 */
async function loadPrometheus() {
  const { AggregatorRegistry, collectDefaultMetrics, Registry } = await import("prom-client");
  const register = new Registry();
  collectDefaultMetrics({ register });
  return {
    register,
    aggregate: (metrics: readonly object[]) => AggregatorRegistry.aggregate([[...metrics]]),
  };
}

/**
 * Requests are counted in plain numbers, which prom-client writes when they are requested: its own
 * counting (`inc`, `observe`) takes 2.2 µs a request, and this 0.4 µs.
 */
export function createMetrics(prefix: string, versions: Versions, measured: Measured) {
  let prometheus: ReturnType<typeof loadPrometheus> | null = null;
  const responses = new Map<string, Value>();
  const durations = new Map<string, Durations>();
  let keysInQuery = 0;
  return {
    /**
     * Counts one response. Its labels come from the contract, so their values are few, whatever
     * callers send.
     */
    count({ operation, status, code, durationMs }: RequestRecord, keyInQuery = false) {
      const name = operation ?? "none";
      const labels = { operation: name, status, code: code ?? "" };
      entryOf(responses, `${name} ${status} ${code}`, () => ({ labels, value: 0 })).value += 1;
      const seconds = durationMs / 1000;
      const duration = entryOf(durations, name, () => ({
        counts: [...BUCKETS, 0].fill(0),
        sumS: 0,
      }));
      let bucket = 0;
      while (seconds > (BUCKETS[bucket] ?? Infinity)) bucket += 1;
      duration.counts[bucket] = (duration.counts[bucket] ?? 0) + 1;
      duration.sumS += seconds;
      if (keyInQuery) keysInQuery += 1;
    },
    async page(): Promise<Page> {
      const { inFlight, overdue, connections, eventLoopDelayMs, pools, lostLogLines, rateLimits } =
        measured;
      const { calls, isDegraded } = rateLimits();
      const counted = metricsOf(prefix, {
        requests_total: [...responses.values()],
        request_duration_seconds: [...durations].flatMap(histogramOf(prefix)),
        keys_in_query_total: keysInQuery,
        log_lines_lost_total: lostLogLines(),
        rate_limit_calls_total: table(calls, "limit", "outcome"),
        rate_limit_alone: Number(isDegraded),
        requests_in_flight: inFlight(),
        requests_overdue: overdue(),
        connections: connections(),
        event_loop_delay_seconds: eventLoopDelayMs() / 1000,
        database_connections: table(pools(), "pool", "state"),
        info: [{ labels: { ...versions }, value: 1 }],
      });
      prometheus ??= loadPrometheus();
      const { register, aggregate } = await prometheus;
      const texts = [register, aggregate(counted)].map((registry) => registry.metrics());
      return {
        status: 200,
        mediaType: register.contentType,
        body: (await Promise.all(texts)).join("\n"),
      };
    },
  };
}

function entryOf<T>(entries: Map<string, T>, name: string, create: () => T): T {
  const entry = entries.get(name) ?? create();
  entries.set(name, entry);
  return entry;
}

const metricsOf = (
  prefix: string,
  values: Readonly<Record<keyof typeof METRICS, number | Value[]>>,
) =>
  Object.entries(METRICS).map(([name, [type, help]]) => {
    const { [name as keyof typeof METRICS]: value } = values; // a key of METRICS
    const list = typeof value === "number" ? [{ labels: {}, value }] : value;
    return { type, name: `${prefix}_${name}`, help, values: list, aggregator: "first" };
  });

/** `{ a: { b: 1 } }` as a value with two labels. */
const table = (rows: Readonly<Record<string, object>>, row: string, column: string): Value[] =>
  Object.entries(rows).flatMap(([name, values]) =>
    Object.entries(values).map(([state, value]) => ({
      labels: { [row]: name, [column]: state },
      value,
    })),
  );

/** Prometheus counts in each bucket also what is in smaller ones. */
const histogramOf =
  (prefix: string) =>
  ([operation, { counts, sumS }]: [string, Durations]): Value[] => {
    const named = (part: string) => `${prefix}_request_duration_seconds_${part}`;
    const labels = { operation };
    let count = 0;
    const buckets = counts.map((inBucket, bucket): Value => {
      count += inBucket;
      return {
        metricName: named("bucket"),
        labels: { le: BUCKETS[bucket] ?? "+Inf", operation },
        value: count,
      };
    });
    const sum = { metricName: named("sum"), labels, value: sumS };
    return [...buckets, sum, { metricName: named("count"), labels, value: count }];
  };

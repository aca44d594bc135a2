import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { contract } from "../../generated/operations.ts";
import type { RequestRecord } from "../http/send.ts";
import type { RateLimitStats } from "../limits/counters.ts";
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

/** From half of the time of `sysinfo` to the deadline of a handler, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(measured: Measured): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  /** A counter of what is counted elsewhere, in plain numbers. */
  const counter = (name: string, help: string, collect: (metric: Counter) => void, labelNames: string[] = []) =>
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        collect(this);
      },
    });
  const gauge = (name: string, help: string, collect: (metric: Gauge) => void, labelNames: string[] = []) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        collect(this);
      },
    });

  const responses = new Map<string, { readonly labels: Record<string, string | number>; count: number }>();
  let keysInQuery = 0;
  counter(
    "atpoint_requests_total",
    "Responses by operation (none: no operation was named), status and code of the problem.",
    (metric) => {
      for (const { labels, count } of responses.values()) metric.inc(labels, count);
    },
    ["operation", "status", "code"],
  );
  const durations = new Histogram({
    name: "atpoint_request_duration_seconds",
    help: "From the head of a request to its response, by operation.",
    labelNames: ["operation"],
    buckets: BUCKETS,
    registers,
  });
  counter(
    "atpoint_keys_in_query_total",
    "Requests with an API key in the query, where proxies and histories see it.",
    (metric) => metric.inc(keysInQuery),
  );
  counter("atpoint_log_lines_lost_total", "Lines of the log that could not be written to standard output.", (metric) =>
    metric.inc(measured.lostLogLines()),
  );
  counter(
    "atpoint_rate_limit_calls_total",
    "Calls that were counted, by limit and outcome.",
    (metric) => {
      for (const [limit, outcomes] of Object.entries(measured.rateLimits().calls))
        for (const [outcome, number] of Object.entries(outcomes)) metric.inc({ limit, outcome }, number);
    },
    ["limit", "outcome"],
  );
  gauge("atpoint_rate_limit_alone", "1 while Redis is unavailable, and this process counts alone.", (metric) =>
    metric.set(Number(measured.rateLimits().isAlone)),
  );
  gauge("atpoint_requests_in_flight", "Requests that have arrived completely and are not answered yet.", (metric) =>
    metric.set(measured.inFlight()),
  );
  gauge("atpoint_connections", "Open connections of callers.", (metric) => metric.set(measured.connections()));
  gauge(
    "atpoint_event_loop_delay_seconds",
    "Mean of a second, the lesser of the last two: what MAX_EVENT_LOOP_DELAY_MS bounds.",
    (metric) => metric.set(measured.eventLoopDelayMs() / 1000),
  );
  gauge(
    "atpoint_database_connections",
    "Connections to the database by pool and state; waiting: who waits for one.",
    (metric) => {
      for (const [pool, use] of Object.entries(measured.pools()))
        for (const [state, number] of Object.entries(use)) metric.set({ pool, state }, number);
    },
    ["pool", "state"],
  );
  gauge(
    "atpoint_info",
    "1, with the version of the interface.",
    (metric) => metric.set({ version: contract.version }, 1),
    ["version"],
  );
  return {
    count({ operation, status, code, durationMs }, keyInQuery = false) {
      const name = operation ?? "none";
      const kind = `${name} ${status} ${code}`;
      const known = responses.get(kind);
      if (known) known.count += 1;
      else responses.set(kind, { labels: { operation: name, status, code: code ?? "" }, count: 1 });
      durations.observe({ operation: name }, durationMs / 1000);
      if (keyInQuery) keysInQuery += 1;
    },
    page: async () => ({ status: 200, mediaType: register.contentType, body: await register.metrics() }),
  };
}

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { contract } from "../../generated/operations.ts";
import type { Outcome, RequestLog } from "../http/reply.ts";
import type { Tally } from "../limits/counters.ts";
import type { PoolUse } from "../storage/driver.ts";
import type { Page } from "./server.ts";

/** Values that are looked up when metrics are requested. */
interface Measured {
  readonly inFlight: () => number;
  readonly connections: () => number;
  readonly eventLoopDelayMs: () => number;
  readonly pools: () => Readonly<Record<string, PoolUse>>;
  readonly lostLogLines: () => number;
  readonly rateLimits: () => Tally;
}

export interface Metrics {
  /** Counts one response. Its labels come from the contract, so their values are few, whatever callers send. */
  readonly count: (line: RequestLog, outcome: Outcome) => void;
  readonly page: () => Promise<Page>;
}

/** From half of the time of `sysinfo` to the deadline of a handler, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(measured: Measured): Metrics {
  const registers = [new Registry()];
  const [register = new Registry()] = registers;
  collectDefaultMetrics({ register });
  const gauge = (name: string, help: string, collect: (this: Gauge) => void, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers, collect });

  const requests = new Counter({
    name: "atpoint_requests_total",
    help: "Responses by operation (none: no operation was named), status and code of the problem.",
    labelNames: ["operation", "status", "code"],
    registers,
  });
  const durations = new Histogram({
    name: "atpoint_request_duration_seconds",
    help: "From the head of a request to its response, by operation.",
    labelNames: ["operation"],
    buckets: BUCKETS,
    registers,
  });
  const keysInQuery = new Counter({
    name: "atpoint_keys_in_query_total",
    help: "Requests with an API key in the query, where proxies and histories see it.",
    registers,
  });
  new Counter({
    name: "atpoint_log_lines_lost_total",
    help: "Lines of the log that could not be written to standard output.",
    registers,
    collect() {
      this.reset();
      this.inc(measured.lostLogLines());
    },
  });
  new Counter({
    name: "atpoint_rate_limit_calls_total",
    help: "Calls that were counted, by limit and outcome.",
    labelNames: ["limit", "outcome"],
    registers,
    collect() {
      this.reset();
      for (const [limit, outcomes] of Object.entries(measured.rateLimits().calls))
        for (const [outcome, number] of Object.entries(outcomes)) this.inc({ limit, outcome }, number);
    },
  });
  gauge("atpoint_rate_limit_alone", "1 while Redis is unavailable, and this process counts alone.", function () {
    this.set(Number(measured.rateLimits().isAlone));
  });
  gauge("atpoint_requests_in_flight", "Requests that have arrived completely and are not answered yet.", function () {
    this.set(measured.inFlight());
  });
  gauge("atpoint_connections", "Open connections of callers.", function () {
    this.set(measured.connections());
  });
  gauge(
    "atpoint_event_loop_delay_seconds",
    "Mean of a second, the lesser of the last two: what MAX_EVENT_LOOP_DELAY_MS bounds.",
    function () {
      this.set(measured.eventLoopDelayMs() / 1000);
    },
  );
  gauge(
    "atpoint_database_connections",
    "Connections to the database by pool and state; waiting: who waits for one.",
    function () {
      for (const [pool, use] of Object.entries(measured.pools()))
        for (const [state, number] of Object.entries(use)) this.set({ pool, state }, number);
    },
    ["pool", "state"],
  );
  gauge(
    "atpoint_info",
    "1, with the version of the interface.",
    function () {
      this.set({ version: contract.version }, 1);
    },
    ["version"],
  );
  return {
    count({ operation, status, code, durationMs }, { keyInQuery }) {
      const named = operation ?? "none";
      requests.inc({ operation: named, status, code: code ?? "" });
      durations.observe({ operation: named }, durationMs / 1000);
      if (keyInQuery) keysInQuery.inc();
    },
    page: async () => ({ status: 200, mediaType: register.contentType, body: await register.metrics() }),
  };
}

// For Prometheus, as the service counts; apart from the house, since it watches the collector of whoever loads it.
import { Counter, collectDefaultMetrics, Histogram } from "prom-client";

const requests = new Counter({ name: "requests", help: "Answers.", labelNames: ["operation", "status", "code"] });
const durations = new Histogram({ name: "durations", help: "Of answers.", labelNames: ["operation"] });
collectDefaultMetrics();

export function count(status, durationMs) {
  requests.inc({ operation: "sysinfo", status, code: "" });
  durations.observe({ operation: "sysinfo" }, durationMs / 1000);
}

import type { Report } from "./report.ts";

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The results of a run, in the text format of Prometheus (0.0.4). `runs`: their number, this one included. */
export function toMetrics(report: Report, runs: number): string {
  const { verdict, counts, results, run } = report;
  const ran = results.filter(({ outcome }) => outcome !== "not selected");
  const ended = Date.parse(run.startedAt) + run.durationMs;
  return [
    family("up", "gauge", "Whether the last run found the target conformant.", [
      ["", verdict.startsWith("conformant") ? 1 : 0],
    ]),
    family("runs_total", "counter", "Runs since the start.", [["", runs]]),
    family(
      "checks",
      "gauge",
      "Checks of the last run, by outcome.",
      Object.entries(counts).map(([outcome, count]) => [`{outcome="${outcome}"}`, count]),
    ),
    family(
      "check_failed",
      "gauge",
      "Whether a check failed in the last run.",
      ran.map(({ check, outcome }) => [`{check="${quoted(check)}"}`, outcome === "failed" ? 1 : 0]),
    ),
    family("last_run_timestamp_seconds", "gauge", "When the last run ended.", [["", ended / 1000]]),
    family("last_run_duration_seconds", "gauge", "How long the last run took.", [["", run.durationMs / 1000]]),
  ].join("");
}

function family(
  name: string,
  type: string,
  help: string,
  samples: readonly (readonly [labels: string, value: number])[],
): string {
  const full = `atpoint_conformance_${name}`;
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${samples.map(([labels, value]) => `${full}${labels} ${value}\n`).join("")}`;
}

const quoted = (value: string) => value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");

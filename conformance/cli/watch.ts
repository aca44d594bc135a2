import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { EXIT } from "../engine/verdict.ts";
import { METRICS_TYPE, toMetrics } from "../report/metrics.ts";
import type { Report } from "../report/report.ts";
import { countsLine } from "../report/summary.ts";
import type { CliOptions } from "./options.ts";
import type { Suite } from "./plan.ts";
import { UsageError } from "./usage.ts";

/** The checks that can be repeated on a target in use: they change nothing and wait for nothing. */
export function watchable(suite: Suite): Suite {
  const isQuiet = ({ kind, effect, slow }: Suite["checks"][number]) => kind === "target" && effect === "read" && !slow;
  return { ...suite, checks: suite.checks.filter(isQuiet) };
}

/** By default, the given requirements: the few that matter to every caller. */
export function watched(options: CliOptions): CliOptions {
  if (options.url.length > 1) throw new UsageError("--watch: one --url");
  return options.only.length > 0 ? options : { ...options, origin: "given" };
}

async function serve(port: number, metrics: () => string): Promise<Server> {
  const server = createServer((request, response) => {
    const found = request.url === "/metrics";
    response.writeHead(found ? 200 : 404, { "Content-Type": METRICS_TYPE }).end(found ? metrics() : "");
  });
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    // node:net throws Errors only.
    throw new UsageError(`--metrics ${port}: ${(error as Error).message}`);
  }
  return server;
}

/** Checks repeatedly until the signal comes; then ends with success. Prints a line when the verdict or the counts change. */
export async function watch(
  { watch: pauseMs = 0, metrics: port }: CliOptions,
  judge: () => Promise<Report>,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  let [text, last, runs] = ["", "", 0];
  const server = port === undefined ? null : await serve(port, () => text);
  while (!signal.aborted) {
    const report = await judge();
    // An aborted run proves nothing about its target.
    if (signal.aborted) break;
    runs += 1;
    text = toMetrics(report, runs);
    const failed = report.results.flatMap(({ check, outcome }) => (outcome === "failed" ? [check] : []));
    const line = [`${report.verdict}: ${countsLine(report)}`, ...failed, ...report.faults].join("\n  ");
    if (line !== last) say(`${new Date().toISOString()} ${line}\n`);
    last = line;
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
  server?.close();
  server?.closeAllConnections();
  return EXIT.conformant;
}

import { worst } from "../engine/verdict.ts";
import type { Report } from "../report/report.ts";
import { countsLine } from "../report/summary.ts";

const SEEDS = 2 ** 32;

/** Several runs of the same checks. */
export interface Repeated {
  /** The first report with the most severe exit code: the one to be reported. */
  readonly gravest: Report;
  /** A text with what failed in some of the runs. */
  readonly summary: string;
}

const failed = ({ results }: Report) => results.flatMap(({ check, outcome }) => (outcome === "failed" ? [check] : []));

/** Repeats the run, each time with the next seed. `say` gets a line for each; an interrupted run is the last. */
export async function repeat(
  times: number,
  firstSeed: number,
  judge: (seed: number) => Promise<Report>,
  say: (line: string) => void,
  signal?: AbortSignal,
): Promise<Repeated> {
  const reports: Report[] = [];
  do {
    const report = await judge((firstSeed + reports.length) % SEEDS);
    reports.push(report);
    say(`run ${reports.length} of ${times}, seed ${report.run.seed}: ${report.verdict}: ${countsLine(report)}\n`);
  } while (reports.length < times && !signal?.aborted);
  const code = worst(reports.map(({ exitCode }) => exitCode));
  // There is at least one report, and one of them has that code.
  const gravest = reports.find(({ exitCode }) => exitCode === code) as Report;
  return { gravest, summary: summaryOf(reports) };
}

function summaryOf(reports: readonly Report[]): string {
  const seeds = new Map<string, number[]>();
  for (const report of reports)
    for (const check of failed(report)) seeds.set(check, [...(seeds.get(check) ?? []), report.run.seed]);
  const flaky = [...seeds].filter(([, some]) => some.length < reports.length);
  const lines = flaky.map(
    ([check, some]) => `  ${check}: ${some.length} of ${reports.length}, seeds ${some.join(", ")}\n`,
  );
  return `${flaky.length} flaky in ${reports.length} runs, ${seeds.size - flaky.length} failed in each\n${lines.join("")}`;
}

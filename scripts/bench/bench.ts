// The service compared with five others: the server's CPU for one request, all in one run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { filledDatabase } from "./database.ts";
import { load } from "./load.ts";
import { leaveServerCore, type Server, startServer } from "./server.ts";
import { type Contender, programOf, ratios } from "./works.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    guard: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    rounds: { type: "string" },
  },
});
const isShort = values.quick || values.guard;
const rounds = [...Array(Number(values.rounds ?? (isShort ? 3 : 5))).keys()];
const GUARDED = "sysinfo ÷ bare Koa";
/** A regression too large for a busy machine: ours was at 1.9 when this was written. */
const GUARD_LIMIT = 4;
const START = "start to first response";

/** The middle one, or the mean of the two in the middle. */
function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, two) => one - two);
  const [low = Number.NaN, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}
const short = (value: number) => value.toFixed(value < 10 ? 2 : 0);
const print = (...cells: readonly string[]) => console.log(`| ${cells.join(" | ")} |`);

leaveServerCore();
const folder = mkdtempSync(path.join(tmpdir(), "atpoint-bench-"));
const servers = new Map<string, Server>();
try {
  const filled = await filledDatabase(folder, values.guard ? 1000 : values.quick ? 100_000 : 1_000_000);
  const chosen = ratios(filled).filter(({ name }) => (values.guard ? name === GUARDED : name.includes(values.only)));

  const starts: { cpuS: number; mib: number }[] = [];
  for (const _ of !values.guard && START.includes(values.only) ? rounds : []) {
    const server = await startServer(programOf("service", filled), folder);
    starts.push({ cpuS: server.cpuUs() / 1e6, mib: server.residentMib() });
    await server.stop();
  }

  // A work of a server is measured once a round, however many ratios it is in.
  const keyOf = ([server, { name }]: Contender) => `${name} | ${server}`;
  const contenders = new Map(chosen.flatMap((ratio) => ratio.contenders).map((one) => [keyOf(one), one]));
  for (const name of new Set([...contenders.values()].map(([server]) => server)))
    servers.set(name, await startServer(programOf(name, filled), folder));
  const measured = new Map<string, number[]>([...contenders.keys()].map((key) => [key, []]));
  const of = (contender: Contender) => measured.get(keyOf(contender)) ?? [];
  // Round by round, each after the other, so that changes of the machine's load affect all. The first warms up the compilers.
  for (const round of [-1, ...rounds]) {
    for (const contender of contenders.values()) {
      const [name, work] = contender;
      const server = servers.get(name);
      if (!server) throw new Error(`${name} does not run`);
      const cpuUs = await load(server, work, isShort ? Math.ceil(work.amount / 4) : work.amount);
      if (round >= 0) of(contender).push(cpuUs);
    }
    console.error(`round ${round + 1} of ${rounds.length}`);
  }

  if (values.guard)
    for (const { contenders: pair } of chosen) {
      const [ours, theirs] = pair.map((one) => Math.min(...of(one)));
      const ratio = (ours ?? Number.NaN) / (theirs ?? Number.NaN);
      console.log(`sysinfo takes ${ratio.toFixed(2)} times the CPU of bare Koa; at most ${GUARD_LIMIT}`);
      if (!(ratio <= GUARD_LIMIT)) process.exitCode = 1;
    }
  else {
    print("Work", "Server", "CPU of the server, µs a request: median (min–max)");
    print("---", "---", "---:");
    for (const [key, all] of measured)
      print(key, `${short(median(all))} (${short(Math.min(...all))}–${short(Math.max(...all))})`);
    console.log();
    print("Ratio, median of those of each round", "Measured", "Limit", "");
    print("---", "---:", "---:", "---");
    for (const { name, contenders: pair, limit } of chosen) {
      const [ours, theirs] = [of(pair[0]), of(pair[1])];
      const value = median(ours.map((cpuUs, round) => cpuUs / (theirs[round] ?? Number.NaN)));
      print(name, short(value), ...(limit === null ? ["", ""] : [short(limit), value <= limit ? "met" : "**missed**"]));
    }
    if (starts.length > 0)
      print(
        `${START}, s of CPU · MiB after it`,
        `${short(median(starts.map(({ cpuS }) => cpuS)))} · ${short(median(starts.map(({ mib }) => mib)))}`,
        ...["0.53 · 86", ""],
      );
  }
} finally {
  for (const server of servers.values()) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

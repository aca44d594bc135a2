// The service compared with five others: the server's CPU for one request, all in one run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { filledDatabase } from "./database.ts";
import { load } from "./load.ts";
import { leaveServerCore, type Server, startServer } from "./server.ts";
import { type Contender, type Name, programOf, ratios } from "./works.ts";

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
const only = values.guard ? "sysinfo ÷ bare Koa" : values.only;
/** A regression too large for a busy machine: ours was at 1.9 when this was written. */
const GUARD_LIMIT = 4;
const START = "start to first response";

/** The middle one, or the mean of the two in the middle. */
function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, two) => one - two);
  const [low = Number.NaN, high = low] = [
    sorted[(sorted.length - 1) >> 1],
    sorted[sorted.length >> 1],
  ];
  return (low + high) / 2;
}
const short = (value: number) => value.toFixed(value < 10 ? 2 : 0);
const print = (...cells: readonly string[]) => console.log(`| ${cells.join(" | ")} |`);

leaveServerCore();
const folder = mkdtempSync(path.join(tmpdir(), "atpoint-bench-"));
const servers = new Map<string, Server>();
try {
  const filled = await filledDatabase(
    folder,
    values.guard ? 1000 : values.quick ? 100_000 : 1_000_000,
  );
  const chosen = ratios(filled).filter(({ name }) => name.includes(only));

  const starts: { cpuS: number; mib: number }[] = [];
  for (const _ of START.includes(only) ? rounds : []) {
    const server = await startServer(programOf("service", filled), folder);
    starts.push({ cpuS: server.cpuUs() / 1e6, mib: server.residentMib() });
    await server.stop();
  }

  // A work of a server is measured once a round, however many ratios it is in.
  const keyOf = ([server, { name }]: Contender) => `${name} | ${server}`;
  const contenders = new Map(
    chosen.flatMap((ratio) => ratio.contenders).map((one) => [keyOf(one), one]),
  );
  const serve = async (name: Name) => {
    const server = await startServer(programOf(name, filled), folder);
    servers.set(name, server);
    return server;
  };
  const measured = new Map<string, number[]>([...contenders.keys()].map((key) => [key, []]));
  const of = (contender: Contender) => measured.get(keyOf(contender)) ?? [];
  // Round by round, each after the other, so that changes of the machine's load affect all. The
  // first warms up the compilers.
  for (const round of [-1, ...rounds]) {
    for (const contender of contenders.values()) {
      const [name, work] = contender;
      const amount = isShort ? Math.ceil(work.amount / 4) : work.amount;
      const cpuUs = await load(servers.get(name) ?? (await serve(name)), work, amount);
      if (round >= 0) of(contender).push(cpuUs);
    }
    console.error(`round ${round + 1} of ${rounds.length}`);
  }

  print("Work", "Server", "CPU of the server, µs a request: median (min–max)");
  print("---", "---", "---:");
  for (const [key, all] of measured)
    print(key, `${short(median(all))} (${short(Math.min(...all))}–${short(Math.max(...all))})`);
  console.log();
  print("Ratio, median of those of each round", "Measured", "Limit", "");
  print("---", "---:", "---:", "---");
  for (const { name, contenders: pair, limit: target } of chosen) {
    const [ours, theirs] = [of(pair[0]), of(pair[1])];
    const value = median(ours.map((cpuUs, round) => cpuUs / (theirs[round] ?? Number.NaN)));
    const limit = values.guard ? GUARD_LIMIT : target;
    print(
      name,
      short(value),
      ...(limit === null ? ["", ""] : [short(limit), value <= limit ? "met" : "**missed**"]),
    );
    if (values.guard && !(value <= GUARD_LIMIT)) process.exitCode = 1;
  }
  if (starts.length > 0) {
    const [cpuS, mib] = [
      median(starts.map((one) => one.cpuS)),
      median(starts.map((one) => one.mib)),
    ];
    print(`${START}, s of CPU · MiB after it`, `${short(cpuS)} · ${short(mib)}`, "0.53 · 86", "");
  }
} finally {
  for (const server of servers.values()) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

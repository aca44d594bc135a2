// The service compared with alternatives: the server's CPU time per request, all in one run.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { filledDatabase } from "./database.ts";
import { type Measured, type Start, spreadOf, targets } from "./figures.ts";
import { growth } from "./growth.ts";
import { type Figures, load } from "./load.ts";
import { markdown, svg } from "./report.ts";
import { leaveServerCore, type Server, startServer } from "./server.ts";
import { type Name, programs, type Row, rows } from "./works.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    guard: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    rounds: { type: "string" },
    out: { type: "string", default: "reports/bench" },
  },
});
const isShort = values.quick || values.guard;
const roundCount = Number(values.rounds ?? (isShort ? 3 : 5));
/** A regression too large for a busy machine: ours was at 1.9 when this was written. */
const GUARD_LIMIT = 4;

type Running = ReadonlyMap<string, Server>;

/** Round by round, each server after the other, so that changes of the machine's load affect all. */
async function measure(chosen: readonly Row[], servers: Running): Promise<Measured> {
  const measured: Record<string, Record<string, Figures[]>> = {};
  for (let round = -1; round < roundCount; round += 1) {
    for (const { name, amount, contenders } of chosen) {
      for (const [server, work] of Object.entries(contenders)) {
        const running = servers.get(server);
        if (!running) throw new Error(`${server} does not run`);
        // The first round warms up the compilers.
        const figures = await load(running, work, isShort ? Math.ceil(amount / 4) : amount);
        if (round >= 0)
          measured[name] = { ...measured[name], [server]: [...(measured[name]?.[server] ?? []), figures] };
      }
    }
    console.error(`round ${round + 1} of ${roundCount}`);
  }
  return measured;
}

/** RSS includes garbage not yet collected; a million requests show what remains. */
async function startFigures(server: Server, cpuS: number, residentMib: number, work: Row): Promise<Start> {
  const { service } = work.contenders;
  if (service) await load(server, service, isShort ? 25_000 : 1_000_000);
  return { cpuS, residentMib, grownMib: server.residentMib() - residentMib };
}

leaveServerCore();
const folder = mkdtempSync(path.join(tmpdir(), "atpoint-bench-"));
const servers = new Map<string, Server>();
try {
  const filled = await filledDatabase(folder, values.guard ? 1000 : values.quick ? 100_000 : 1_000_000);
  const needed = (name: string) => !values.guard || name === "service" || name === "koa";
  let [cpuS, residentMib] = [0, 0];
  for (const program of programs(filled).filter(({ name }) => needed(name))) {
    const server = await startServer(program, folder);
    servers.set(program.name, server);
    if (program.name === "service") [cpuS, residentMib] = [server.cpuUs() / 1e6, server.residentMib()];
  }
  const service = servers.get("service");
  if (!service) throw new Error("the service does not run");
  const tag = (
    await fetch(`${service.url}/api/?@=docs.get.README`, { headers: { "Accept-Encoding": "identity" } })
  ).headers.get("ETag");
  const all = rows(filled, tag ?? "");
  const chosen = values.guard
    ? all.filter(({ name }) => name === "sysinfo").map((row) => ({ ...row, contenders: guarded(row) }))
    : all.filter(({ name }) => name.includes(values.only));
  const measured = await measure(chosen, servers);
  if (values.guard) guard(measured);
  else {
    const [first] = all;
    const start = first && values.only === "" ? await startFigures(service, cpuS, residentMib, first) : null;
    const wanted = targets(measured, start);
    console.log(markdown(measured, wanted));
    const plots = isShort || values.only !== "" ? [] : await growth(folder);
    const out = path.resolve(values.out);
    mkdirSync(out, { recursive: true });
    writeFileSync(
      path.join(out, "bench.json"),
      `${JSON.stringify({ measured, start, targets: wanted, plots }, null, 1)}\n`,
    );
    writeFileSync(path.join(out, "bench.md"), `${markdown(measured, wanted)}\n`);
    for (const plot of plots) writeFileSync(path.join(out, `${plot.title}.svg`), svg(plot));
  }
} finally {
  for (const server of servers.values()) await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

function guarded({ contenders: { service, koa } }: Row): Partial<Record<Name, NonNullable<typeof service>>> {
  return { ...(service && { service }), ...(koa && { koa }) };
}

function guard(measured: Measured): void {
  const of = (server: string) => spreadOf((measured.sysinfo?.[server] ?? []).map(({ cpuUs }) => cpuUs)).min;
  const ratio = of("service") / of("koa");
  console.log(`sysinfo takes ${ratio.toFixed(2)} times the CPU of bare Koa; at most ${GUARD_LIMIT}`);
  if (!(ratio <= GUARD_LIMIT)) process.exitCode = 1;
}

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readConfig } from "../../../src/config.ts";
import { createDispatcher } from "../../../src/dispatcher.ts";
import { noRateLimits } from "../../../src/limits/rate-limits.ts";
import { postgres } from "../../../src/test/fresh-database.ts";
import { generate, write } from "../../generate.ts";
import { filledDatabase, keyIn } from "./database.ts";
import { load, type Work } from "./load.ts";
import type { Plot } from "./report.ts";
import { startServer } from "./server.ts";
import { rows, serviceWith } from "./works.ts";

const info: Work = { path: "/api/?@=sysinfo", status: 200, holds: "Operational" };
const service = (env: Record<string, string>, folder: string) => startServer(serviceWith(env), folder);

/** How the cost grows with users, operations and replicas. */
export async function growth(folder: string): Promise<readonly Plot[]> {
  const plots = [await byUsers(folder), await byConnections(folder), await byOperations(), await byReplicas(folder)];
  return plots.flatMap((plot) => plot ?? []);
}

async function byUsers(folder: string): Promise<Plot> {
  const lines: Record<string, [number, number][]> = { "first page": [], "deep page": [] };
  for (const users of [1_000, 10_000, 100_000, 1_000_000]) {
    const place = path.join(folder, `by-users-${users}`);
    mkdirSync(place);
    const filled = await filledDatabase(place, users);
    const server = await service({ DATABASE_URL: filled.url }, place);
    const [first, deep] = rows(filled, "").filter(({ name }) => name.startsWith("user.list"));
    for (const round of ["for the compilers", "counted"])
      for (const [name, row] of [
        ["first page", first],
        ["deep page", deep],
      ] as const) {
        const work = row?.contenders.service;
        if (!work) throw new Error(`no work for ${name}`);
        const { cpuUs } = await load(server, work, 3_000);
        if (round === "counted") lines[name]?.push([users, cpuUs]);
      }
    await server.stop();
    rmSync(place, { recursive: true });
  }
  return { title: "by users", x: "users", y: "µs of CPU for user.list of 50", lines };
}

async function byConnections(folder: string): Promise<Plot> {
  const server = await service({ DATABASE_URL: `sqlite:${path.join(folder, "by-connections.sqlite")}` }, folder);
  await load(server, info, 20_000);
  const line: [number, number][] = [];
  for (const connections of [1, 10, 100, 1000])
    line.push([connections, (await load(server, info, 20_000, connections)).cpuUs]);
  await server.stop();
  return { title: "by connections", x: "connections", y: "µs of CPU for sysinfo", lines: { sysinfo: line } };
}

/**
 * A spec of ours with this many more operations: how long it takes to generate, how large its validators are, what a dispatch
 * costs.
 */
async function byOperations(): Promise<Plot> {
  const folder = path.join(import.meta.dirname, ".spec");
  const lines: Record<string, [number, number][]> = { "generate, s": [], "validators, MB": [], "dispatch, 10 µs": [] };
  for (const more of [0, 44, 194, 494]) {
    mkdirSync(folder, { recursive: true });
    const operations = Array.from({ length: more }, (_, index) => operation(index + 1)).join("\n");
    const text = `import "../../../../spec/main.tsp";\nusing TypeSpec.Http;\nnamespace Atpoint;\n${operations}`;
    const entry = path.join(folder, "main.tsp");
    writeFileSync(entry, text);
    const before = process.cpuUsage();
    try {
      const files = await generate(entry);
      lines["generate, s"]?.push([6 + more, cpuSince(before) / 1e6]);
      lines["validators, MB"]?.push([6 + more, (files.get("validators.ts")?.length ?? 0) / 1e6]);
      const generated = path.join(folder, `generated-${more}`);
      await write(files, generated);
      lines["dispatch, 10 µs"]?.push([6 + more, (await dispatchUs(generated)) / 10]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  return { title: "by operations", x: "operations in the spec", y: "CPU and size", lines };
}

const cpuSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/**
 * Microseconds of CPU for the steps of the order of checks alone, from the query to a handler that does nothing, of the last
 * operation.
 */
async function dispatchUs(generated: string): Promise<number> {
  const { operations } = await import(path.join(generated, "operations.ts"));
  const { validators } = await import(path.join(generated, "validators.ts"));
  const ids = Object.keys(operations);
  const dispatch = createDispatcher(
    { operations, validators, handlers: Object.fromEntries(ids.map((id) => [id, () => ({})])) },
    {
      config: readConfig({ CHECK_ANSWERS: "off" }),
      rateLimits: noRateLimits,
      services: {},
      findKey: () => Promise.reject(new Error("no key is asked for")),
      onUndocumented: () => {},
    },
  );
  const name = ids.findLast((id) => !operations[id].auth && operations[id].parts.length === 0);
  const request = {
    ...{ id: "r-1", method: "GET", search: `@=${name}`, headers: {}, rawHeaders: [], clientAddress: "192.0.2.7" },
    readBody: () => Buffer.alloc(0),
  };
  const amount = 50_000;
  let before = process.cpuUsage();
  for (let at = -amount; at < amount; at += 1) {
    if (at === 0) before = process.cpuUsage(); // Warm-up of the compilers until here.
    const { reply } = await dispatch(request);
    if (reply instanceof Error) throw reply;
  }
  return cpuSince(before) / amount;
}

const operation = (serial: number) => `
@tag("system")
@summary("Number ${serial}")
@doc("Number ${serial}.")
@useAuth(NoAuth)
@opExample(#{ parameters: #{ size: 1 }, returnType: #{ _: 200, requestIdHeader: requestId, operationHeader: "grown.op${serial}", body: #{ name${serial}: "a" } } })
op grownOp${serial} is Query<"grown.op${serial}", { @query size?: int32 }, Ok<{ @minLength(1) name${serial}: string }>>;`;

/** Of both replicas together, each with half of the requests. Null without a PostgreSQL to use. */
async function byReplicas(folder: string): Promise<Plot | null> {
  const server = process.env.TEST_POSTGRES_URL;
  if (server === undefined) return null;
  const { url, drop } = await postgres(server).fresh();
  const work = rows({ url, key: keyIn(url), deep: "" }, "").find(({ name }) => name === "user.create")?.contenders
    .service;
  if (!work) throw new Error("no work for replicas");
  const line: [number, number][] = [];
  for (const count of [1, 2]) {
    const replicas = await Promise.all(Array.from({ length: count }, () => service({ DATABASE_URL: url }, folder)));
    const half = async (amount: number) => {
      const before = replicas.map((one) => one.cpuUs());
      await Promise.all(replicas.map((one) => load(one, work, amount / count)));
      return replicas.reduce((sum, one, index) => sum + one.cpuUs() - (before[index] ?? 0), 0) / amount;
    };
    await half(2_000);
    line.push([count, await half(5_000)]);
    await Promise.all(replicas.map((one) => one.stop()));
  }
  await drop();
  return {
    title: "by replicas",
    x: "replicas on PostgreSQL",
    y: "µs of CPU for user.create, all replicas",
    lines: { "user.create": line },
  };
}

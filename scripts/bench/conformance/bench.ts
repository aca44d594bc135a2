// Our suite and its peers against the same broken servers: how many of them does each tool find?
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../../../conformance/client/random.ts";
import { mutants } from "../../../conformance/mutants/index.ts";
import { type Mutant, OUTCOME } from "../../../conformance/mutants/mutant.ts";
import { nameOf } from "../../../conformance/mutants/points.ts";
import type { Hooks } from "../../../conformance/mutants/proxy/message.ts";
import { startProxy } from "../../../conformance/mutants/proxy/server.ts";
import { mutantCalled, mutations } from "../../../conformance/mutants/served.ts";
import { type RunningService, startService } from "../../../conformance/test/service.test-kit.ts";
import { type Tally, table } from "./table.ts";
import { type Outcome, runTool, type Tool } from "./tool.ts";
import { dredd } from "./tools/dredd.ts";
import { ours } from "./tools/ours.ts";
import { respect } from "./tools/respect.ts";
import { validator } from "./tools/validator.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "*" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    tool: { type: "string", default: "*" },
    timeout: { type: "string", default: "120" },
    verbose: { type: "boolean", default: false },
  },
});

function usage(text: string): never {
  console.error(text);
  process.exit(2);
}

function integer(name: string, text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : usage(`--${name} must be a whole number`);
}

/** `*` matches any characters. A pattern that matches nothing is an error. */
function matching<T>(option: string, pattern: string, all: readonly T[], nameOf: (one: T) => string): readonly T[] {
  const source = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const regex = new RegExp(`^${source.join(".*")}$`);
  const found = all.filter((one) => regex.test(nameOf(one)));
  return found.length > 0 ? found : usage(`--${option} ${pattern} matches nothing`);
}

/** `size` of them, reproducible by seed, in their original order. */
function sampleOf<T>(all: readonly T[], size: number, seed: number): readonly T[] {
  const next = seededRandom(seed);
  const drawn = all.map((_, index) => ({ index, rank: next() })).sort((one, two) => one.rank - two.rank);
  const kept = new Set(drawn.slice(0, size).map(({ index }) => index));
  return all.filter((_, index) => kept.has(index));
}

const seed = integer("seed", values.seed);
const timeoutS = integer("timeout", values.timeout);
const tools = matching("tool", values.tool, [ours, respect, dredd, validator], ({ name }) => name);
const defects: readonly Pick<Mutant, "id" | "breaks">[] = [
  ...mutants,
  ...mutations().map((one) => ({ id: nameOf(one), breaks: OUTCOME })),
];
const selected = matching("only", values.only, defects, ({ id }) => id);
const chosen = values.sample ? sampleOf(selected, integer("sample", values.sample), seed) : selected;

let runs = 0;

async function judge(hooks: Hooks, tool: Tool, service: RunningService): Promise<Outcome> {
  const credentials = service.credentials;
  // A separate server for each run: mutants have state.
  const broken = await startProxy(hooks, service.url, 0, { credentials: credentials.full, seed });
  const folder = await mkdtemp(path.join(tmpdir(), "atpoint-bench-"));
  try {
    runs += 1;
    const job = { url: broken.url, credentials, service, folder, run: `${process.pid}-${runs}` };
    const outcome = await runTool(tool, job, timeoutS);
    // A mutant that throws is our fault; the result of the tool is ignored.
    if (broken.faults.length > 0) return { ...outcome, verdict: "threw", output: String(broken.faults[0]) };
    if (values.verbose) console.error(outcome.output);
    return outcome;
  } finally {
    await broken.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const says = ({ verdict, seconds }: Outcome) => `${verdict} (${seconds.toFixed(1)} s)`;

/** A separate service for each tool, so that none sees another's records. */
async function withServices(tools: readonly Tool[], use: (services: Map<Tool, RunningService>) => Promise<void>) {
  const services = new Map<Tool, RunningService>();
  try {
    for (const tool of tools) services.set(tool, await startService());
    await use(services);
  } finally {
    for (const service of services.values()) await service.stop();
  }
}

/** Whether a tool passes the right service, through the same proxies. If it is red there, its findings prove nothing. */
async function isHonest(tool: Tool, service: RunningService): Promise<boolean> {
  const outcome = await judge({}, tool, service);
  console.error(`good service: ${tool.name} ${says(outcome)}`);
  if (outcome.verdict === "green") return true;
  const { output } = outcome;
  console.error(`${output.slice(0, 2000)}\n…\n${output.slice(-2000)}\n${tool.name} does not pass the good service`);
  process.exitCode = 1;
  return false;
}

/** No operation deletes a user, so a service is replaced after this many mutants. */
const PER_SERVICE = 10;

const tallies = new Map<Tool, Tally>();
await withServices(tools, async (services) => {
  for (const [tool, service] of services) {
    if (!(await isHonest(tool, service))) continue;
    tallies.set(tool, { name: tool.name, ours: tool === ours, outcomes: new Map(), doubtful: 0 });
  }
});
for (let start = 0; start < chosen.length; start += PER_SERVICE) {
  await withServices([...tallies.keys()], async (services) => {
    for (const [index, defect] of chosen.slice(start, start + PER_SERVICE).entries()) {
      const line: string[] = [];
      for (const [tool, service] of services) {
        const hooks = mutantCalled(defect.id, service.credentials)?.hooks ?? {};
        const outcome = await judge(hooks, tool, service);
        tallies.get(tool)?.outcomes.set(defect.id, outcome);
        line.push(`${tool.name} ${says(outcome)}`);
      }
      console.error(`${start + index + 1}/${chosen.length} ${defect.id}: ${line.join(", ")}`);
    }
    // Records left by mutants must not be the reason why a tool is red.
    for (const [tool, service] of services) {
      const tally = tallies.get(tool);
      if (tally && !(await isHonest(tool, service))) tally.doubtful += 1;
    }
  });
}
console.log(table([...tallies.values()], chosen, { all: defects.length, seed, timeoutS }));

import { pathToFileURL } from "node:url";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { readCredentials } from "../cli/credentials.ts";
import { packaged } from "../packaged.ts";
import { nameOf } from "../requests/points.ts";
import { foundAlone } from "./alone.ts";
import { accepting } from "./broken/accepted.ts";
import { mutants } from "./broken/index.ts";
import { ALLOWED, EQUIVALENT, needless, OPEN, UNSEEN, withoutReason } from "./equivalent.ts";
import type { RunningService } from "./kits/service.test-kit.ts";
import { mutations, triedPoints } from "./points.ts";
import { startProxy } from "./proxy/server.ts";
import { isFound, responseMutant, responseMutantsOf } from "./responses/mutants.ts";
import { record } from "./responses/recording.ts";
import { mutantCalled } from "./served.ts";
import { runAt, seededService } from "./service.ts";

/** What the command uses of its process. */
export interface MutantsIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

interface Serving {
  readonly target: string;
  readonly port: number;
}

interface Alone {
  readonly target: string;
  readonly credentials: string;
}

const lines = (list: readonly string[]) => list.map((line) => `  ${line}\n`).join("");

/**
 * Counts of mutants; survivors without a reason, and reasons that are not needed. The exit code is 0 if there are none of either.
 */
function reported(
  { out }: MutantsIo,
  what: string,
  made: number,
  left: readonly string[],
  reasons: Parameters<typeof needless>[1],
): number {
  const [open, stale] = [withoutReason(left, reasons), needless(left, reasons)];
  out(
    `${made} ${what}, ${made - left.length} caught, ${left.length - open.length} left for a reason\n`,
  );
  if (open.length > 0) out(`No request shows (${open.length}):\n${lines(open)}`);
  if (stale.length > 0) out(`Nothing needs the reason (${stale.length}):\n${lines(stale)}`);
  return open.length + stale.length > 0 ? 1 : 0;
}

/** Every point, in every way, for the cases of every scope. */
function points(io: MutantsIo): number {
  const { tried, left } = triedPoints();
  return reported(io, "points decided wrongly", tried, left, [...EQUIVALENT, ...OPEN]);
}

/** Every change of the responses of a run against its own service. */
async function perturbations(io: MutantsIo): Promise<number> {
  const service = await seededService();
  try {
    // Each row alone, by HEAD and with credentials in the query: pairs have no other kinds of responses.
    const recording = await record(service, { draws: Number.POSITIVE_INFINITY });
    const all = responseMutantsOf(recording);
    const left = all.filter((one) => !isFound(recording, one)).map(({ id }) => id);
    const reasons = [...ALLOWED, ...UNSEEN];
    const found = await foundByRuns(withoutReason(left, reasons), service);
    const names = left.filter((id) => !found.has(id));
    return reported(io, "right responses changed", all.length, names, reasons);
  } finally {
    await service.stop();
  }
}

/** Those that a run finds: golden exchanges and scripts see more than one response. */
async function foundByRuns(
  ids: readonly string[],
  service: RunningService,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const id of ids) {
    const proxy = await startProxy(responseMutant(id), service);
    const { results } = await runAt(proxy.url, service.credentials, { draws: 0, maxFailures: 1 });
    await proxy.close();
    if (results.findings.length > 0) found.add(id);
  }
  return found;
}

/** Each case of the covering set, sent alone to a right deployment: nothing may be found. */
async function alone(
  { out, env }: MutantsIo,
  { target, credentials: file }: Alone,
): Promise<number> {
  const credentials = readCredentials(file, env, packaged.oracle.contract);
  if (!credentials) throw new Error(`${file} has no key that may call everything`);
  const found = await foundAlone(target, credentials);
  out(
    `${packaged.covering?.length} cases, each sent alone: ${found.length} findings\n${lines(found)}`,
  );
  return found.length > 0 ? 1 : 0;
}

/** The first finding of a default run against each deployment that rejects, alters or confuses something right. */
async function accepted({ out }: MutantsIo, seed: number): Promise<number> {
  const service = await seededService();
  const missed: string[] = [];
  let named = 0;
  for (const one of accepting) {
    const proxy = await startProxy(one, service);
    const { results } = await runAt(proxy.url, service.credentials, { seed, maxFailures: 1 });
    await proxy.close();
    const [found] = results.findings;
    if (found && one.of.test(found.requirement)) named += 1;
    if (!found) missed.push(one.id);
    out(`${one.id}: ${found ? `${found.requirement} ${found.aspect}` : "not found"}\n`);
  }
  await service.stop();
  const found = accepting.length - missed.length;
  out(
    `${accepting.length} that must accept more, ${found} found with the seed ${seed}, ${named} by their own rule first\n`,
  );
  return missed.length > 0 ? 1 : 0;
}

/** `npm run mutants -- points | perturbations | accepted | alone | list | serve`: returns the exit code, or null if a mutant is served. */
export async function main(args: readonly string[], io: MutantsIo): Promise<number | null> {
  let code: number | null = 0;
  const command = new Command("mutants").description(
    "Broken servers: a right deployment, with one defect each.",
  );
  command.exitOverride().configureOutput({ writeOut: io.out, writeErr: io.error });
  const adding = (name: string, description: string) =>
    command.command(name).description(description);
  adding("points", "decides every point of the oracle wrongly, for every scope").action(() => {
    code = points(io);
  });
  adding("perturbations", "changes every kind of right response in every way").action(async () => {
    code = await perturbations(io);
  });
  adding("accepted", "rejects, alters or confuses something right, and is found by a default run")
    .option("--seed <seed>", "seed of the runs", number, 1)
    .action(async ({ seed }: { seed: number }) => {
      code = await accepted(io, seed);
    });
  adding(
    "alone",
    "sends each case of the covering set alone to a right deployment, where nothing may be found",
  )
    .requiredOption("--target <url>", "base URL of the right deployment", address)
    .requiredOption("--credentials <file>", "its keys, as `keys conformance` writes them")
    .action(async (options: Alone) => {
      code = await alone(io, options);
    });
  adding("list", "the ids of points and of what is written by hand").action(() => {
    io.out(
      [...mutants.map(({ id }) => id), ...mutations().map(nameOf)].map((id) => `${id}\n`).join(""),
    );
  });
  adding(
    "serve",
    "serves a deployment with one defect; key and platform come from API_KEY and PLATFORM",
  )
    .argument(
      "<id>",
      "which one (see list), or a changed response: operation 200 application/json drops /member",
    )
    .requiredOption("--target <url>", "base URL of the good deployment", address)
    .option("--port <port>", "port on 127.0.0.1; 0 takes a free one", number, 0)
    .action(async (id: string, { target, port }: Serving, self: Command) => {
      const { API_KEY: key, PLATFORM: platform = "web" } = io.env;
      const credentials = { full: { key: key ?? "none", platform }, special: {} };
      const mutant = mutantCalled(id, credentials) ?? self.error(`no mutant is called ${id}`);
      const onFault = (fault: unknown) =>
        io.error(`A fault of this proxy, not of the target: ${fault}\n`);
      const { url } = await startProxy(
        mutant,
        { url: target, ...(key && { credentials }) },
        { port, onFault },
      );
      io.out(`${url}: ${id}\n`);
      code = null;
    });
  try {
    await command.parseAsync(args, { from: "user" });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    io.error(`${thrown instanceof Error ? thrown.message : thrown}\n`);
    return 3;
  }
}

function address(text: string): string {
  if (!URL.canParse(text) || !/^https?:/i.test(text))
    throw new InvalidArgumentError("an http or https URL is needed");
  return text;
}

function number(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError("a port is needed");
  return Number(text);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  // A reader that closes the pipe, such as `head`, is no fault.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const code = await main(process.argv.slice(2), {
    env: process.env,
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  });
  if (code !== null) process.exitCode = code;
}

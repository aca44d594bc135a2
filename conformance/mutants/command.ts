import { pathToFileURL } from "node:url";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { checks } from "../checks/index.ts";
import { outliveReaders } from "../cli/reader-gone.ts";
import { mutants } from "./index.ts";
import { onServices } from "./laboratory.ts";
import { judgeOf, type Matrix, readMatrix, readOnly, writeMatrix, writeOnly } from "./matrix.ts";
import { onlyKillers } from "./only.ts";
import { startProxy } from "./proxy/server.ts";
import { record } from "./record.ts";
import { needed, plan, replay } from "./replay.ts";
import { senders } from "./trial.ts";

/** What the command needs of its process. */
export interface MutantsIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

interface Choice {
  readonly mutants: RegExp;
  readonly checks: RegExp;
  readonly all?: boolean;
}

interface Serving {
  readonly target: string;
  readonly mutant: string;
  readonly port: number;
}

const lines = (list: readonly string[]) => list.map((line) => `  ${line}\n`).join("");

const chosen = (choice: Choice) => ({
  mutants: mutants.filter(({ id }) => choice.mutants.test(id)),
  checks: senders.filter(({ id }) => choice.checks.test(id)),
});

/** Mutants that nobody catches, and checks that catch nobody, in words. */
function open(matrix: Matrix, { checks }: Choice): string {
  const survivors = Object.entries(matrix).flatMap(([id, kills]) => (kills.length === 0 ? [id] : []));
  const red = new Set(Object.values(matrix).flatMap((kills) => kills.map(judgeOf)));
  const idle = senders.flatMap(({ id }) => (checks.test(id) && !red.has(id) ? [id] : []));
  return `Not caught (${survivors.length}):\n${lines(survivors)}Catch nothing (${idle.length}):\n${lines(idle)}`;
}

async function recordChosen(choice: Choice, { out, error }: MutantsIo): Promise<void> {
  const started = performance.now();
  const some = chosen(choice);
  const ids = new Set(mutants.map(({ id }) => id));
  // What a mutant caught that is gone, no check catches any more.
  const before = Object.fromEntries(Object.entries(readMatrix()).filter(([id]) => ids.has(id)));
  const others = Object.entries(before).filter(([id]) => !choice.mutants.test(id));
  const tell = (line: string) => error(`${((performance.now() - started) / 1000).toFixed(0)} s: ${line}\n`);
  const save = (known: Matrix) => writeMatrix({ ...Object.fromEntries(others), ...known });
  const recorded = await record(some.mutants, some.checks, { previous: choice.all ? {} : before, tell, save });
  const matrix = needed({ ...Object.fromEntries(others), ...recorded }, mutants, senders);
  writeMatrix(matrix);
  out(open(matrix, choice));
}

/** `npm run mutants -- record | replay | only | serve`: returns the exit code, or null where a mutant is served. */
export async function main(args: readonly string[], io: MutantsIo): Promise<number | null> {
  let code: number | null = 0;
  const choosing = (name: string, description: string) =>
    new Command(name)
      .description(description)
      .option("--mutants <regex>", "only these mutants", pattern, /(?:)/)
      .option("--checks <regex>", "only by these checks", pattern, /(?:)/);
  const commands = [
    choosing("record", "tries what nothing is known of, and writes matrix.json")
      .option("--all", "everything anew")
      .action((choice: Choice) => recordChosen(choice, io)),
    choosing("replay", "tries again one recorded kill for each mutant and each check").action(
      async (choice: Choice) => {
        const some = chosen(choice);
        const planned = plan(readMatrix(), some.mutants, some.checks);
        const lost = await onServices((bench) => replay(planned, bench));
        io.out(lines(lost));
        if (lost.length > 0) code = 1;
      },
    ),
    new Command("only")
      .description("tries anew which mutants one check alone catches, and writes only.json")
      .option("--checks <regex>", "only for these checks", pattern, /(?:)/)
      .action(async ({ checks: some }: Pick<Choice, "checks">) => {
        const tried = checks.filter(({ id }) => some.test(id));
        const others = Object.entries(readOnly()).filter(([id]) =>
          checks.some((one) => one.id === id && !some.test(id)),
        );
        const found = await onlyKillers(mutants, tried, readMatrix(), (line) => io.error(`${line}\n`));
        writeOnly({ ...Object.fromEntries(others), ...found });
      }),
    new Command("serve")
      .description("serves a deployment with one defect; key and platform come from API_KEY and PLATFORM")
      .requiredOption("--target <url>", "base URL of the good deployment", address)
      .requiredOption("--mutant <id>", "which one (see matrix.json)")
      .option("--port <port>", "port on 127.0.0.1; 0 takes a free one", number, 0)
      .action(async ({ target, mutant: id, port }: Serving, self: Command) => {
        const mutant =
          mutants.find((one) => one.id === id) ?? self.error(`no mutant is called ${id}; matrix.json names them`);
        const { API_KEY: key, PLATFORM: platform = "web" } = io.env;
        const { url } = await startProxy(mutant.hooks, target, port, key ? { credentials: { key, platform } } : {});
        io.out(`${url}: ${id}\n`);
        code = null;
      }),
  ];
  const command = new Command("mutants").description("Broken servers: a right deployment, with one defect each.");
  for (const one of commands) command.addCommand(one);
  for (const one of [command, ...commands])
    one.exitOverride().configureOutput({ writeOut: io.out, writeErr: io.error });
  try {
    await command.parseAsync(args, { from: "user" });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    io.error(`${thrown instanceof Error ? thrown.message : thrown}\n`);
    return 3;
  }
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new InvalidArgumentError("a regular expression is needed");
  }
}

function address(text: string): string {
  if (!URL.canParse(text) || !/^https?:/i.test(text)) throw new InvalidArgumentError("an http or https URL is needed");
  return text;
}

function number(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError("a port is needed");
  return Number(text);
}

/* v8 ignore next 9 -- @preserve: the shell's way in; tests call `main`. */
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  outliveReaders();
  const code = await main(process.argv.slice(2), {
    env: process.env,
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  });
  if (code !== null) process.exitCode = code;
}

import { Command, InvalidArgumentError } from "commander";
import { outliveReaders } from "../cli/reader-gone.ts";
import { mutants } from "./index.ts";
import { type Matrix, readMatrix, writeMatrix } from "./matrix.ts";
import { startProxy } from "./proxy/server.ts";
import { record } from "./record.ts";
import { plan, replay } from "./replay.ts";
import { senders } from "./trial.ts";

/** `npm run mutants -- record | replay | list | serve`: the broken servers that prove the suite. */

const started = performance.now();
const tell = (line: string) =>
  process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0)} s: ${line}\n`);

function pattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new InvalidArgumentError("a regular expression is needed");
  }
}

interface Choice {
  readonly mutants: RegExp;
  readonly checks: RegExp;
  readonly all?: boolean;
}

const chosen = (choice: Choice) => ({
  mutants: mutants.filter(({ id }) => choice.mutants.test(id)),
  checks: senders.filter(({ id }) => choice.checks.test(id)),
});

const choosing = (name: string, description: string) =>
  new Command(name)
    .description(description)
    .option("--mutants <regex>", "only these mutants", pattern, /(?:)/)
    .option("--checks <regex>", "only by these checks", pattern, /(?:)/);

const command = new Command("mutants").description("Broken servers: a right deployment, with one defect each.");

command.addCommand(
  choosing("record", "Tries what nothing is known of, and writes matrix.json.")
    .option("--all", "everything anew")
    .action(async (choice: Choice) => {
      const some = chosen(choice);
      const before = readMatrix();
      const ids = new Set(mutants.map(({ id }) => id));
      const untouched = Object.entries(before).filter(([id]) => ids.has(id) && !choice.mutants.test(id));
      const recorded = await record(some.mutants, some.checks, choice.all ? {} : before, tell);
      writeMatrix({ ...Object.fromEntries(untouched), ...recorded });
      report(recorded, choice);
    }),
);

/** What is open, in words: mutants that nobody catches, checks that catch nobody. */
function report(matrix: Matrix, { checks }: Choice): void {
  const survivors = Object.entries(matrix).flatMap(([id, kills]) => (kills?.length === 0 ? [id] : []));
  const red = new Set(
    Object.values(matrix).flatMap((kills) => (kills ?? []).map((kill) => kill.replace(/[@ ].*$/s, ""))),
  );
  const idle = senders.filter(({ id }) => checks.test(id) && !red.has(id)).map(({ id }) => id);
  process.stdout.write(
    `Not caught (${survivors.length}):\n${lines(survivors)}Catch nothing (${idle.length}):\n${lines(idle)}`,
  );
}

const lines = (list: readonly string[]) => list.map((line) => `  ${line}\n`).join("");

command.addCommand(
  choosing("replay", "Tries again one recorded kill for each mutant and each check.").action(async (choice: Choice) => {
    const some = chosen(choice);
    const lost = await replay(plan(readMatrix(), some.mutants, some.checks));
    process.stdout.write(lines(lost));
    if (lost.length > 0) process.exitCode = 1;
  }),
);

command.addCommand(
  choosing("list", "Lists the mutants with the checks that were seen to catch them.").action((choice: Choice) => {
    const matrix = readMatrix();
    for (const { id } of chosen(choice).mutants) process.stdout.write(`${id}\n${lines(matrix[id] ?? [])}`);
  }),
);

command.addCommand(
  new Command("serve")
    .description("Serves a deployment with one defect; key and platform come from API_KEY and PLATFORM.")
    .requiredOption("--target <url>", "base URL of the good deployment")
    .requiredOption("--mutant <id>", "which one (see list)")
    .option("--port <port>", "port on 127.0.0.1; 0 takes a free one", Number, 0)
    .action(async ({ target, mutant: id, port }: { target: string; mutant: string; port: number }, self: Command) => {
      const mutant = mutants.find((one) => one.id === id);
      if (!mutant) return self.error(`no mutant is called ${id}; list names them`, { exitCode: 2 });
      const { API_KEY: key, PLATFORM: platform = "web" } = process.env;
      const { url } = await startProxy(mutant.hooks, target, port, key ? { credentials: { key, platform } } : {});
      process.stdout.write(`${url}: ${id}\n`);
    }),
);

outliveReaders();
await command.parseAsync();

import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Command, CommanderError } from "commander";
import type { Definition } from "../definition.ts";
import { readConfig } from "../settings/config.ts";
import { environment, misspeltSettings } from "../settings/environment.ts";
import { packageRoot, packageVersion } from "../settings/package.ts";
import { addBackupCommands } from "./backup-commands.ts";
import { failureText } from "./failure.ts";
import { addKeyCommands } from "./key-commands.ts";
import { type Cli, type Outputs, withUnmigrated } from "./terminal.ts";

/** Adds commands of a service. */
export type AddCommand = (program: Command, cli: Cli) => void;

/** What a command uses of its environment; a test passes its own. */
interface Terminal extends Outputs {
  /** May throw `ConfigError`, when a file of variables is invalid. */
  readonly env: NodeJS.ProcessEnv;
}

/** Runs one command as this process, which ends with its exit code. */
export async function runProcess(
  given: Definition,
  args: readonly string[],
  commands: readonly AddCommand[] = [],
): Promise<void> {
  const { stdout, stderr } = process;
  const report = (error: unknown) => stderr.write(`${failureText(error)}\n`);
  // These cannot be reported anywhere. A log that cannot be written is no reason to stop serving,
  // and has a counter of its own.
  stderr.on("error", () => {});
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // `| head -1` has read enough.
    if (args[0] === "serve" || error.code === "EPIPE") return;
    process.exitCode = 1;
    report(error);
  });
  // Node would print the whole message: an error of url.parse() contains the URL, an error of a
  // driver the row.
  process.removeAllListeners("warning").on("warning", report);
  process.on("uncaughtException", (error) => {
    // Once it serves, the service closes by itself.
    if (process.listenerCount("uncaughtException") > 1) return;
    report(error);
    process.exit(1);
  });
  // A command may be a link to the file.
  const root = given.root ?? packageRoot(pathToFileURL(realpathSync(process.argv[1] ?? "")));
  const definition = { ...given, root };
  for (const warning of misspeltSettings(definition)) stderr.write(`${warning}\n`);
  const terminal = {
    get env() {
      return environment(definition);
    },
    stdout,
    stderr,
  };
  const code = await runCli(definition, args, terminal, commands);
  process.exitCode ||= code;
}

/**
 * Runs one command; `args` are without the interpreter and the file. Exit code 0: done, 1: failed
 * or rejected, 2: wrong usage.
 */
export async function runCli(
  definition: Definition,
  args: readonly string[],
  terminal: Terminal,
  commands: readonly AddCommand[] = [],
): Promise<number> {
  const { stdout, stderr } = terminal;
  const config: Cli["config"] = (changes) =>
    readConfig({ ...terminal.env, ...changes }, definition);
  try {
    const cli = { service: definition, config, stdout, stderr };
    await program(definition, cli, commands).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    // Commander has already printed what is wrong, or the help that was requested.
    if (error instanceof CommanderError)
      return /^commander\.(helpDisplayed|version)$/.test(error.code) ? 0 : 2;
    stderr.write(`${failureText(error)}\n`);
    return 1;
  }
}

function program(definition: Definition, cli: Cli, commands: readonly AddCommand[]): Command {
  const { stdout, stderr } = cli;
  const { name, contract } = definition;
  const root = new Command(name)
    .description("One HTTP endpoint, every operation at @.")
    .version(`${name} ${packageVersion(definition.root)}, contract ${contract.version}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
    });

  const noMigrate =
    "change no table, and fail to start when a migration is pending: for a role without " +
    "the right to migrate";
  root
    .command("serve")
    .description("serve until SIGTERM or SIGINT")
    .option("--no-migrate", noMigrate)
    // Loaded only here: the other commands need neither Koa nor the documents.
    .action(async ({ migrate }) => (await import("./serve.ts")).serve(definition, cli, migrate));

  root
    .command("migrate")
    .description("create or update the tables of the database")
    .action(async () => {
      let created = "";
      const print = (line: string) => {
        created = line;
      };
      const applied = await withUnmigrated(cli, (storage) => storage.migrate(), "always", print);
      const done =
        applied.length > 0 ? `Applied ${applied.join(", ")}.` : "There was nothing to apply.";
      // At once: output that nothing takes is reported once.
      stdout.write(`${created}${done} The database is up to date.\n`);
    });

  for (const add of [addKeyCommands, ...commands, addBackupCommands]) add(root, cli);

  root
    .command("doctor")
    .description("report what is wrong with this deployment and how to correct it; changes nothing")
    .option("--json", "print one JSON array")
    .action(async (given) => (await import("./doctor.ts")).doctor(definition, cli, given));

  return root;
}

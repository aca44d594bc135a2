import { Command, CommanderError } from "commander";
import { contract } from "../../generated/operations.ts";
import { readConfig } from "../config.ts";
import { packageVersion } from "../package.ts";
import { addBackupCommands } from "./backup-commands.ts";
import { failureText } from "./failure.ts";
import { addKeyCommands } from "./key-commands.ts";
import type { Terminal } from "./terminal.ts";
import { addUserCommands } from "./user-commands.ts";
import { withUnmigrated } from "./with-storage.ts";

/** Runs one command; `argv` is without the interpreter and the file. Exit code 0: done, 1: failed or rejected, 2: wrong usage. */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await program(terminal).parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    // Commander has already printed what is wrong, or the help that was requested.
    if (error instanceof CommanderError) return /^commander\.(helpDisplayed|version)$/.test(error.code) ? 0 : 2;
    terminal.stderr.write(`${failureText(error)}\n`);
    return 1;
  }
}

function program(terminal: Terminal): Command {
  const { env, stdout, stderr } = terminal;
  const atpoint = new Command("atpoint")
    .description("One HTTP endpoint, every operation at @.")
    .version(`atpoint ${packageVersion()}, contract ${contract.version}`)
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });

  atpoint
    .command("serve")
    .description("serve until SIGTERM or SIGINT")
    .option(
      "--no-migrate",
      "change no table, and fail to start when a migration is pending: for a role without the right to migrate",
    )
    // Loaded only here: the other commands need neither Koa nor the documents.
    .action(async ({ migrate }: { migrate: boolean }) =>
      (await import("./serve.ts")).serve(terminal, { migrates: migrate }),
    );

  atpoint
    .command("migrate")
    .description("create or update the tables of the database")
    .action(async () => {
      let created = "";
      const print = (line: string) => {
        created = line;
      };
      const applied = await withUnmigrated(readConfig(env), "anew", (storage) => storage.migrate(), print);
      const done = applied.length > 0 ? `Applied ${applied.join(", ")}.` : "There was nothing to apply.";
      stdout.write(`${created}${done} The database is up to date.\n`);
    });

  addKeyCommands(atpoint, terminal);

  addUserCommands(atpoint, terminal);
  addBackupCommands(atpoint, terminal);

  atpoint
    .command("doctor")
    .description("report what is wrong with this deployment and how to correct it; changes nothing")
    .option("--json", "print one JSON array")
    .action(async (given: { json?: true }) => (await import("./doctor.ts")).doctor(terminal, given));

  return atpoint;
}

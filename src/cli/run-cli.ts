import { Command, CommanderError } from "commander";
import { contract } from "../../generated/operations.ts";
import { readConfig } from "../config.ts";
import { failureText } from "./failure.ts";
import { addKeyCommands } from "./key-commands.ts";
import type { Terminal } from "./terminal.ts";
import { withStorage } from "./with-storage.ts";

/** E-mail addresses that the conformance suite registers, in lower case, as LIKE patterns; the longest needs a longer domain. */
const conformanceEmails = ["conformance+%@example.com", "conformance+%@%.example.com"];

/** Runs one command, `argv` without the interpreter and the file. Exit code 0: done, 1: it failed or was refused, 2: wrong usage. */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await program(terminal).parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    // Commander has said what is wrong by itself, or has shown the help that was asked for.
    if (error instanceof CommanderError) return /^commander\.(helpDisplayed|version)$/.test(error.code) ? 0 : 2;
    terminal.stderr.write(`${failureText(error)}\n`);
    return 1;
  }
}

function program(terminal: Terminal): Command {
  const { env, stdout, stderr } = terminal;
  const atpoint = new Command("atpoint")
    .description("One HTTP endpoint, every operation at @.")
    .version(contract.version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });

  atpoint
    .command("serve")
    .description("serve until SIGTERM or SIGINT")
    // Loaded only here: the other commands need neither Koa nor the documents.
    .action(async () => (await import("./serve.ts")).serve(terminal));

  atpoint
    .command("migrate")
    .description("create or update the tables of the database")
    .action(async () => {
      await withStorage(readConfig(env), "anew", async () => {});
      stdout.write("The database is up to date.\n");
    });

  addKeyCommands(atpoint, terminal);

  atpoint
    .command("users")
    .description("users")
    .command("purge-conformance")
    .description(`delete the users that the conformance suite has created (${conformanceEmails.join(", ")})`)
    .action(async () => {
      const purged = await withStorage(readConfig(env), "never", async ({ stores }) => {
        let count = 0;
        for (const pattern of conformanceEmails) count += await stores.users.purge(pattern);
        return count;
      });
      stdout.write(`Deleted ${purged} users.\n`);
    });

  return atpoint;
}

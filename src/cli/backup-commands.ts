import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { InputFault, SafeError } from "../log/safe-error.ts";
import { databasePlace } from "../storage/driver.ts";
import { refuseServed, restore } from "../storage/restore.ts";
import type { TableSum } from "../storage/table-rows.ts";
import { readBackup, writeBackup } from "./backup-file.ts";
import { failureText } from "./failure.ts";
import { counted } from "./table.ts";
import type { Terminal } from "./terminal.ts";
import { withUnmigrated } from "./with-storage.ts";

/** `backup`, `restore` and `move`: the same parts, written to a file, read from a file, or copied from one database to another. */
export function addBackupCommands(program: Command, { env, stdout }: Terminal): void {
  const tell = (done: string, sums: readonly TableSum[]) => {
    const tables = sums.map(({ table, rows, digest }) => `  ${table}: ${counted(rows, "row")}, SHA-256 ${digest}\n`);
    stdout.write(`${done}, counted and compared:\n${tables.join("")}`);
  };

  const print = (line: string) => void stdout.write(line);

  program
    .command("backup")
    .description("write all that the database holds, as of one moment, to a new file; the service may go on")
    .argument("<file>", "where to")
    .action(async (file: string) => {
      await withUnmigrated(readConfig(env), "never", (storage) => writeBackup(file, storage.dump()));
      stdout.write(`Backed up to ${file}.\n`);
    });

  program
    .command("restore")
    .description("put a backup into the database, of either kind; not while a SQLite file is served")
    .argument("<file>", "made by `backup`")
    .option("--replace", "lose what is in the database")
    .action(async (file: string, { replace = false }: { replace?: boolean }) => {
      tell(`Restored ${file}`, await restore(readConfig(env), readBackup(file), replace, print));
    });

  program
    .command("move")
    .description("copy all of one database into another, of either kind; stop the service first")
    .requiredOption("--from <url>", "the old one, as in DATABASE_URL")
    .option("--to <url>", "the new one; DATABASE_URL by default")
    .option("--replace", "lose what is in the new one")
    .action(async ({ from, to, replace = false }: { from: string; to?: string; replace?: boolean }) => {
      const sums = await calling("--from", async () => {
        const source = readConfig({ ...env, DATABASE_URL: from });
        await refuseServed(source);
        return withUnmigrated(source, "never", (storage) =>
          calling(to === undefined ? "DATABASE_URL" : "--to", () => {
            const target = readConfig({ ...env, ...(to !== undefined && { DATABASE_URL: to }) });
            if (databasePlace(source.database.url) === databasePlace(target.database.url))
              throw new InputFault("--from and DATABASE_URL name one database.");
            return restore(target, partsCalling("--from", storage.dump()), replace, print);
          }),
        );
      });
      tell("Moved", sums);
    });
}

/** A failure that is reported with the option, or the variable, that named the database. */
class Called extends SafeError {}

function called(option: string, error: unknown): Called {
  if (error instanceof Called) return error;
  return new Called(failureText(error).replaceAll("DATABASE_URL", option), { cause: error });
}

async function calling<T>(option: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw called(option, error);
  }
}

async function* partsCalling<T>(option: string, parts: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* parts;
  } catch (error) {
    throw called(option, error);
  }
}

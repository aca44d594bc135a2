import { existsSync } from "node:fs";
import type { Command } from "commander";
import { SafeError, UsageError } from "../safe-error.ts";
import { sqlitePath } from "../storage/address.ts";
import { move, openAlone } from "../storage/move.ts";
import { openStorage } from "../storage/storage.ts";
import { failureText } from "./failure.ts";
import { writeSecretFile } from "./secret-file.ts";
import { type Cli, counted, withUnmigrated } from "./terminal.ts";

/** `backup`: a copy of a SQLite database. `move`: from SQLite to PostgreSQL. */
export function addBackupCommands(program: Command, cli: Cli): void {
  const { stdout, service } = cli;
  program
    .command("backup")
    .description("copy a SQLite database to a new file, as of one moment; the service may go on")
    .argument("<file>", "where to")
    .action(async (file: string) => {
      if (sqlitePath(cli.config().database.url) === null)
        throw new UsageError(
          "DATABASE_URL names a PostgreSQL database: use pg_dump, and pg_restore.",
        );
      if (existsSync(file)) throw new UsageError(`${file} exists: name another file.`);
      await withUnmigrated(cli, ({ backUp }) => writeSecretFile(file, "", backUp));
      stdout.write(`Backed up to ${file}, a database that DATABASE_URL may name.\n`);
    });

  program
    .command("move")
    .description("copy all of a SQLite database into a PostgreSQL database; stop the service first")
    .requiredOption("--from <url>", "the SQLite database, as in DATABASE_URL")
    .option("--to <url>", "the PostgreSQL database; DATABASE_URL by default")
    .option("--replace", "lose what is in the PostgreSQL database")
    .action(
      async ({ from, to, replace = false }: { from: string; to?: string; replace?: boolean }) => {
        const path = await calling("--from", async () => {
          const named = sqlitePath(cli.config({ DATABASE_URL: from }).database.url);
          if (named === null) throw new UsageError("--from must be sqlite:PATH.");
          return named;
        });
        const moved = await calling(to === undefined ? "DATABASE_URL" : "--to", async () => {
          const config = cli.config(to === undefined ? {} : { DATABASE_URL: to });
          const { database } = config;
          if (sqlitePath(database.url) !== null)
            throw new UsageError(
              `DATABASE_URL must be postgres://…: \`${service.name} backup\` copies a SQLite database.`,
            );
          const source = await calling("--from", () =>
            openAlone(path, database.service, service.migrations),
          );
          const reading = <T>(rows: AsyncIterable<T>) => partsCalling("--from", rows);
          const target = openStorage(config, service, "never", (line) => stdout.write(line));
          return target
            .migrate()
            .finally(() => target.close())
            .then(() => move(source, database, service.migrations, replace, reading))
            .finally(() => source.destroy());
        });
        const tables = moved.map(
          ({ table, rows, digest }) => `  ${table}: ${counted(rows, "row")}, SHA-256 ${digest}\n`,
        );
        stdout.write(`Moved, counted and compared:\n${tables.join("")}`);
      },
    );
}

/** A failure that is reported with the option, or the variable, that named the database. */
class Called extends SafeError {}

function called(option: string, error: unknown): Called {
  if (error instanceof Called) return error;
  return new Called(failureText(error).replaceAll("DATABASE_URL", option), { cause: error });
}

const calling = <T>(option: string, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => Promise.reject(called(option, error)));

async function* partsCalling<T>(option: string, parts: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* parts;
  } catch (error) {
    throw called(option, error);
  }
}

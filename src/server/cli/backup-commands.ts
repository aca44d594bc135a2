import { existsSync } from "node:fs";
import type { Command } from "commander";
import { SafeError, UsageError } from "../log/safe-error.ts";
import { readConfig } from "../settings/config.ts";
import { sqlitePath } from "../storage/address.ts";
import { move, openAlone } from "../storage/move.ts";
import { failureText } from "./failure.ts";
import { writeSecretFile } from "./secret-file.ts";
import { counted, type Terminal, withUnmigrated } from "./terminal.ts";

/** `backup`: a copy of a SQLite database. `move`: from SQLite to PostgreSQL. */
export function addBackupCommands(program: Command, { env, stdout }: Terminal): void {
  program
    .command("backup")
    .description("copy a SQLite database to a new file, as of one moment; the service may go on")
    .argument("<file>", "where to")
    .action(async (file: string) => {
      const config = readConfig(env);
      if (sqlitePath(config.database.url) === null)
        throw new UsageError("DATABASE_URL names a PostgreSQL database: use pg_dump, and pg_restore.");
      if (existsSync(file)) throw new UsageError(`${file} exists: name another file.`);
      await withUnmigrated(config, (storage) => writeSecretFile(file, "", storage.backUp));
      stdout.write(`Backed up to ${file}, a database that DATABASE_URL may name.\n`);
    });

  program
    .command("move")
    .description("copy all of a SQLite database into a PostgreSQL database; stop the service first")
    .requiredOption("--from <url>", "the SQLite database, as in DATABASE_URL")
    .option("--to <url>", "the PostgreSQL database; DATABASE_URL by default")
    .option("--replace", "lose what is in the PostgreSQL database")
    .action(async ({ from, to, replace = false }: { from: string; to?: string; replace?: boolean }) => {
      const path = await calling("--from", () => {
        const named = sqlitePath(readConfig({ ...env, DATABASE_URL: from }).database.url);
        if (named === null) throw new UsageError("--from must be sqlite:PATH.");
        return named;
      });
      const option = to === undefined ? "DATABASE_URL" : "--to";
      const moved = await calling(option, async () => {
        const { database } = readConfig({ ...env, ...(to !== undefined && { DATABASE_URL: to }) });
        if (sqlitePath(database.url) !== null)
          throw new UsageError("DATABASE_URL must be postgres://…: `atpoint backup` copies a SQLite database.");
        const source = await calling("--from", () => openAlone(path));
        const reading = <T>(rows: AsyncIterable<T>) => partsCalling("--from", rows);
        return move(source, database, replace, reading, (line) => stdout.write(line)).finally(() => source.destroy());
      });
      const tables = moved.map(({ table, rows, digest }) => `  ${table}: ${counted(rows, "row")}, SHA-256 ${digest}\n`);
      stdout.write(`Moved, counted and compared:\n${tables.join("")}`);
    });
}

/** A failure that is reported with the option, or the variable, that named the database. */
class Called extends SafeError {}

function called(option: string, error: unknown): Called {
  if (error instanceof Called) return error;
  return new Called(failureText(error).replaceAll("DATABASE_URL", option), { cause: error });
}

async function calling<T>(option: string, work: () => T | Promise<T>): Promise<T> {
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

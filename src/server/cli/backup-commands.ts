import { existsSync } from "node:fs";
import type { Command } from "commander";
import { ExpectedError, UsageError } from "../expected-error.ts";
import { sqlitePath } from "../storage/address.ts";
import { move, openAlone } from "../storage/move.ts";
import { openStorage } from "../storage/storage.ts";
import { failureText } from "./failure.ts";
import { writeSecretFile } from "./secret-file.ts";
import { type Cli, pluralize, withUnmigrated } from "./terminal.ts";

/** `backup`: a copy of a SQLite database. `move`: from SQLite to PostgreSQL. */
export function addBackupCommands(program: Command, cli: Cli): void {
  const { stdout, service } = cli;
  program
    .command("backup")
    .description("copy a SQLite database to a new file, as of one moment; the service may go on")
    .argument("<file>", "where to")
    .action(async (file: string) => {
      if (sqlitePath(cli.config().DATABASE_URL) === null)
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
        const path = await attributing("--from", async () => {
          const named = sqlitePath(cli.config({ DATABASE_URL: from }).DATABASE_URL);
          if (named === null) throw new UsageError("--from must be sqlite:PATH.");
          return named;
        });
        const moved = await attributing(to === undefined ? "DATABASE_URL" : "--to", async () => {
          const config = cli.config(to === undefined ? {} : { DATABASE_URL: to });
          if (sqlitePath(config.DATABASE_URL) !== null)
            throw new UsageError(
              `DATABASE_URL must be postgres://…: \`${service.name} backup\` copies a ` +
                "SQLite database.",
            );
          const source = await attributing("--from", () =>
            openAlone(path, config, service.migrations),
          );
          const reading = <T>(rows: AsyncIterable<T>) => attributingRows("--from", rows);
          const target = openStorage(config, service, "never", (line) => stdout.write(line));
          return target
            .migrate()
            .finally(() => target.close())
            .then(() => move(source, config, service.migrations, replace, reading))
            .finally(() => source.destroy());
        });
        const tables = moved.map(
          ({ table, rows, digest }) => `  ${table}: ${pluralize(rows, "row")}, SHA-256 ${digest}\n`,
        );
        stdout.write(`Moved, counted and compared:\n${tables.join("")}`);
      },
    );
}

/** A failure that is reported with the option, or the variable, that named the database. */
class AttributedError extends ExpectedError {}

function attribute(option: string, error: unknown): AttributedError {
  if (error instanceof AttributedError) return error;
  const text = failureText(error).replaceAll("DATABASE_URL", option);
  return new AttributedError(text, { cause: error });
}

const attributing = <T>(option: string, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => Promise.reject(attribute(option, error)));

async function* attributingRows<T>(option: string, rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows;
  } catch (error) {
    throw attribute(option, error);
  }
}

import { contract } from "../../generated/operations.ts";
import { InputFault } from "../log/safe-error.ts";
import { begin } from "./begin.ts";
import type { Driver } from "./driver.ts";
import { migrationState, tableNames } from "./migrate.ts";
import { columnsOf, pages, sumOf, type TableSum } from "./table-rows.ts";
import { judged } from "./unavailable.ts";

/** The head of a backup. */
export interface BackupHead {
  readonly atpoint: "backup";
  readonly format: 1;
  /** The version of the release that wrote it. */
  readonly version: string;
  readonly createdAt: string;
  readonly migrations: readonly string[];
  /** In the order in which they follow. */
  readonly tables: readonly string[];
}

/** The head of a table; its rows follow, each an array in the order of the columns. */
export interface TableHead {
  readonly table: string;
  readonly columns: readonly string[];
}

export type BackupPart = BackupHead | TableHead | readonly unknown[] | TableSum;

/** See `Storage.dump`. It changes nothing, so it does not migrate either: a backup can be created before a new release migrates. */
export async function* dump(driver: Driver): AsyncGenerator<BackupPart> {
  try {
    driver.check();
    const database = await begin(driver.reader, driver.snapshot);
    try {
      const { applied, newer } = await migrationState(database);
      if (newer.length > 0)
        throw new InputFault(`A newer release has migrated the database (${newer.join(", ")}): use that one.`);
      const tables: string[] = [];
      // One after the other: they share the connection of the transaction.
      for (const table of tableNames) if (await database.schema.hasTable(table)) tables.push(table);
      const createdAt = new Date().toISOString();
      yield { atpoint: "backup", format: 1, version: contract.version, createdAt, migrations: applied, tables };
      for (const table of tables) {
        const columns = await columnsOf(database, table);
        yield { table, columns: [...columns.keys()] };
        const sum = sumOf(table);
        for await (const page of pages(database, table, columns, driver.time))
          for (const row of page) {
            sum.add(row);
            yield row;
          }
        yield sum.end();
      }
    } finally {
      await database.rollback();
    }
  } catch (error) {
    throw judged(error);
  }
}

// What commands have in common: where they print, and how they open the database.

import type { Contract } from "../contract.ts";
import type { Config } from "../settings/config.ts";
import type { ServiceNames } from "../settings/variables.ts";
import { databaseName } from "../storage/address.ts";
import { foreignDatabaseError } from "../storage/migrate.ts";
import type { CreateMode } from "../storage/sqlite-file.ts";
import { openStorage, type Storage, type StorageDefinition } from "../storage/storage.ts";

export type Outputs = Readonly<
  Record<"stdout" | "stderr", { write(text: string): unknown; readonly isTTY?: boolean }>
>;

/** What a command works with. */
export interface Cli extends Outputs {
  readonly service: ServiceNames & StorageDefinition & { readonly contract: Contract };
  /** The settings, some of them changed. Throws `ConfigError`. */
  readonly config: (changes?: NodeJS.ProcessEnv) => Config;
}

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** `1 user`, `2 users`. */
export const pluralize = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : "s"}`;

/**
 * A column is not padded beyond this, so one long value does not widen every row; nothing is cut.
 */
const WIDEST = 40;

/** Rows in columns as wide as necessary. The last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const width = (index: number) =>
    Math.min(WIDEST, Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const widths = rows[0]?.map((_, at) => width(at)) ?? [];
  const line = (row: readonly string[]) =>
    row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}

/**
 * Runs `work` on the database without migrating it. Where there is none, `mode` decides whether one
 * is created. Throws `UsageError`.
 */
export async function withUnmigrated<T>(
  { service, config }: Pick<Cli, "service" | "config">,
  work: (storage: Storage) => Promise<T>,
  mode: CreateMode = "never",
  print?: (line: string) => unknown,
): Promise<T> {
  const settings = config();
  const storage = openStorage(settings, service, mode, print);
  try {
    if (mode === "never" && !(await storage.hasSchema()))
      throw foreignDatabaseError(
        settings.title,
        `${databaseName(settings.DATABASE_URL)} has none of its tables. Correct DATABASE_URL, or ` +
          `create the tables: ${settings.name} migrate`,
      );
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** Runs a command on the migrated database. */
export const withStorage: typeof withUnmigrated = (cli, work, ...opening) =>
  withUnmigrated(cli, (storage) => storage.migrate().then(() => work(storage)), ...opening);

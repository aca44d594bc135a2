// What commands have in common: where they print, and how they open the database.

import type { Contract } from "../contract.ts";
import type { Config } from "../settings/config.ts";
import type { ServiceNames } from "../settings/variables.ts";
import { notOurs } from "../storage/migrate.ts";
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
export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : "s"}`;

/** A column is not padded beyond this, so one long value does not widen every row; nothing is cut. */
const WIDEST = 40;

/** Rows in columns as wide as necessary. The last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const width = (at: number) =>
    Math.min(WIDEST, Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const widths = rows[0]?.map((_, at) => width(at)) ?? [];
  const line = (row: readonly string[]) =>
    row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}

/** Runs `work` on the database without migrating it. Where there is none, `mode` decides whether one is created. Throws `UsageError`. */
export async function withUnmigrated<T>(
  { service, config }: Pick<Cli, "service" | "config">,
  work: (storage: Storage) => Promise<T>,
  mode: CreateMode = "never",
  print?: (line: string) => unknown,
): Promise<T> {
  const storage = openStorage(config(), service, mode, print);
  try {
    if (mode === "never" && !(await storage.isOurs())) throw notOurs(service.contract.title);
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** The same on the migrated database. */
export const withStorage: typeof withUnmigrated = (cli, work, ...opening) =>
  withUnmigrated(cli, (storage) => storage.migrate().then(() => work(storage)), ...opening);

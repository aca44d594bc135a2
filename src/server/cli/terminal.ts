// What commands have in common: where they print, and how they open the database.

import type { Contract } from "../contract.ts";
import { type Config, readConfig } from "../settings/config.ts";
import type { ServiceNames } from "../settings/variables.ts";
import { notOurs } from "../storage/migrate.ts";
import type { CreateMode } from "../storage/sqlite-file.ts";
import { openStorage, type Storage, type StorageDefinition } from "../storage/storage.ts";

/** What a command uses of its environment; a test passes its own. */
export interface Terminal {
  /** May throw `ConfigError`, when a file of variables is invalid. */
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Output;
  readonly stderr: Output;
}

interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** What a command works with. */
export interface Cli extends Terminal {
  readonly service: ServiceNames & StorageDefinition & { readonly contract: Contract };
}

/** The settings, some of them changed. Throws `ConfigError`. */
export const configOf = ({ env, service }: Cli, changes: NodeJS.ProcessEnv = {}): Config =>
  readConfig({ ...env, ...changes }, service);

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** `1 user`, `2 users`. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

/** A column is not padded beyond this, so one long value does not widen every row; nothing is cut. */
const WIDEST = 40;

/** Rows in columns as wide as necessary. The last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.min(WIDEST, Math.max(widths[at] ?? 0, cell.length));
  const line = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}

/** Runs `work` on the database without migrating it. Without a database, `mode` decides whether one is created or `UsageError` is thrown. */
export async function withUnmigrated<T>(
  { service }: Pick<Cli, "service">,
  config: Config,
  work: (storage: Storage) => Promise<T>,
  mode: CreateMode = "never",
  print?: (line: string) => void,
): Promise<T> {
  const storage = openStorage(config, service, mode, print);
  try {
    if (mode === "never" && !(await storage.isOurs())) throw notOurs(service.contract.title);
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** The same on the migrated database. */
export const withStorage: typeof withUnmigrated = (cli, config, work, ...rest) =>
  withUnmigrated(cli, config, (storage) => storage.migrate().then(() => work(storage)), ...rest);

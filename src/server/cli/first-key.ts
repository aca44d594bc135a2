import { mkdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { systemClock } from "../clock.ts";
import type { Contract } from "../contract.ts";
import { createKey, defaultLifetimeMs } from "../keys/key-lifecycle.ts";
import { plainQuery } from "../request/operation-table.ts";
import type { Service } from "../service.ts";
import type { Config } from "../settings/config.ts";
import { databaseFolder, databasePlace, sqlitePath } from "../storage/address.ts";
import { writeSecretFile } from "./secret-file.ts";

/** The file of the first key: another one for each database, since only this file has the key. */
export function firstKeyFile({
  DATABASE_URL: url,
  name,
}: Pick<Config, "DATABASE_URL" | "name">): string {
  const place = databasePlace(url);
  const path = sqlitePath(url);
  if (path === null) return join(databaseFolder(url), `first-key-${place}`);
  // The path as it was written, unless it is a link.
  const file = place === resolve(path) ? path : place;
  return basename(file) === `${name}.sqlite`
    ? join(dirname(file), "first-key")
    : `${file}.first-key`;
}

/**
 * Creates the first key of a database that has none, with every scope and platform, so that every
 * operation can be tried at once, in a file that only its owner can read; a person at a terminal
 * gets a command that uses it, and later the commands for keys. In production it only prints how to
 * create one.
 */
export async function firstKey(
  { operations, scopes }: Pick<Contract, "operations" | "scopes">,
  config: Config,
  { storage, url }: Pick<Service, "storage" | "url">,
  { tty, print }: { readonly tty: boolean; readonly print: (text: string) => void },
): Promise<void> {
  const { name, production, PLATFORMS: platforms } = config;
  const options = `--name NAME --scopes ${scopes.join(",")} --platforms ${platforms.join(",")}`;
  const create = `${name} keys create ${options}\n`;
  if ((await storage.keys.count()) > 0) {
    // In a clone the command is not on the PATH.
    if (tty && !production)
      print(`To list the API keys: npx ${name} keys list\nTo create one: npx ${create}`);
    return;
  }
  if (production) return print(`There is no API key yet. To create one: ${create}`);
  const file = firstKeyFile(config);
  const isCreated = await storage.keys.exclusively(async (keys) => {
    // Another process may have been faster.
    if ((await keys.count()) > 0) return false;
    const wanted = {
      name: "first",
      scopes,
      platforms,
      createdAt: systemClock.now(),
      lifetimeMs: defaultLifetimeMs,
    };
    const { key } = await createKey(keys, wanted);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeSecretFile(file, `${key}\n`);
    return true;
  });
  if (!isCreated) return;
  print(`The first API key is in ${file}.\n`);
  if (!tty) return;
  const curl =
    `curl -H "X-API-KEY: $(cat ${shellQuote(file)})" -H 'X-PLATFORM: ${platforms[0]}' ` +
    `'${url}/api/?@=${plainQuery(Object.values(operations), true)}'`;
  print(`To try it:\n\n  ${curl}\n\n`);
}

/** A word of a shell: quoted unless it is plain. */
const shellQuote = (word: string): string =>
  /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

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
  url,
  service,
}: Pick<Config["database"], "url" | "service">): string {
  const place = databasePlace(url);
  const path = sqlitePath(url);
  if (path === null) return join(databaseFolder(url), `first-key-${place}`);
  // The path as it was written, unless it is a link.
  const file = place === resolve(path) ? path : place;
  return basename(file) === `${service.name}.sqlite`
    ? join(dirname(file), "first-key")
    : `${file}.first-key`;
}

/**
 * Creates the first key of a database that has none, with every scope and platform, so that every operation can be tried at once: printed
 * once when a person reads the output, otherwise written to a file that only its owner can read. In production it only prints how to
 * create one.
 */
export async function firstKey(
  { operations, scopes }: Pick<Contract, "operations" | "scopes">,
  { name, production, platforms, database }: Config,
  { storage, url }: Pick<Service, "storage" | "url">,
  { tty, print }: { readonly tty: boolean; readonly print: (text: string) => void },
): Promise<void> {
  if ((await storage.keys.count()) > 0) return;
  if (production) {
    const options = `--name NAME --scopes ${scopes.join(",")} --platforms ${platforms.join(",")}`;
    return print(`There is no API key yet. To create one: ${name} keys create ${options}\n`);
  }
  const file = tty ? null : firstKeyFile(database);
  const key = await storage.keys.exclusively(async (keys) => {
    // Another process may have been faster.
    if ((await keys.count()) > 0) return null;
    const wanted = {
      name: "first",
      scopes,
      platforms,
      createdAt: systemClock.now(),
      lifetimeMs: defaultLifetimeMs,
    };
    const { key } = await createKey(keys, wanted);
    if (file !== null) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeSecretFile(file, `${key}\n`);
    }
    return key;
  });
  if (key === null) return;
  if (file !== null) return print(`The first API key is in ${file}.\n`);
  const curl = `curl -H 'X-API-KEY: ${key}' -H 'X-PLATFORM: ${platforms[0]}' '${url}/api/?@=${plainQuery(Object.values(operations), true)}'`;
  print(`The first API key, shown only now:\n\n  ${key}\n\nTo try it:\n\n  ${curl}\n\n`);
}

import { mkdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { systemClock } from "../clock.ts";
import type { Contract } from "../contract.ts";
import { createKey, defaultLifetimeMs } from "../keys/key-lifecycle.ts";
import { plainQuery } from "../request/operation-table.ts";
import type { Config } from "../settings/config.ts";
import { databaseFolder, databasePlace, sqlitePath } from "../storage/address.ts";
import type { Storage } from "../storage/storage.ts";
import { writeSecretFile } from "./secret-file.ts";

/** The file of the first key: another one for each database, since only this file has the key. */
export function firstKeyFile({ url, service }: Pick<Config["database"], "url" | "service">): string {
  const place = databasePlace(url);
  const path = sqlitePath(url);
  if (path === null) return join(databaseFolder(url), `first-key-${place}`);
  // The path as it was written, unless it is a link.
  const file = place === resolve(path) ? path : place;
  return basename(file) === `${service.name}.sqlite` ? join(dirname(file), "first-key") : `${file}.first-key`;
}

interface FirstKeyOptions {
  readonly contract: Pick<Contract, "operations" | "scopes">;
  readonly storage: Storage;
  readonly config: Pick<Config, "name" | "production" | "platforms" | "database">;
  /** The address of the service, without a trailing slash. */
  readonly url: string;
  /** Whether a person reads the output, rather than a log. */
  readonly tty: boolean;
  readonly print: (text: string) => void;
}

/**
 * Creates the first key of a database that has none, with every scope and platform, so that every operation can be tried at once: printed
 * once on a terminal, otherwise written to a file that only its owner can read. In production it only prints how to create one.
 */
export async function firstKey({ contract, storage, config, url, tty, print }: FirstKeyOptions): Promise<void> {
  if ((await storage.keys.count()) > 0) return;
  const { platforms } = config;
  const { scopes } = contract;
  if (config.production) {
    const options = `--name NAME --scopes ${scopes.join(",")} --platforms ${platforms.join(",")}`;
    print(`There is no API key yet. To create one: ${config.name} keys create ${options}\n`);
    return;
  }
  const file = tty ? null : firstKeyFile(config.database);
  const key = await storage.keys.exclusively(async (keys) => {
    // Another process may have been faster.
    if ((await keys.count()) > 0) return null;
    const wanted = { name: "first", scopes, platforms, createdAt: systemClock.now(), lifetimeMs: defaultLifetimeMs };
    const { key } = await createKey(keys, wanted);
    if (file !== null) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeSecretFile(file, `${key}\n`);
    }
    return key;
  });
  if (key === null) return;
  if (file !== null) return print(`The first API key is in ${file}.\n`);
  const curl = `curl -H 'X-API-KEY: ${key}' -H 'X-PLATFORM: ${platforms[0]}' '${url}/api/?@=${plainQuery(Object.values(contract.operations), true)}'`;
  print(`The first API key, shown only now:\n\n  ${key}\n\nTo try it:\n\n  ${curl}\n\n`);
}

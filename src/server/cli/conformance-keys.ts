import { lstat, readFile } from "node:fs/promises";
import type { Command } from "commander";
import { systemClock } from "../clock.ts";
import { hashKey } from "../key-form.ts";
import { createKey, dayMs } from "../keys/key-lifecycle.ts";
import { UsageError } from "../safe-error.ts";
import type { Keys } from "../storage/keys.ts";
import { writeSecretFile } from "./secret-file.ts";
import { type Cli, configOf, counted, json, withStorage } from "./terminal.ts";

/** `keys conformance`. */
export function addConformanceKeys(keys: Command, cli: Cli): void {
  const { stdout } = cli;
  const { scopes } = cli.service.contract;
  keys
    .command("conformance")
    .description("create the keys that the conformance suite needs")
    .option("--out <file>", "write them to this file, which only its owner can read, instead of printing them")
    .option("--force", "write over the file, and revoke the keys of the suite that it names")
    .action(async ({ out, force = false }: { out?: string; force?: boolean }) => {
      const config = configOf(cli);
      if (out === undefined) {
        const create = (keys: Keys) => createKeys(keys, scopes, config.platforms, systemClock.now());
        stdout.write(json(await withStorage(cli, config, (storage) => storage.keys.exclusively(create))));
        return;
      }
      await rejectExisting(out, force);
      const replace = async (keys: Keys) => {
        const now = systemClock.now();
        const created = await createKeys(keys, scopes, config.platforms, now);
        // Checked again: another process may have been faster.
        await rejectExisting(out, force);
        const revoked = await revokeKeysIn(out, keys, now);
        await writeSecretFile(out, json(created));
        return { names: Object.keys(created), revoked };
      };
      const { names, revoked } = await withStorage(cli, config, (storage) => storage.keys.exclusively(replace));
      if (revoked > 0) stdout.write(`Revoked ${counted(revoked, "key")} that ${out} named.\n`);
      stdout.write(`Wrote ${counted(names.length, "key")} for 30 days to ${out}: ${names.join(", ")}.\n`);
    });
}

/**
 * Creates the keys of the conformance suite, valid for 30 days with the default platform. Returns them by the case that each is for:
 * under the name of a scope, a key that has only this scope.
 */
async function createKeys(
  keys: Keys,
  scopes: readonly string[],
  platforms: readonly string[],
  now: Date,
): Promise<object> {
  const [platform, ...otherPlatforms] = platforms;
  const create = async (name: string, changed: Partial<Parameters<typeof createKey>[1]> = {}) => {
    const full = { name: `conformance ${name}`, scopes, platforms, createdAt: now, lifetimeMs: 30 * dayMs };
    const { key } = await createKey(keys, { ...full, ...changed });
    return { key, platform };
  };
  const ofScopes: Record<string, object> = {};
  for (const scope of scopes) ofScopes[scope] = await create(scope, { scopes: [scope] });
  return {
    full: await create("full"),
    noScopes: await create("noScopes", { scopes: [] }),
    ...ofScopes,
    otherPlatform: await create("otherPlatform", { platforms: otherPlatforms }),
    expired: await create("expired", { lifetimeMs: 0 }),
    revoked: await create("revoked", { revokedAt: now }),
  };
}

/** Keys in an overwritten file would stay valid although they are lost. Throws `UsageError`. */
async function rejectExisting(file: string, force: boolean): Promise<void> {
  const found = await lstat(file).catch(() => null);
  if (!found) return;
  if (!found.isFile()) throw new UsageError(`${file} exists, and is not a file.`);
  if (!force)
    throw new UsageError(`${file} exists. To revoke the keys in it and write new ones: --force; or name another file.`);
}

/** Revokes the conformance keys that a file names; other keys, and a file that holds something else, are not touched. Returns how many. */
async function revokeKeysIn(file: string, keys: Keys, at: Date): Promise<number> {
  let revoked = 0;
  const text = await readFile(file, "utf8").catch(() => "");
  for (const key of keys.form.allIn(text)) {
    const record = await keys.findByHash(hashKey(key));
    if (record?.name.startsWith("conformance ") && (await keys.revoke(record.id, at))) revoked++;
  }
  return revoked;
}

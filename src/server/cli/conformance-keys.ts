import { lstat, readFile } from "node:fs/promises";
import type { Command } from "commander";
import { systemClock } from "../clock.ts";
import { UsageError } from "../expected-error.ts";
import { hashKey } from "../key-form.ts";
import { createKey, dayMs } from "../keys/key-lifecycle.ts";
import type { Keys } from "../storage/keys.ts";
import { writeSecretFile } from "./secret-file.ts";
import { type Cli, json, pluralize, withStorage } from "./terminal.ts";

/** `keys conformance`. */
export function addConformanceKeys(commands: Command, cli: Cli): void {
  commands
    .command("conformance")
    .description("create the keys that the conformance suite needs")
    .option(
      "--out <file>",
      "write them to this file, which only its owner can read, instead of printing them",
    )
    .option("--force", "write over the file, and revoke the keys of the suite that it names")
    .action(async ({ out, force = false }: { out?: string; force?: boolean }) => {
      const { PLATFORMS } = cli.config();
      if (out !== undefined) await rejectExisting(out, force);
      const create = async (keys: Keys) => {
        const now = systemClock.now();
        const created = await createKeys(keys, cli.service.contract.scopes, PLATFORMS, now);
        if (out === undefined) return json(created);
        // Checked again: another process may have been faster.
        await rejectExisting(out, force);
        const revoked = await revokeKeysIn(out, keys, now);
        await writeSecretFile(out, json(created));
        const names = Object.keys(created);
        const wrote =
          `Wrote ${pluralize(names.length, "key")} for 30 days to ${out}: ` +
          `${names.join(", ")}.\n`;
        const revocation = `Revoked ${pluralize(revoked, "key")} that ${out} named.\n`;
        return revoked > 0 ? revocation + wrote : wrote;
      };
      cli.stdout.write(await withStorage(cli, (storage) => storage.keys.exclusively(create)));
    });
}

/**
 * Creates the keys of the conformance suite, valid for 30 days with the default platform. Returns
 * them by the case that each is for: under the name of a scope, a key that has only this scope.
 */
async function createKeys(
  keys: Keys,
  scopes: readonly string[],
  platforms: readonly string[],
  now: Date,
) {
  const [platform, ...otherPlatforms] = platforms;
  const usual = { scopes, platforms, createdAt: now, lifetimeMs: 30 * dayMs };
  const cases: Record<string, Partial<Parameters<typeof createKey>[1]>> = {
    full: {},
    noScopes: { scopes: [] },
    ...Object.fromEntries(scopes.map((scope) => [scope, { scopes: [scope] }])),
    otherPlatform: { platforms: otherPlatforms },
    expired: { lifetimeMs: 0 },
    revoked: { revokedAt: now },
  };
  const created: Record<string, object> = {};
  for (const [name, changed] of Object.entries(cases)) {
    const { key } = await createKey(keys, { name: `conformance ${name}`, ...usual, ...changed });
    created[name] = { key, platform };
  }
  return created;
}

/** Keys in an overwritten file would stay valid although they are lost. Throws `UsageError`. */
async function rejectExisting(file: string, force: boolean): Promise<void> {
  const stats = await lstat(file).catch(() => null);
  if (!stats) return;
  if (!stats.isFile()) throw new UsageError(`${file} exists, and is not a file.`);
  if (!force)
    throw new UsageError(
      `${file} exists. To revoke the keys in it and write new ones: --force; or name another file.`,
    );
}

/**
 * Revokes the conformance keys that a file names; other keys, and a file that holds something else,
 * are not touched. Returns how many.
 */
async function revokeKeysIn(file: string, keys: Keys, at: Date): Promise<number> {
  let revoked = 0;
  for (const key of keys.form.extractAll(await readFile(file, "utf8").catch(() => ""))) {
    const record = await keys.findByHash(hashKey(key));
    if (record?.name.startsWith("conformance ") && (await keys.revoke(record.id, at))) revoked++;
  }
  return revoked;
}

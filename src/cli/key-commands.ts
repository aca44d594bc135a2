import type { Command } from "commander";
import { systemClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import { createKey } from "../keys/create-key.ts";
import { InputFault } from "../log/safe-error.ts";
import type { KeyRecord } from "../storage/keys.ts";
import { duration, keyId, keyName, platformList, scopeList } from "./arguments.ts";
import { createConformanceKeys } from "./conformance-keys.ts";
import { refuseOverwriting, revokeKeysIn, writeSecretFile } from "./secret-file.ts";
import type { Terminal } from "./terminal.ts";
import { withStorage } from "./with-storage.ts";

/** `keys create`, `list`, `revoke` and `conformance`. All input is judged before the database is touched. */
export function addKeyCommands(program: Command, { env, stdout }: Terminal): void {
  const keys = program.command("keys").description("API keys");
  const print = (value: unknown) => stdout.write(`${JSON.stringify(value, null, 2)}\n`);

  keys
    .command("create")
    .description("create a key and show it, this once")
    .requiredOption("--name <name>", "whose key it is")
    .requiredOption("--scopes <list>", "what it may do, separated by commas")
    .requiredOption("--platforms <list>", "the platforms it may name, separated by commas")
    .option("--expires <duration>", "for how long: 365d, 12h or 30m", "365d")
    .option("--json", "print one JSON object")
    .action(async (given: { name: string; scopes: string; platforms: string; expires: string; json?: true }) => {
      const config = readConfig(env);
      const wanted = {
        name: keyName(given.name),
        scopes: scopeList(given.scopes),
        platforms: platformList(given.platforms, config.platforms),
        lifetimeMs: duration(given.expires),
        createdAt: systemClock.now(),
      };
      const { key, record } = await withStorage(config, "first", (storage) => createKey(storage.keys, wanted));
      if (given.json) print({ key, ...shown(record) });
      else
        stdout.write(
          `${key}\n\nThis is shown only now. Its id is ${record.id}; it expires ${text(record.expiresAt)}.\n`,
        );
    });

  keys
    .command("list")
    .description("show the keys, never their text")
    .option("--json", "print one JSON array")
    .action(async (given: { json?: true }) => {
      const records = await withStorage(readConfig(env), "never", (storage) => storage.keys.list());
      if (given.json) print(records.map(shown));
      else stdout.write(`${records.map(line).join("\n") || "There are no keys."}\n`);
    });

  keys
    .command("revoke")
    .description("revoke a key; it holds within 5 s")
    .argument("<id>", "as `keys list` shows it")
    .action(async (given: string) => {
      const id = keyId(given);
      const revoked = await withStorage(readConfig(env), "never", (storage) =>
        storage.keys.revoke(id, systemClock.now()),
      );
      if (!revoked) throw new InputFault(`There is no key ${id}, or it is revoked already.`);
      stdout.write(`Revoked ${id}.\n`);
    });

  keys
    .command("conformance")
    .description("create the keys that the conformance suite needs")
    .option("--out <file>", "write them to this file, which only its owner can read, instead of printing them")
    .option("--force", "write over the file, and revoke the keys of the suite that it names")
    .action(async ({ out, force = false }: { out?: string; force?: boolean }) => {
      const config = readConfig(env);
      if (out !== undefined) await refuseOverwriting(out, force);
      const created = await withStorage(config, "never", (storage) =>
        storage.keys.exclusively(async (keys) => {
          const now = systemClock.now();
          const made = await createConformanceKeys(keys, config, now);
          if (out !== undefined) {
            // Once more: another process may have been faster.
            await refuseOverwriting(out, force);
            await revokeKeysIn(out, keys, now);
            await writeSecretFile(out, `${JSON.stringify(made, null, 2)}\n`);
          }
          return made;
        }),
      );
      if (out === undefined) print(created);
    });
}

const text = (time: Date): string => time.toISOString();

const shown = ({ id, name, scopes, platforms, createdAt, expiresAt, revokedAt }: KeyRecord) => ({
  id,
  name,
  scopes,
  platforms,
  createdAt: text(createdAt),
  expiresAt: text(expiresAt),
  ...(revokedAt && { revokedAt: text(revokedAt) }),
});

function line({ id, name, scopes, platforms, expiresAt, revokedAt }: KeyRecord): string {
  const state = revokedAt
    ? `revoked ${text(revokedAt)}`
    : `${expiresAt <= systemClock.now() ? "expired" : "expires"} ${text(expiresAt)}`;
  return [id, state, `scopes ${listed(scopes)}`, `platforms ${listed(platforms)}`, name].join("  ");
}

const listed = (items: readonly string[]): string => items.join(",") || "none";

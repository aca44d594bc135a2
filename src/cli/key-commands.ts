import type { Command } from "commander";
import { systemClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import { createKey } from "../keys/create-key.ts";
import { rotateKey } from "../keys/rotate-key.ts";
import { InputFault } from "../log/safe-error.ts";
import type { Storage } from "../storage/storage.ts";
import { duration, keyId, keyName, platformList, scopeList } from "./arguments.ts";
import { createConformanceKeys } from "./conformance-keys.ts";
import { expiryWarning, keyTable, shownKey } from "./key-text.ts";
import { refuseOverwriting, revokeKeysIn, writeSecretFile } from "./secret-file.ts";
import { counted } from "./table.ts";
import { printJson, type Terminal } from "./terminal.ts";
import { withStorage } from "./with-storage.ts";

/** `keys create`, `list`, `rotate`, `revoke` and `conformance`. All input is validated before the database is opened. */
export function addKeyCommands(program: Command, { env, stdout, stderr }: Terminal): void {
  const keys = program.command("keys").description("API keys");

  keys
    .command("create")
    .description("create a key and print it, only this once")
    .requiredOption("--name <name>", "who or what uses the key")
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
      const create = (storage: Storage) => createKey(storage.keys, wanted);
      const { key, record } = await withStorage(config, "first", create, (line) => void stderr.write(line));
      if (given.json) printJson(stdout, { key, ...shownKey(record, wanted.createdAt) });
      else
        stdout.write(
          `${key}\n\nThis is shown only now. Its id is ${record.id}; it expires ${record.expiresAt.toISOString()}.\n`,
        );
    });

  keys
    .command("list")
    .description("show the keys, never their text")
    .option("--json", "print one JSON array")
    .action(async (given: { json?: true }) => {
      const records = await withStorage(readConfig(env), "never", (storage) => storage.keys.list());
      const now = systemClock.now();
      if (given.json)
        printJson(
          stdout,
          records.map((record) => shownKey(record, now)),
        );
      else stdout.write(records.length > 0 ? keyTable(records, now) : "There are no keys.\n");
      const warning = expiryWarning(records, now);
      if (warning) stderr.write(`${warning}\n`);
    });

  keys
    .command("rotate")
    .description("replace a key with a new one, printed only this once; the old one stays valid for the overlap")
    .argument("<id>", "of the old key, as `keys list` shows it")
    .option("--overlap <duration>", "how long the old key stays valid: 7d, 12h or 30m", "7d")
    .option(
      "--expires <duration>",
      "how long the new key is valid (default: as long as the old one from its creation on)",
    )
    .option("--json", "print one JSON object")
    .action(async (given: string, options: { overlap: string; expires?: string; json?: true }) => {
      const id = keyId(given);
      const now = systemClock.now();
      const lifetimeMs = options.expires === undefined ? null : duration(options.expires);
      const wanted = { now, overlapMs: duration(options.overlap), lifetimeMs };
      const rotated = await withStorage(readConfig(env), "never", (storage) => rotateKey(storage.keys, id, wanted));
      if (!rotated) throw new InputFault(`There is no key ${id}, or it is expired or revoked: create a new one.`);
      const { key, record, oldExpiresAt } = rotated;
      const replaces = { id, expiresAt: oldExpiresAt.toISOString() };
      if (options.json) printJson(stdout, { key, ...shownKey(record, now), replaces });
      else
        stdout.write(
          `${key}\n\nThis is shown only now. Its id is ${record.id}; it expires ${record.expiresAt.toISOString()}.\n` +
            `The old key ${id} is valid until ${replaces.expiresAt}.\n`,
        );
    });

  keys
    .command("revoke")
    .description("revoke a key; every replica rejects it within 5 s")
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
      const { made, revoked } = await withStorage(config, "never", (storage) =>
        storage.keys.exclusively(async (keys) => {
          const now = systemClock.now();
          const made = await createConformanceKeys(keys, config, now);
          if (out !== undefined) {
            // Checked again: another process may have been faster.
            await refuseOverwriting(out, force);
            const revoked = await revokeKeysIn(out, keys, now);
            await writeSecretFile(out, `${JSON.stringify(made, null, 2)}\n`);
            return { made, revoked };
          }
          return { made, revoked: 0 };
        }),
      );
      if (out === undefined) return printJson(stdout, made);
      if (revoked > 0) stdout.write(`Revoked ${counted(revoked, "key")} that ${out} named.\n`);
      stdout.write(
        `Wrote ${counted(Object.keys(made).length, "key")} for 30 days to ${out}: ${Object.keys(made).join(", ")}.\n`,
      );
    });
}

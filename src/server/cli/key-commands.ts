import type { Command } from "commander";
import { systemClock } from "../clock.ts";
import { createKey, rotateKey } from "../keys/key-lifecycle.ts";
import { UsageError } from "../safe-error.ts";
import type { Storage } from "../storage/storage.ts";
import { addConformanceKeys } from "./conformance-keys.ts";
import { duration, expiryWarning, keyId, keyName, keyTable, listOf, newKeyText, shownKey } from "./key-text.ts";
import { type Cli, configOf, json, withStorage } from "./terminal.ts";

/** `keys create`, `list`, `rotate`, `revoke` and `conformance`. All input is validated before the database is opened. */
export function addKeyCommands(program: Command, cli: Cli): void {
  const { stdout, stderr } = cli;
  const { scopes } = cli.service.contract;
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
      const config = configOf(cli);
      const wanted = {
        name: keyName(given.name),
        scopes: listOf("scope", given.scopes, scopes),
        platforms: listOf("platform", given.platforms, config.platforms),
        lifetimeMs: duration(given.expires),
        createdAt: systemClock.now(),
      };
      const create = (storage: Storage) => createKey(storage.keys, wanted);
      const { key, record } = await withStorage(cli, config, create, "ifMissing", (line) => void stderr.write(line));
      stdout.write(given.json ? json({ key, ...shownKey(record, wanted.createdAt) }) : newKeyText(key, record));
    });

  keys
    .command("list")
    .description("show the keys, never their text")
    .option("--json", "print one JSON array")
    .action(async (given: { json?: true }) => {
      const records = await withStorage(cli, configOf(cli), (storage) => storage.keys.list());
      const now = systemClock.now();
      const text = records.length > 0 ? keyTable(records, now) : "There are no keys.\n";
      stdout.write(given.json ? json(records.map((record) => shownKey(record, now))) : text);
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
      const rotated = await withStorage(cli, configOf(cli), (storage) => rotateKey(storage.keys, id, wanted));
      if (!rotated) throw new UsageError(`There is no key ${id}, or it is expired or revoked: create a new one.`);
      const { key, record, oldExpiresAt: expiresAt } = rotated;
      if (options.json) stdout.write(json({ key, ...shownKey(record, now), replaces: { id, expiresAt } }));
      else stdout.write(`${newKeyText(key, record)}The old key ${id} is valid until ${expiresAt.toISOString()}.\n`);
    });

  keys
    .command("revoke")
    .description("revoke a key; every replica rejects it within 5 s")
    .argument("<id>", "as `keys list` shows it")
    .action(async (given: string) => {
      const id = keyId(given);
      const revoked = await withStorage(cli, configOf(cli), (storage) => storage.keys.revoke(id, systemClock.now()));
      if (!revoked) throw new UsageError(`There is no key ${id}, or it is revoked already.`);
      stdout.write(`Revoked ${id}.\n`);
    });

  addConformanceKeys(keys, cli);
}

import type { Command } from "commander";
import { validate as isUuid } from "uuid";
import { systemClock } from "../clock.ts";
import { UsageError } from "../expected-error.ts";
import {
  createKey,
  dayMs,
  expiringDays,
  keyState,
  rotateKey,
  unreplaced,
} from "../keys/key-lifecycle.ts";
import type { KeyRecord } from "../storage/keys.ts";
import { addConformanceKeys } from "./conformance-keys.ts";
import { type Cli, json, pluralize, table, withStorage } from "./terminal.ts";

type Named = Pick<KeyRecord, "name" | "scopes" | "platforms">;

/**
 * `keys create`, `list`, `rotate`, `revoke` and `conformance`. All input is validated before the
 * database is opened.
 */
export function addKeyCommands(program: Command, cli: Cli): void {
  const { stdout, stderr } = cli;
  const scopes = listOf("scope", () => cli.service.contract.scopes);
  const platforms = listOf("platform", () => cli.config().PLATFORMS);
  const keys = program.command("keys").description("API keys");

  keys
    .command("create")
    .description("create a key and print it, only this once")
    .requiredOption("--name <name>", "who or what uses the key", keyName)
    .requiredOption("--scopes <list>", "what it may do, separated by commas", scopes)
    .requiredOption(
      "--platforms <list>",
      "the platforms it may name, separated by commas",
      platforms,
    )
    .option("--expires <duration>", "for how long: 365d, 12h or 30m", "365d")
    .option("--create", "create the tables, and the file of SQLite, if there are none")
    .option("--json", "print one JSON object")
    .action(async (given: Named & { expires: string; create?: true; json?: true }) => {
      const { expires, create, json: isJson, ...named } = given;
      const wanted = { ...named, lifetimeMs: duration(expires), createdAt: systemClock.now() };
      const { key, record } = await withStorage(
        cli,
        ({ keys }) => createKey(keys, wanted),
        create ? "ifMissing" : "never",
        (line) => stderr.write(line),
      );
      stdout.write(
        isJson ? json({ key, ...shownKey(record, wanted.createdAt) }) : newKeyText(key, record),
      );
    });

  keys
    .command("list")
    .description("show the keys, never their text")
    .option("--json", "print one JSON array")
    .action(async (given: { json?: true }) => {
      const records = await withStorage(cli, (storage) => storage.keys.list());
      const now = systemClock.now();
      const text = records.length > 0 ? keyTable(records, now) : "There are no keys.\n";
      stdout.write(given.json ? json(records.map((record) => shownKey(record, now))) : text);
      const warning = expiryWarning(records, now);
      if (warning) stderr.write(`${warning}\n`);
    });

  const termOfOld =
    "how long the new key is valid (default: as long as the old one from its creation on)";
  keys
    .command("rotate")
    .description(
      "replace a key with a new one, printed only this once; the old one stays valid for " +
        "the overlap",
    )
    .argument("<id>", "of the old key, as `keys list` shows it", keyId)
    .option("--overlap <duration>", "how long the old key stays valid: 7d, 12h or 30m", "7d")
    .option("--expires <duration>", termOfOld)
    .option("--json", "print one JSON object")
    .action(async (id: string, options: { overlap: string; expires?: string; json?: true }) => {
      const now = systemClock.now();
      const lifetimeMs = options.expires === undefined ? null : duration(options.expires);
      const wanted = { now, overlapMs: duration(options.overlap), lifetimeMs };
      const rotated = await withStorage(cli, (storage) => rotateKey(storage.keys, id, wanted));
      if (!rotated)
        throw new UsageError(
          `There is no key ${id}, or it is expired or revoked: create a new one.`,
        );
      const { key, record, oldExpiresAt: expiresAt } = rotated;
      if (options.json)
        stdout.write(json({ key, ...shownKey(record, now), replaces: { id, expiresAt } }));
      else
        stdout.write(
          `${newKeyText(key, record)}The old key ${id} is valid until ` +
            `${expiresAt.toISOString()}.\n`,
        );
    });

  keys
    .command("revoke")
    .description("revoke a key; every replica rejects it within 5 s")
    .argument("<id>", "as `keys list` shows it", keyId)
    .action(async (id: string) => {
      const revoked = await withStorage(cli, (storage) =>
        storage.keys.revoke(id, systemClock.now()),
      );
      if (!revoked) throw new UsageError(`There is no key ${id}, or it is revoked already.`);
      stdout.write(`Revoked ${id}.\n`);
    });

  addConformanceKeys(keys, cli);
}

/** Reads a comma-separated list, each item one of `allowed`. */
const listOf = (what: string, allowed: () => readonly string[]) => (text: string) => {
  const items = [...new Set(text.split(",").map((item) => item.trim()))];
  const unknown = items.find((item) => !allowed().includes(item));
  if (unknown === undefined) return items;
  throw new UsageError(`Unknown ${what} "${unknown}"; there are: ${allowed().join(", ")}.`);
};

/** `365d`, `12h` or `30m` in milliseconds. */
function duration(text: string): number {
  const [, amount, unit] = /^([1-9][0-9]{0,4})([dhm])$/.exec(text) ?? [];
  if (amount === undefined)
    throw new UsageError(`"${text}" is not a duration: write 365d, 12h or 30m.`);
  return Number(amount) * (unit === "d" ? dayMs : unit === "h" ? 3_600_000 : 60_000);
}

function keyName(text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= 200 && !/\p{Cc}/u.test(name)) return name;
  throw new UsageError(
    "A key needs a name of 1 to 200 characters, none of them a control character.",
  );
}

function keyId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new UsageError(`"${text}" is not the id of a key; \`keys list\` shows the ids.`);
}

/** A key as `--json` prints it: everything that is stored of it except the hash. */
function shownKey(key: KeyRecord, now: Date): object {
  const { hash: _, revokedAt, lastUsedAt, ...always } = key;
  return {
    ...always,
    state: keyState(key, now),
    ...(revokedAt && { revokedAt }),
    ...(lastUsedAt && { lastUsedAt }),
  };
}

/** What a person reads of a new key: the only place that has its text. */
const newKeyText = (key: string, { id, expiresAt }: KeyRecord): string =>
  `${key}\n\nIt will not be shown again. Its id is ${id}; it expires ${expiresAt.toISOString()}.\n`;

function keyTable(keys: readonly KeyRecord[], now: Date): string {
  const rows = keys.map((key) => {
    const { id, expiresAt, lastUsedAt, name } = key;
    const used = lastUsedAt?.toISOString() ?? "never";
    const lists = [key.scopes, key.platforms].map((list) => list.join(",") || "none");
    return [id, keyState(key, now), expiresAt.toISOString(), used, ...lists, name];
  });
  return table([["ID", "STATE", "EXPIRES", "LAST USED", "SCOPES", "PLATFORMS", "NAME"], ...rows]);
}

/** The keys that expire soon without a successor, and what to do; null when there are none. */
export function expiryWarning(keys: readonly KeyRecord[], now: Date): string | null {
  const ids = unreplaced(keys, now).map(({ id }) => id);
  if (ids.length === 0) return null;
  return (
    `${pluralize(ids.length, "key")} to be replaced within ${expiringDays} days, by \`keys ` +
    `rotate ID\`: ${ids.join(", ")}`
  );
}

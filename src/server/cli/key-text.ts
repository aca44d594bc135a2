// Keys as the command line reads and prints them.
import { validate as isUuid } from "uuid";
import { dayMs, expiringDays, keyState, unreplaced } from "../keys/key-lifecycle.ts";
import { UsageError } from "../safe-error.ts";
import type { KeyRecord } from "../storage/keys.ts";
import { counted, table } from "./terminal.ts";

/** A comma-separated list, each item one of `allowed`. Throws `UsageError`, which lists the allowed items. */
export function listOf(what: string, text: string, allowed: readonly string[]): string[] {
  const items = [...new Set(text.split(",").map((item) => item.trim()))];
  for (const item of items)
    if (!allowed.includes(item)) throw new UsageError(`Unknown ${what} "${item}"; there are: ${allowed.join(", ")}.`);
  return items;
}

const units: Readonly<Record<string, number>> = { d: dayMs, h: 3_600_000, m: 60_000 };

/** `365d`, `12h` or `30m` in milliseconds. Throws `UsageError`. */
export function duration(text: string): number {
  const [, amount, unit = ""] = /^([1-9][0-9]{0,4})([dhm])$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (units[unit] ?? Number.NaN);
  if (Number.isNaN(milliseconds)) throw new UsageError(`"${text}" is not a duration: write 365d, 12h or 30m.`);
  return milliseconds;
}

/** The name of a key, for people. Throws `UsageError`. */
export function keyName(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > 200 || /\p{Cc}/u.test(name))
    throw new UsageError("A key needs a name of 1 to 200 characters, none of them a control character.");
  return name;
}

/** The id of a key. Throws `UsageError`. */
export function keyId(text: string): string {
  if (!isUuid(text)) throw new UsageError(`"${text}" is not the id of a key; \`keys list\` shows the ids.`);
  return text.toLowerCase();
}

/** A key as `--json` prints it: everything that is stored of it except the hash. */
export function shownKey(key: KeyRecord, now: Date): Record<string, unknown> {
  const { hash: _, revokedAt, lastUsedAt, ...always } = key;
  return { ...always, state: keyState(key, now), ...(revokedAt && { revokedAt }), ...(lastUsedAt && { lastUsedAt }) };
}

/** What a person reads of a new key: the only place that has its text. */
export const newKeyText = (key: string, { id, expiresAt }: KeyRecord): string =>
  `${key}\n\nThis is shown only now. Its id is ${id}; it expires ${expiresAt.toISOString()}.\n`;

export const keyTable = (keys: readonly KeyRecord[], now: Date): string =>
  table([
    ["ID", "STATE", "EXPIRES", "LAST USED", "SCOPES", "PLATFORMS", "NAME"],
    ...keys.map((key) => [
      key.id,
      keyState(key, now),
      key.expiresAt.toISOString(),
      key.lastUsedAt?.toISOString() ?? "never",
      key.scopes.join(",") || "none",
      key.platforms.join(",") || "none",
      key.name,
    ]),
  ]);

/** The keys that expire soon without a successor, and what to do; null when there are none. */
export function expiryWarning(keys: readonly KeyRecord[], now: Date): string | null {
  const ids = unreplaced(keys, now).map(({ id }) => id);
  if (ids.length === 0) return null;
  return `${counted(ids.length, "key")} to be replaced within ${expiringDays} days, by \`keys rotate ID\`: ${ids.join(", ")}`;
}

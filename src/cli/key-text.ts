import { expiringDays, keyState, unreplaced } from "../keys/key-state.ts";
import type { KeyRecord } from "../storage/keys.ts";
import { counted, table } from "./table.ts";

/** A key as `--json` prints it: everything that is stored of it except the hash. */
export function shownKey(key: KeyRecord, now: Date): Record<string, unknown> {
  const { hash: _, revokedAt, lastUsedAt, ...always } = key;
  return { ...always, state: keyState(key, now), ...(revokedAt && { revokedAt }), ...(lastUsedAt && { lastUsedAt }) };
}

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

import type { KeyRecord } from "../storage/keys.ts";
import { dayMs } from "./create-key.ts";

/** How long before its end a key is reported as expiring soon. */
export const expiringDays = 14;

export type KeyState = "valid" | "expiring" | "expired" | "revoked";

export function keyState({ expiresAt, revokedAt }: KeyRecord, now: Date): KeyState {
  if (revokedAt) return "revoked";
  const left = expiresAt.getTime() - now.getTime();
  if (left <= 0) return "expired";
  return left <= expiringDays * dayMs ? "expiring" : "valid";
}

/** Keys that expire soon without a successor: a valid key of the same name, scopes and platforms. */
export function unreplaced(keys: readonly KeyRecord[], now: Date): KeyRecord[] {
  const use = ({ name, scopes, platforms }: KeyRecord) => JSON.stringify([name, scopes, platforms]);
  const valid = new Set(keys.filter((key) => keyState(key, now) === "valid").map(use));
  return keys.filter((key) => keyState(key, now) === "expiring" && !valid.has(use(key)));
}

import type { WholeAccess } from "./access.ts";
import { type IdempotencyKeys, openIdempotencyKeys } from "./idempotency-keys.ts";
import { openUsers, type Users } from "./users.ts";

/** What operations store: one member for each table that handlers work with. They reach a handler through its context. */
export interface Stores {
  readonly users: Users;
  readonly idempotencyKeys: IdempotencyKeys;
}

export const openStores = (access: WholeAccess): Stores => ({
  users: openUsers(access),
  idempotencyKeys: openIdempotencyKeys(access),
});

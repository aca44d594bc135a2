import { type IdempotencyKeys, openIdempotencyKeys } from "../resources/idempotency-keys.ts";
import type { PooledDatabase } from "./database.ts";
import { openUsers, type Users } from "./users.ts";

/** What operations store: one member for each table that handlers work with. They reach a handler through its context. */
export interface Stores {
  readonly users: Users;
  readonly idempotencyKeys: IdempotencyKeys;
}

export function openStores(database: PooledDatabase): Stores {
  const idempotencyKeys = openIdempotencyKeys(database, "idempotency_keys", "user_id");
  return { users: openUsers(database, idempotencyKeys), idempotencyKeys };
}

import type { Access } from "./access.ts";
import { openUsers, type Users } from "./users.ts";

/** What operations store: one member for each table that handlers work with. They reach a handler through its context. */
export interface Stores {
  readonly users: Users;
}

export const openStores = (access: Access): Stores => ({ users: openUsers(access) });

// This service, as tests start it: the server's own functions with its definition.

import { firstKeyFile as firstKeyFileOf } from "../server/cli/first-key.ts";
import { runCli as runCliOf } from "../server/cli/run-cli.ts";
import { keyForm } from "../server/key-form.ts";
import { type Once, openIdempotencyKeys } from "../server/resources/idempotency.ts";
import { startService as startServiceOf } from "../server/service.ts";
import {
  type Config,
  type DatabaseConfig,
  readConfig as readConfigOf,
} from "../server/settings/config.ts";
import { environment as environmentOf } from "../server/settings/environment.ts";
import { UniqueViolation } from "../server/storage/errors.ts";
import { tablesOf } from "../server/storage/migrate.ts";
import { openStorage as openStorageOf, type Storage } from "../server/storage/storage.ts";
import { definition } from "../service.ts";
import { type NewUser, openUsers } from "../stores/users.ts";
import { addUserCommands } from "../user-commands.ts";

const { name, contract } = definition;

export const readConfig = (env: NodeJS.ProcessEnv): Config => readConfigOf(env, definition);
export const environment = (file?: string) => environmentOf(definition, file);
export const runCli = (args: readonly string[], terminal: Parameters<typeof runCliOf>[2]) =>
  runCliOf(definition, args, terminal, [addUserCommands]);
export const startService = startServiceOf.bind(null, definition);
export const openStorage = (config: DatabaseConfig, mode?: Parameters<typeof openStorageOf>[2]) =>
  openStorageOf(config, definition, mode);
export const firstKeyFile = (DATABASE_URL: string) => firstKeyFileOf({ DATABASE_URL, name });
export const tableNames = tablesOf(definition.migrations);
export const form = keyForm(contract.keys.prefix);

/** The stores of this service; what they insert is null when the e-mail address is taken. */
export function storesOf({ database }: Pick<Storage, "database">) {
  const users = openUsers(database);
  const idempotencyKeys = openIdempotencyKeys(database, definition.idempotency);
  const nullIfTaken = (error: unknown): null => {
    if (error instanceof UniqueViolation) return null;
    throw error;
  };
  return {
    idempotencyKeys,
    users: {
      ...users,
      insert: (user: NewUser, deadline?: number) =>
        users.creation(user, deadline).insert().catch(nullIfTaken),
      insertOnce: (user: NewUser, once: Once, deadline?: number) =>
        idempotencyKeys.createOnce(once, users.creation(user, deadline)).catch(nullIfTaken),
    },
  };
}

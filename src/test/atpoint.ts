// This service, as tests start it: the server's own functions with its definition.

import { firstKeyFile as firstKeyFileOf } from "../server/cli/first-key.ts";
import { runCli as runCliOf } from "../server/cli/run-cli.ts";
import { keyForm } from "../server/key-form.ts";
import { Problem } from "../server/problem.ts";
import { type Once, openIdempotencyKeys } from "../server/resources/idempotency.ts";
import { startService as startServiceOf } from "../server/service.ts";
import { type Config, readConfig as readConfigOf } from "../server/settings/config.ts";
import { environment as environmentOf } from "../server/settings/environment.ts";
import { tablesOf } from "../server/storage/migrate.ts";
import type { Storage } from "../server/storage/storage.ts";
import { openStorage as openStorageOf } from "../server/storage/storage.ts";
import { definition } from "../service.ts";
import { type NewUser, openUsers } from "../stores/users.ts";

type Rest<F> = F extends (first: never, second: never, ...rest: infer R) => unknown ? R : never;

export const readConfig = (env: NodeJS.ProcessEnv): Config => readConfigOf(env, definition);
export const environment = (file?: string) => environmentOf(definition, file);
export const runCli = (...words: Parameters<typeof runCliOf> extends [unknown, ...infer R] ? R : never) =>
  runCliOf(definition, ...words);
export const startService = (config: Config, ...rest: Rest<typeof startServiceOf>) =>
  startServiceOf(definition, config, ...rest);
export const openStorage = (config: Pick<Config, "database">, ...rest: Rest<typeof openStorageOf>) =>
  openStorageOf(config, definition, ...rest);
const { name, contract } = definition;
export const firstKeyFile = (url: string) => firstKeyFileOf({ url, service: { name, title: contract.title } });
export const tableNames = tablesOf(definition.migrations);
export const form = keyForm(contract.keys.prefix);

function nullIfTaken(error: unknown): null {
  if (error instanceof Problem && error.code === "email-taken") return null;
  throw error;
}

/** The stores of this service. */
export function storesOf({ database }: Pick<Storage, "database">) {
  const users = openUsers(database);
  const idempotencyKeys = openIdempotencyKeys(database, definition.idempotency);
  return {
    idempotencyKeys,
    users: {
      ...users,
      /** Null when the e-mail address is taken. */
      insert: (user: NewUser, deadline?: number) => users.creation(user, deadline).insert().catch(nullIfTaken),
      insertOnce: (user: NewUser, once: Once, deadline?: number) =>
        idempotencyKeys.createOnce(once, users.creation(user, deadline)).catch(nullIfTaken),
    },
  };
}

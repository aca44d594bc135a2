// This service, as tests start it: the server's own functions with its definition.
import { v7 as newId } from "uuid";
import { firstKeyFile as firstKeyFileOf } from "../server/cli/first-key.ts";
import { runCli as runCliOf } from "../server/cli/run-cli.ts";
import { keyForm } from "../server/key-form.ts";
import { openIdempotencyKeys } from "../server/resources/idempotency.ts";
import { HandlerResponse } from "../server/response/response.ts";
import { startService as startServiceOf } from "../server/service.ts";
import {
  type Config,
  type DatabaseConfig,
  readConfig as readConfigOf,
} from "../server/settings/config.ts";
import { environment as environmentOf } from "../server/settings/environment.ts";
import type { Transaction } from "../server/storage/database.ts";
import { UniqueViolation } from "../server/storage/errors.ts";
import { tablesOf } from "../server/storage/migrate.ts";
import { openStorage as openStorageOf, type Storage } from "../server/storage/storage.ts";
import { definition } from "../service.ts";
import { openUsers } from "../stores/users.ts";
import { addUserCommands } from "../user-commands.ts";
import { BOUND_MS } from "./patience.ts";

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

const DAY_MS = 86_400_000;

interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly createdAt: Date;
}

const rowOf = ({ createdAt, ...user }: NewUser) => ({
  id: newId(),
  ...user,
  createdAt: createdAt.toISOString(),
});

/** The stores of this service; what they insert is null when the e-mail address is taken. */
export function storesOf({ database }: Pick<Storage, "database">) {
  const users = openUsers(database);
  const idempotencyKeys = openIdempotencyKeys(database, DAY_MS, definition.formerRecordColumn);
  const operation = contract.operations["user.create"];
  const nullIfTaken = (error: unknown): null => {
    if (error instanceof UniqueViolation) return null;
    throw error;
  };
  return {
    idempotencyKeys,
    users: {
      ...users,
      insert: (user: NewUser, deadline?: number) =>
        users.insert(rowOf(user), undefined, deadline).catch(nullIfTaken),
      /** With a key, as `user.create` does: `replayed` is the response of an earlier call. */
      async insertOnce(user: NewUser, idempotencyKey: string) {
        const row = rowOf(user);
        const { name, email, createdAt } = user;
        const deadline = performance.now() + BOUND_MS;
        const call = { operation, input: { name, email }, caller: null, idempotencyKey };
        const command = {
          record: row.id,
          find: (tx: Transaction, id: string) => users.find(id, tx.read),
        };
        const result = await idempotencyKeys
          .once({ ...call, now: () => createdAt, deadline }, command, (tx) => users.insert(row, tx))
          .catch(nullIfTaken);
        return result instanceof HandlerResponse ? { replayed: result.parts } : result;
      },
    },
  };
}

// What a service imports of the server.
import { type AddCommand, runProcess } from "./cli/run-cli.ts";
import type { Definition } from "./definition.ts";

export { v7 as newId } from "uuid";
export type { Definition, ServerServices } from "./definition.ts";
export { documentHandlers } from "./documents/operations.ts";
export type { Handler, Handlers, RequestContext } from "./handler.ts";
export { instantOf } from "./instant.ts";
export { Problem } from "./problem.ts";
export { type CommandRecord, forgetResponses, type Once } from "./resources/idempotency.ts";
export { pageOf } from "./resources/pages.ts";
export { HandlerResponse } from "./response/response.ts";
export type { Database, Transaction } from "./storage/database.ts";
export type { Filters, ListOptions, OrderBy, Pages, ReadPage } from "./storage/driver.ts";
export type { Migration } from "./storage/migrate.ts";
export { protocolMigrations } from "./storage/protocol-migrations.ts";

/**
 * A service: `run` carries out a command of it as this process, `serve`, `migrate`, `keys`, … or
 * prints the help without one. `commands` are those of the service itself.
 */
export const createService = (definition: Definition, commands?: readonly AddCommand[]) => ({
  run: (args: readonly string[]): Promise<void> => runProcess(definition, args, commands),
});

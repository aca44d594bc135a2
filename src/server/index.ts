// What a service imports of the server.
export { v7 as newId } from "uuid";
export type { AddCommand } from "./cli/run-cli.ts";
export { type Cli, table, withStorage } from "./cli/terminal.ts";
export { defineService } from "./define-service.ts";
export type { Definition, ServerServices } from "./definition.ts";
export { documentHandlers } from "./documents/operations.ts";
export type { Handler, Handlers, RequestContext } from "./handler.ts";
export { instantOf } from "./instant.ts";
export type { RequestLog } from "./log/request-log.ts";
export { Problem, type ProblemOptions } from "./problem.ts";
export { type CommandRecord, forgetResponses, type Once } from "./resources/idempotency.ts";
export { pageOf } from "./resources/pages.ts";
export { HandlerResponse } from "./response/response.ts";
export type { Database, Transaction } from "./storage/database.ts";
export type { Filters, ListOptions, OrderBy, Pages, ReadPage } from "./storage/driver.ts";
export { ForeignKeyViolation, UniqueViolation } from "./storage/errors.ts";
export type { Migration } from "./storage/migrate.ts";
export { protocolMigrations } from "./storage/protocol-migrations.ts";

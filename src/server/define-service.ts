import { type AddCommand, runProcess } from "./cli/run-cli.ts";
import type { Contract, Operation } from "./contract.ts";
import type { Definition, ServerServices } from "./definition.ts";
import type { ContractTypes, Handlers } from "./handler.ts";
import type { Database } from "./storage/database.ts";
import type { Migration } from "./storage/migrate.ts";
import { protocolMigrations } from "./storage/protocol-migrations.ts";

/** A definition whose parts fit each other. */
interface ServiceDefinition<Types extends ContractTypes<Types>, Services>
  extends Omit<Definition, "contract" | "migrations" | "services" | "handlers"> {
  /** It has the operations of `Types`. */
  readonly contract: Contract & {
    readonly operations: { readonly [Id in keyof Types]: Operation };
  };
  /** In order, those of the protocol too, which are all that a service without tables has. */
  readonly migrations?: readonly Migration[];
  /**
   * What handlers work with; created once, at start. It stands before `handlers`, which get their
   * types from it.
   */
  readonly services: (database: Database, server: ServerServices) => Services;
  /** One for each operation of `Types`, and no other. */
  readonly handlers: Handlers<Types, Services>;
}

/**
 * A service by the generated `Types` of its contract: `defineService<Types>()({ … })`. `run`
 * carries out a command of it as this process, `serve`, `migrate`, `keys`, … or prints the help
 * without one; `commands` are those of the service itself.
 */
export const defineService =
  <Types extends ContractTypes<Types>>() =>
  <Services>(definition: ServiceDefinition<Types, Services>) => ({
    run: (args: readonly string[], commands?: readonly AddCommand[]): Promise<void> =>
      runProcess({ migrations: protocolMigrations, ...definition }, args, commands),
  });

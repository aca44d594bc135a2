import type { Contract } from "./contract.ts";
import type { Documents } from "./documents/documents.ts";
import type { SiteManifest } from "./documents/links.ts";
import type { AnyHandlers } from "./request/operation-table.ts";
import type { ServiceNames } from "./settings/variables.ts";
import type { Database } from "./storage/database.ts";
import type { Storage, StorageDefinition } from "./storage/storage.ts";

/** What the server itself offers handlers. */
export interface ServerServices {
  readonly documents: Documents;
  readonly checkWritable: Storage["checkWritable"];
}

/** A service: all that differs between two of them. */
export interface Definition extends ServiceNames, StorageDefinition {
  readonly contract: Contract;
  /**
   * The folder of its package, whose `generated/` has the contract that is published.
   * `defineService` takes that of the file that was started; without a folder, no file is served.
   */
  readonly root?: string;
  /**
   * Its documents: by default README, reference, problems and contract if its contract has
   * `docs.get`, otherwise none.
   */
  readonly publication?: SiteManifest;
  /**
   * A column of `idempotency_keys` in which releases before 4.0 look for the record that a create
   * has created.
   */
  readonly formerRecordColumn?: string;
  /** What handlers work with; created once, at start. */
  readonly services: (database: Database, server: ServerServices) => unknown;
  /** Typed by `Handlers`: one for each operation of the contract. */
  readonly handlers: AnyHandlers;
}

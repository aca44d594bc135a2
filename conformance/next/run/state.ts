import type { Memory } from "../exchange.ts";
import type { Client } from "../http/client.ts";
import type { Known } from "../model/learn.ts";
import type { Source, Tables } from "../requests/generate.ts";
import type { Inputs } from "./inputs.ts";
import type { RunOptions, Suite } from "./options.ts";
import type { Results } from "./results.ts";

/** Everything that belongs to one run: no module has any of it. */
export interface Run {
  readonly suite: Suite;
  readonly options: RunOptions;
  readonly runId: string;
  readonly client: Client;
  /** What is known of the deployment. */
  readonly world: Known;
  /** What laws remember. */
  readonly memory: Memory;
  readonly inputs: Inputs;
  readonly tables: Tables;
  readonly source: Source;
  readonly results: Results;
  /** Values of the records that this run has created, or may have. */
  readonly created: Set<string>;
  readonly mostCreated: number;
  /** Sends one after another what changes, or depends on, what the run has created. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Ends the run. */
  readonly end: (reason: string) => void;
  /** Ends it if as many requirements have failed as it may find. */
  readonly endAfterFailures: () => void;
}

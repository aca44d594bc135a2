import type { Law } from "./exchange.ts";
import type { GoldenText } from "./golden/read.ts";
import type { Views } from "./laws/view.ts";
import type { Contract } from "./oracle/contract.ts";
import type { Own } from "./oracle/own.ts";
import type { Oracle } from "./oracle/predict.ts";
import type { Further } from "./requests/tables.ts";
import type { Script } from "./run/state.ts";

/** What one service knows and its contract cannot say. What is about an operation or a requirement of other contracts is left out. */
export interface Extension extends Further {
  readonly id: string;
  /** Rules of single operations, values that must be unique, names that a list shows. */
  readonly rules?: readonly Own[];
  /** What holds of every response, each by the id of its requirement. */
  readonly laws?: (contract: Contract, views: Views) => readonly Law[];
  /** Hand-written exchanges. */
  readonly golden?: readonly GoldenText[];
  /** Checks that are more than a request and its response. */
  readonly scripts?: (oracle: Oracle) => readonly Script[];
}

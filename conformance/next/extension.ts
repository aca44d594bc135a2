import type { Contract, Operation } from "../oracle/contract.ts";
import type { Own } from "../oracle/own.ts";
import type { Oracle } from "../oracle/predict.ts";
import type { Law } from "./exchange.ts";
import type { GoldenText } from "./golden/read.ts";
import type { Views } from "./laws/view.ts";
import type { Variation } from "./requests/draft.ts";
import type { Script } from "./run/state.ts";

/** What one service knows and its contract cannot say. What is about an operation or a requirement of other contracts is left out. */
export interface Extension {
  readonly id: string;
  /** Paths that are served next to the endpoint. */
  readonly paths?: readonly string[];
  /** Rules of single operations, values that must be unique, names that a list shows. */
  readonly rules?: readonly Own[];
  /** Further ways in which a request to an operation can vary. */
  readonly rows?: (contract: Contract, operation: Operation) => readonly Variation[];
  /** What holds of every response, each by the id of its requirement. */
  readonly laws?: (contract: Contract, views: Views) => readonly Law[];
  /** Exchanges that are written by hand. */
  readonly golden?: readonly GoldenText[];
  /** Checks that are more than a request and its response. */
  readonly scripts?: (oracle: Oracle) => readonly Script[];
}

import type { Law } from "../exchange.ts";
import type { Golden } from "../golden/table.ts";
import type { ExchangeParser } from "../laws/parsed-exchange.ts";
import type { Contract } from "../oracle/contract.ts";
import type { OperationExtension } from "../oracle/operation-extension.ts";
import type { Oracle } from "../oracle/predict.ts";
import type { RequestExtension } from "../requests/generate.ts";
import type { Script } from "../run/state.ts";

/**
 * What one service knows and its contract cannot say. What is about an operation or a requirement
 * of other contracts is left out.
 */
export interface Extension extends RequestExtension {
  readonly id: string;
  /** Rules of single operations, values that must be unique, names that a list shows. */
  readonly rules?: readonly OperationExtension[];
  /** What holds of every response, each by the id of its requirement. */
  readonly laws?: (contract: Contract, parse: ExchangeParser) => readonly Law[];
  /** Hand-written exchanges. */
  readonly golden?: readonly Golden[];
  /** Checks that are more than a request and its response. */
  readonly scripts?: (oracle: Oracle) => readonly Script[];
}

import type { Contract, Operation } from "../oracle/contract.ts";
import { accept } from "./accept.ts";
import { body } from "./body.ts";
import { credentials, kindsOf } from "./credentials.ts";
import type { Variation } from "./draft.ts";
import { echo } from "./echo.ts";
import { fields } from "./fields.ts";
import { framing } from "./framing.ts";
import { head } from "./head.ts";
import { input } from "./input.ts";
import { withMeant } from "./meant.ts";
import { name } from "./name.ts";
import { query } from "./query.ts";
import { target } from "./target.ts";

/** What a contract does not say about the requests to its deployments. */
export interface Further {
  /** Paths that are served next to the endpoint. */
  readonly paths?: readonly string[];
  /** Further ways in which a request to an operation can vary. */
  readonly rows?: (contract: Contract, operation: Operation) => readonly Variation[];
}

/** Every way in which a request to an operation can vary, by name. No row says what is right: the oracle does. */
export function rowsOf(
  contract: Contract,
  operation: Operation,
  further: readonly Further[],
): ReadonlyMap<string, Variation> {
  const all = [
    ...input(contract, operation),
    ...name(contract, operation),
    ...credentials(kindsOf(contract)),
    ...query,
    ...accept(operation),
    ...body(contract),
    ...fields,
    ...echo(contract.keys.prefix),
    ...framing(contract),
    ...head(contract),
    ...target(further.flatMap(({ paths = [] }) => paths)),
    ...further.flatMap(({ rows }) => rows?.(contract, operation) ?? []),
  ]
    .filter(({ only }) => only === undefined || only === operation.method)
    .map((one) => withMeant(one, operation));
  const rows = new Map(all.map((one) => [one.name, one]));
  if (rows.size < all.length) {
    const twice = all.filter((one) => rows.get(one.name) !== one).map((one) => one.name);
    throw new Error(`rows of ${operation.id} with the same name: ${twice.join(", ")}`);
  }
  return rows;
}

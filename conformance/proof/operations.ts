import { pageItemOf, takesIdempotencyKey } from "../oracle/contract.ts";
import { packaged } from "../packaged.ts";
import { probesOf } from "../run/preflight.ts";

/** The operations of the contract. */

const { contract, operationExtensions } = packaged.oracle;
export const operations = Object.values(contract.operations);
export const queries = operations.filter(({ method }) => method === "GET");
export const commands = operations.filter(({ method }) => method === "POST");
export const paged = queries.filter((one) => pageItemOf(contract, one) !== null);
/** The query used where any would do: one without credentials and input, if there is one. */
export const { simplest } = probesOf(contract);

/** Commands that create a record with an e-mail address, by which mutants recognize it. */
export const creating = commands.filter((one) => "email" in one.input && takesIdempotencyKey(one));

/** Operations whose successes show which names of a template exist. */
export const listing = operationExtensions.flatMap(({ operation, names }) =>
  names ? [operation] : [],
);

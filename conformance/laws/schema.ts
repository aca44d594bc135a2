import type { Difference } from "../exchange.ts";
import type { Contract, Operation, Schema } from "../oracle/contract.ts";
import { Points } from "../oracle/points.ts";
import { type Fault, faultsOf } from "../oracle/schema.ts";
import { differs } from "./difference.ts";
import type { View } from "./view.ts";

const RIGHT = new Points();

/** The location of a fault; of an undocumented member, its own. */
function aspectOf({ place, strangers: [stranger] = [] }: Fault): string {
  const pointer = decodeURI(place) + (stranger === undefined ? "" : `/${stranger}`);
  return pointer === "#" ? "body" : `body:/${pointer.slice(2)}`;
}

/** A fault as text: `#/items/0/id pattern`, `# has host, which is not documented`. */
const textOf = ({ place, rule, strangers }: Fault) =>
  `${place} ${strangers ? `has ${strangers.join(", ")}, which is not documented` : rule.split(" ").at(-1)}`;

/** Where the body of a response is not as its schema says (D9); undocumented members last. */
export function bodyDifference(
  contract: Contract,
  operation: Operation,
  schema: Schema,
  body: unknown,
): Difference | null {
  const all = faultsOf({ contract, operation, at: RIGHT }, schema, body, { member: "", place: "#" });
  const first = all.find(({ strangers }) => !strangers) ?? all[0];
  if (!first) return null;
  const found = [first, ...all.filter((one) => one !== first)].slice(0, 3).map(textOf).join("; ");
  return differs(aspectOf(first), `an answer of ${operation.id} as documented`, found);
}

/** The same for the success of an operation in JSON; null also where it documents none with this status. */
export const documentedDifference = (view: View, operation: Operation): Difference | null =>
  view.once("as documented", () => {
    const documented = operation.responses.find(
      ({ status, mediaType }) => status === view.status && mediaType === "application/json",
    );
    return documented ? bodyDifference(view.contract, operation, documented.schema, view.json) : null;
  });

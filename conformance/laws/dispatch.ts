import type { Difference } from "../exchange.ts";
import { differs, excerpt, firstOf } from "./difference.ts";
import { law, type ViewLaw } from "./law.ts";
import type { View } from "./view.ts";

/** Laws for every response, however the operation is named (D3, D12). */

/** The response names the operation that the request names, and none if it is unknown. */
function named(view: View): Difference | null {
  const said = view.values("x-operation").join(", ");
  const expected = view.operation?.id;
  if (said === (expected ?? "")) return null;
  const actual = `${said || "none"} with status ${view.status}`;
  return differs("header:x-operation", `X-Operation: ${expected ?? "none"}`, actual);
}

/** Shorter names may be in a response by chance. */
const LEAST = 8;

/** The name that no operation has; null if it may be in a response anyway: near to a name, or a word of the contract. */
function unknownName({ contract, exchange: { prediction }, reading: { name } }: View): string | null {
  if (prediction?.code !== "operation-not-found" || typeof name !== "string" || name.length < LEAST) return null;
  const names = Object.values(contract.operations).flatMap((one) => [one.name, ...one.known]);
  const known = JSON.stringify([names, contract.problems]).toLowerCase();
  return known.includes(name.toLowerCase()) ? null : name.toLowerCase();
}

/** The name of an unknown operation is not in the response, in any spelling. */
function noEcho(view: View): Difference | null {
  const name = unknownName(view) ?? "";
  const spellings = [name, Buffer.from(name).toString("base64").slice(0, -4).toLowerCase()];
  return firstOf([...view.head, ["body", view.text] as const], ([aspect, text]) =>
    spellings.some((one) => text.toLowerCase().includes(one))
      ? differs(aspect, "the name of an unknown operation not to be repeated", excerpt(text))
      : null,
  );
}

export const dispatchLaws: readonly ViewLaw[] = [
  // An unpredicted rejection may come from a proxy: its own requirement reports it.
  law("dispatch/x-operation", (view) => view.status === view.exchange.prediction?.status, named),
  law("dispatch/no-echo", (view) => unknownName(view) !== null, noEcho),
];

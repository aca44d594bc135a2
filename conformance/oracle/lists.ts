import { membersOf, type Operation } from "./contract.ts";
import type { ParsedRequest } from "./parsed-request.ts";

/** The list that a request reads: an operation, and the input that decides what is in it (D26). */

/** The parameters of a list that are not about its pages. */
export const furtherOf = ({ input }: Operation): readonly string[] =>
  Object.keys(input).filter((name) => name !== "limit" && name !== "cursor");

const readAs = (type: string, text: string): unknown => {
  if (type === "strings") return text.split(",");
  if (type === "integers") return text.split(",").map(Number);
  if (type === "boolean") return text === "true";
  return type === "integer" || type === "number" ? Number(text) : text;
};

/** The further parameters of a request as they are validated; null for one that is absent. */
export function valuesOf({ operation, contract, inputParameters }: ParsedRequest) {
  if (!operation) return [];
  const members = membersOf(contract, operation.schema);
  const sent = new Map(inputParameters);
  return furtherOf(operation).map((name): unknown => {
    const text = sent.get(name);
    if (text === undefined) return members[name]?.default ?? null;
    return readAs(operation.input[name]?.type ?? "", text);
  });
}

/**
 * What a cursor is bound to: the id of the operation where nothing but defaults and the page is
 * sent, otherwise also its name as it is called and its further parameters as they are validated.
 */
export function listOf(r: ParsedRequest): string {
  const { operation, contract } = r;
  if (!operation) return "";
  const members = membersOf(contract, operation.schema);
  const defaults = furtherOf(operation).map((name) => members[name]?.default ?? null);
  const written = JSON.stringify(valuesOf(r));
  const isWhole = operation.parts.length === 0 && written === JSON.stringify(defaults);
  return isWhole ? operation.id : `${r.name} ${written}`;
}

/**
 * The same, and the header fields that the operation declares: its items may depend on them too.
 */
export function listKeyOf(r: ParsedRequest): string {
  const sent =
    r.operation?.headers.flatMap(({ name }) => r.fields(name).map((value) => [name, value])) ?? [];
  return sent.length === 0 ? listOf(r) : `${listOf(r)} ${JSON.stringify(sent)}`;
}

import { type Operation, requirementOf } from "../oracle/contract.ts";
import type { Oracle } from "../oracle/predict.ts";
import { isObject } from "../oracle/schema.ts";
import type { World } from "../oracle/world.ts";
import type { Predicted } from "./exchange.ts";

/** Which rule a wrong response is about. */

/** The faults that a problem lists, by their places. */
const placesIn = (json: unknown): readonly string[] => {
  const { errors } = Object(json);
  const all: readonly unknown[] = Array.isArray(errors) ? errors : [];
  return all.filter(isObject).map(({ pointer, parameter }) => String(pointer ?? parameter));
};

/** The first requirement about a member, where a fault of it is listed that it does not have. */
function ofMember(operation: Operation, places: readonly string[], right: readonly string[]): string | undefined {
  const [wrong = ""] = places.filter((place) => !right.includes(place));
  const member = wrong.replace(/^#\/data\//, "");
  return Object.entries(operation.decides).find(([rule]) => rule.startsWith(`${member} `))?.[1];
}

/**
 * The requirement of the check that decides a response. A response that says that an earlier check has failed is about that one: the
 * request passes it. One that names another type than the preferred one is about the formats of its operation.
 */
export function accusedBy(oracle: Oracle, world: World, { request, prediction, response }: Predicted): string {
  const { contract, rules } = oracle;
  const { by, code, operation, places = [], mediaType } = prediction;
  const said = Object(response?.json).code;
  if (response && response.status < 300 && code === null && operation && mediaType !== undefined)
    return isOfType(response.fields, mediaType) ? by : requirementOf(contract, operation, "formats", by);
  if (said === "invalid-input" && operation) return ofMember(operation, placesIn(response?.json), places) ?? by;
  const claimed = rules.findIndex((rule) => rule.code === said);
  const decided = rules.findIndex((rule) => rule.code === code);
  if (claimed < 0 || (decided >= 0 && claimed >= decided)) return by;
  const rule = rules[claimed]?.by ?? by;
  return typeof rule === "string" ? rule : rule(oracle.read(request, world));
}

const isOfType = (fields: Predicted["request"]["fields"], mediaType: string): boolean =>
  fields.some(([name, value]) => name.toLowerCase() === "content-type" && value.toLowerCase().startsWith(mediaType));

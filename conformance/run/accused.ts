import type { Exchange, Response } from "../exchange.ts";
import {
  type Contract,
  membersOf,
  type Operation,
  requirementOf,
  resolve,
} from "../oracle/contract.ts";
import { fieldsOf, type ModelState } from "../oracle/model-state.ts";
import type { Oracle, Prediction } from "../oracle/predict.ts";
import { isObject } from "../oracle/schema.ts";
import { stringOf } from "../oracle/values.ts";

/** Which rule a wrong response is about. */

/** The faults that a problem lists, by their places. */
const placesIn = (json: unknown): readonly string[] => {
  const { errors } = Object(json);
  const all: readonly unknown[] = Array.isArray(errors) ? errors : [];
  return all.filter(isObject).map(({ pointer, parameter }) => String(pointer ?? parameter));
};

/**
 * The requirement about a member where a fault of it is listed that it does not have: at a bound of
 * its length that of the length.
 */
function ofMember(
  contract: Contract,
  operation: Operation,
  data: unknown,
  extraPlaces: readonly string[],
): string | undefined {
  const [wrong = ""] = extraPlaces;
  const member = wrong.replace(/^#\/data\//, "");
  const { minLength = 0, maxLength = Infinity } = resolve(
    contract,
    membersOf(contract, operation.schema)[member] ?? {},
  );
  const { length } = [...stringOf(Object(data)[member])];
  const isAtBound = length <= minLength || length >= maxLength - 1;
  const rules = Object.entries(operation.decides).filter(([rule]) => rule.startsWith(`${member} `));
  const decision = rules.find(([rule]) => rule.endsWith("Length") === isAtBound) ?? rules[0];
  return decision?.[1];
}

/**
 * The requirement of the check that decides a response. A response that says that an earlier check
 * has failed is about that one: the request passes it. One that names another type than the
 * preferred one is about the formats of its operation.
 */
export function accusedBy(
  oracle: Oracle,
  model: ModelState,
  { request, response }: Exchange,
  prediction: Prediction,
): string {
  const { contract, rules } = oracle;
  const { by, code, operation, places = [], mediaType } = prediction;
  const said = Object(response?.json).code;
  if (response && response.status < 300 && code === null && operation && mediaType !== undefined)
    return requirementOf(contract, operation, partOf(response, mediaType), by);
  if (said === "invalid-input" && operation) {
    const extraPlaces = placesIn(response?.json).filter((place) => !places.includes(place));
    return ofMember(contract, operation, oracle.read(request, model).json?.data, extraPlaces) ?? by;
  }
  const claimed = rules.findLastIndex((rule) => rule.code === said);
  const decided = rules.findIndex((rule) => rule.code === code);
  // If both are rejections, the right one keeps its requirement: a known failure may name it.
  if (
    claimed < 0 ||
    (code !== null && code !== "invalid-input") ||
    (decided >= 0 && claimed >= decided)
  )
    return by;
  const rule = rules[claimed]?.by ?? by;
  return typeof rule === "string" ? rule : rule(oracle.read(request, model));
}

/** The rule of a representation that is not as predicted: of its type, or of its coding. */
function partOf({ fields, json }: Response, mediaType: string): string {
  const [type = "", coding] = ["Content-Type", "Content-Encoding"].map(
    (name) => fieldsOf(fields, name)[0],
  );
  if (!type.toLowerCase().startsWith(mediaType)) return "formats";
  return coding !== undefined && json === undefined && mediaType === "application/json"
    ? "compressed"
    : "";
}

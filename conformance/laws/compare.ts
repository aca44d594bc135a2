import { isDeepStrictEqual } from "node:util";
import type { Difference, Exchange } from "../exchange.ts";
import { type Contract, type Operation, type Schema, successOf } from "../oracle/contract.ts";
import { DecisionPoints } from "../oracle/decision-points.ts";
import { isPointer, tokenOf } from "../oracle/pointer.ts";
import type { Prediction } from "../oracle/predict.ts";
import { type Fault, schemaFaultsOf } from "../oracle/schema.ts";
import { stringOf } from "../oracle/values.ts";
import { differs, excerpt, firstDifference } from "./difference.ts";
import { type ExchangeParser, exchangeParserFor, type ParsedExchange } from "./parsed-exchange.ts";

/** `401 credentials-missing`, and the alternatives that the contract allows. */
export function predictedText({ status, code, or = [], orStatus }: Prediction): string {
  const first = code ? `${status} ${code}` : `${status}`;
  return [first, ...or.map((one) => one ?? "a success"), ...(orStatus ? [`${orStatus}`] : [])].join(
    " or ",
  );
}

/**
 * The responses that the contract allows, the preferred one first; each with nothing left to
 * choose.
 */
function formsOf(prediction: Prediction, contract: Contract): readonly Prediction[] {
  const { or = [], orStatus, orLocation, ...first } = prediction;
  const { by, step, operation } = first;
  const common = { by, step, operation };
  return [
    first,
    ...(orLocation === undefined ? [] : [{ ...first, location: orLocation }]),
    ...(orStatus === undefined ? [] : [{ ...common, code: null, status: orStatus }]),
    ...or.map((code) =>
      code === null
        ? { ...common, code, status: operation ? successOf(operation) : 200 }
        : { ...common, code, status: contract.problems[code]?.status ?? 0 },
    ),
  ];
}

/**
 * Whether it is this relative address, below any path prefix: an address on another host begins
 * with a scheme or two slashes.
 */
const isAddress = (value: string, location: string) =>
  value === location || (/^\/(?!\/)/.test(value) && value.endsWith(`/${location}`));

const sorted = (list: string) =>
  list
    .split(/\s*,\s*/)
    .sort()
    .join(", ");

/**
 * Where a response is not the predicted one; null if it is. Of several that the contract allows,
 * the one that differs least is compared. `parse`: the parser of the laws.
 */
export function compare(
  exchange: Exchange,
  contract: Contract,
  parse: ExchangeParser = exchangeParserFor(contract),
): Difference | null {
  const { prediction } = exchange;
  const parsed = parse(exchange);
  if (!parsed || !prediction) return null;
  const code = parsed.status >= 400 && !parsed.isHead ? parsed.member("code") : null;
  const forms = formsOf(prediction, contract).filter(({ status }) => status === parsed.status);
  const same = forms.find((form) => form.code === code) ?? forms[0];
  if (!same) {
    const received = `${parsed.status} ${code ?? (parsed.mediaType || "without a media type")}`;
    return differs("status", predictedText(prediction), received);
  }
  const all = forms
    .filter((form) => form.code === same.code)
    .map((form) => [...differences(parsed, form, prediction)]);
  const [least = []] = all.sort((one, other) => one.length - other.length);
  return least[0] ?? null;
}

/** What differs from a form with the same status. */
function* differences(
  parsed: ParsedExchange,
  form: Prediction,
  whole: Prediction,
): Generator<Difference> {
  const { code, operation, allow, location, mediaType, places } = form;
  const { isHead, status } = parsed;
  const said = parsed.member("code");
  if (code !== null && !isHead && said !== code)
    yield differs("body:/code", predictedText(whole), `${status} ${said ?? excerpt(parsed.text)}`);
  if (allow !== undefined && sorted(parsed.header("allow") ?? "") !== sorted(allow))
    yield differs("header:allow", `Allow: ${allow}`, `Allow: ${parsed.header("allow") ?? "none"}`);
  if (parsed.header("x-operation") !== operation?.id)
    yield parsed.headerDifference("X-Operation", `X-Operation: ${operation?.id ?? "none"}`);
  const there = parsed.header("location");
  if (location !== undefined && !isAddress(there ?? "", location))
    yield parsed.headerDifference("Location", `Location: ${location}`);
  if (location === undefined && status < 300 && there !== undefined)
    yield parsed.headerDifference("Location", "no Location");
  if (mediaType && parsed.mediaType !== mediaType)
    yield differs("header:content-type", mediaType, parsed.mediaType || "none");
  if (code === null && status < 300) yield* success(parsed, form);
  if (places && !isHead) yield* faults(parsed, places);
}

function* success(
  parsed: ParsedExchange,
  { operation, mediaType, replayed }: Prediction,
): Generator<Difference> {
  const [value, expected] = replayed
    ? ["true", "Idempotent-Replayed: true"]
    : [undefined, "no Idempotent-Replayed"];
  if (parsed.header("idempotent-replayed") !== value)
    yield parsed.headerDifference("Idempotent-Replayed", expected);
  if (parsed.isHead || !operation || mediaType !== "application/json") return;
  if (parsed.json === undefined) {
    yield differs(
      "body",
      "one JSON text as the body",
      parsed.text === "" ? "an empty body" : excerpt(parsed.text),
    );
    return;
  }
  if (replayed && !isDeepStrictEqual(replayed.body, parsed.json))
    yield firstDifference("body", JSON.stringify(replayed.body), JSON.stringify(parsed.json));
  const difference = documentedDifference(parsed, operation);
  if (difference) yield difference;
}

function placeOf(fault: unknown): string {
  const { pointer, parameter } = Object(fault);
  const [member, place] =
    pointer === undefined ? ["parameter", stringOf(parameter)] : ["pointer", stringOf(pointer)];
  return isPointer(place) === (member === "pointer") ? place : `the ${member} ${place}`;
}

function* faults(parsed: ParsedExchange, places: readonly string[]): Generator<Difference> {
  const errors = parsed.object?.errors;
  const named = (Array.isArray(errors) ? errors : []).map(placeOf);
  const missing = places.filter((place) => !named.includes(place));
  const extra = named.filter((place) => !places.includes(place));
  // One fault that is listed again leaves out no other.
  const listed = new Set(
    (Array.isArray(errors) ? errors : []).map((fault) => JSON.stringify(fault)),
  );
  const isFull = listed.size >= parsed.contract.limits.faults;
  if (extra.length === 0 && (missing.length === 0 || isFull)) return;
  const text = (some: readonly string[]) => [...some].sort().join(", ") || "none";
  yield differs("body:/errors", `faults at ${text(places)}`, `faults at ${text(named)}`);
}

const RIGHT = new DecisionPoints();

/** The location of a fault; of an undocumented member, its own. */
function aspectOf({ place, strangers: [stranger] = [] }: Fault): string {
  const pointer =
    decodeURIComponent(place) + (stranger === undefined ? "" : `/${tokenOf(stranger)}`);
  return pointer === "#" ? "body" : `body:/${pointer.slice(2)}`;
}

/** A fault as text: `#/items/0/id pattern`, `# has host, which is not documented`. */
const textOf = ({ place, rule, strangers }: Fault) =>
  `${place} ` +
  `${strangers ? `has ${strangers.join(", ")}, which is not documented` : rule.split(" ").at(-1)}`;

/** Where the body of a response is not as its schema says (D9); undocumented members last. */
export function bodyDifference(
  contract: Contract,
  operation: Operation,
  schema: Schema,
  body: unknown,
): Difference | null {
  const context = { contract, operation, at: RIGHT, isResponse: true } as const;
  const all = schemaFaultsOf(context, schema, body, { member: "", place: "#" });
  const first = all.find(({ strangers }) => !strangers) ?? all[0];
  if (!first) return null;
  const actual = [first, ...all.filter((one) => one !== first)].slice(0, 3).map(textOf).join("; ");
  return differs(aspectOf(first), `an answer of ${operation.id} as documented`, actual);
}

/**
 * Where a success of an operation in JSON is not as documented; null also where it documents none
 * with this status.
 */
export const documentedDifference = (
  parsed: ParsedExchange,
  operation: Operation,
): Difference | null =>
  parsed.once("as documented", () => {
    const documented = operation.responses.find(
      ({ status, mediaType }) => status === parsed.status && mediaType === "application/json",
    );
    return documented
      ? bodyDifference(parsed.contract, operation, documented.schema, parsed.json)
      : null;
  });

import { isDeepStrictEqual } from "node:util";
import type { Difference, Exchange } from "../exchange.ts";
import { type Contract, type Operation, type Schema, successOf } from "../oracle/contract.ts";
import { isPointer, tokenOf } from "../oracle/pointer.ts";
import { Points } from "../oracle/points.ts";
import type { Prediction } from "../oracle/predict.ts";
import { type Fault, faultsOf } from "../oracle/schema.ts";
import { differing, differs, excerpt, stringOf } from "./difference.ts";
import { type View, type Views, viewsOf } from "./view.ts";

/** `401 credentials-missing`, and the alternatives that the contract allows. */
function predictedText({ status, code, or = [], orStatus }: Prediction): string {
  const first = code ? `${status} ${code}` : `${status}`;
  return [first, ...or.map((one) => one ?? "a success"), ...(orStatus ? [`${orStatus}`] : [])].join(
    " or ",
  );
}

/** The responses that the contract allows, the preferred one first; each with nothing left to choose. */
function formsOf(prediction: Prediction, contract: Contract): readonly Prediction[] {
  const { or = [], orStatus, orLocation, ...first } = prediction;
  const { by, step, operation } = first;
  const other = { by, step, operation };
  return [
    first,
    ...(orLocation === undefined ? [] : [{ ...first, location: orLocation }]),
    ...(orStatus === undefined ? [] : [{ ...other, code: null, status: orStatus }]),
    ...or.map((code) =>
      code === null
        ? { ...other, code, status: operation ? successOf(operation) : 200 }
        : { ...other, code, status: contract.problems[code]?.status ?? 0 },
    ),
  ];
}

/** Whether it is this relative address, below any path prefix: an address on another host begins with a scheme or two slashes. */
const isAddress = (value: string, location: string) =>
  value === location || (/^\/(?!\/)/.test(value) && value.endsWith(`/${location}`));

const sorted = (list: string) =>
  list
    .split(/\s*,\s*/)
    .sort()
    .join(", ");

/**
 * Where a response is not the predicted one; null if it is. Of several that the contract allows, the one that differs least is
 * compared. `views`: those of the laws.
 */
export function compare(
  exchange: Exchange,
  contract: Contract,
  views: Views = viewsOf(contract),
): Difference | null {
  const { prediction } = exchange;
  const view = views(exchange);
  if (!view || !prediction) return null;
  const code = view.status >= 400 && !view.isHead ? view.member("code") : null;
  const forms = formsOf(prediction, contract).filter(({ status }) => status === view.status);
  const same = forms.find((form) => form.code === code) ?? forms[0];
  if (!same) {
    const received = `${view.status} ${code ?? (view.mediaType || "without a media type")}`;
    return differs("status", predictedText(prediction), received);
  }
  const all = forms
    .filter((form) => form.code === same.code)
    .map((form) => [...differences(view, form, prediction)]);
  const [least = []] = all.sort((one, other) => one.length - other.length);
  return least[0] ?? null;
}

/** What differs from a form with the same status. */
function* differences(view: View, form: Prediction, whole: Prediction): Generator<Difference> {
  const { code, operation, allow, location, mediaType, places } = form;
  const { isHead, status } = view;
  const said = view.member("code");
  if (code !== null && !isHead && said !== code)
    yield differs("body:/code", predictedText(whole), `${status} ${said ?? excerpt(view.text)}`);
  if (allow !== undefined && sorted(view.header("allow") ?? "") !== sorted(allow))
    yield differs("header:allow", `Allow: ${allow}`, `Allow: ${view.header("allow") ?? "none"}`);
  if (view.header("x-operation") !== operation?.id)
    yield view.headerDifference("X-Operation", `X-Operation: ${operation?.id ?? "none"}`);
  const there = view.header("location");
  if (location !== undefined && !isAddress(there ?? "", location))
    yield view.headerDifference("Location", `Location: ${location}`);
  if (location === undefined && status < 300 && there !== undefined)
    yield view.headerDifference("Location", "no Location");
  if (mediaType && view.mediaType !== mediaType)
    yield differs("header:content-type", mediaType, view.mediaType || "none");
  if (code === null && status < 300) yield* success(view, form);
  if (places && !isHead) yield* faults(view, places);
}

function* success(
  view: View,
  { operation, mediaType, replayed }: Prediction,
): Generator<Difference> {
  const [value, expected] = replayed
    ? ["true", "Idempotent-Replayed: true"]
    : [undefined, "no Idempotent-Replayed"];
  if (view.header("idempotent-replayed") !== value)
    yield view.headerDifference("Idempotent-Replayed", expected);
  if (view.isHead || !operation || mediaType !== "application/json") return;
  if (view.json === undefined) {
    yield differs(
      "body",
      "one JSON text as the body",
      view.text === "" ? "an empty body" : excerpt(view.text),
    );
    return;
  }
  if (replayed && !isDeepStrictEqual(replayed.body, view.json))
    yield differing("body", JSON.stringify(replayed.body), JSON.stringify(view.json));
  const found = documentedDifference(view, operation);
  if (found) yield found;
}

function placeOf(fault: unknown): string {
  const { pointer, parameter } = Object(fault);
  const [member, place] =
    pointer === undefined ? ["parameter", stringOf(parameter)] : ["pointer", stringOf(pointer)];
  return isPointer(place) === (member === "pointer") ? place : `the ${member} ${place}`;
}

function* faults(view: View, places: readonly string[]): Generator<Difference> {
  const errors = view.object?.errors;
  const named = (Array.isArray(errors) ? errors : []).map(placeOf);
  const missing = places.filter((place) => !named.includes(place));
  const more = named.filter((place) => !places.includes(place));
  // One fault that is listed again leaves out no other.
  const listed = new Set(
    (Array.isArray(errors) ? errors : []).map((fault) => JSON.stringify(fault)),
  );
  const isFull = listed.size >= view.contract.limits.faults;
  if (more.length === 0 && (missing.length === 0 || isFull)) return;
  const text = (some: readonly string[]) => [...some].sort().join(", ") || "none";
  yield differs("body:/errors", `faults at ${text(places)}`, `faults at ${text(named)}`);
}

const RIGHT = new Points();

/** The location of a fault; of an undocumented member, its own. */
function aspectOf({ place, strangers: [stranger] = [] }: Fault): string {
  const pointer =
    decodeURIComponent(place) + (stranger === undefined ? "" : `/${tokenOf(stranger)}`);
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
  const context = { contract, operation, at: RIGHT, isResponse: true } as const;
  const all = faultsOf(context, schema, body, { member: "", place: "#" });
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
    return documented
      ? bodyDifference(view.contract, operation, documented.schema, view.json)
      : null;
  });

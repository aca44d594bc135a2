import type { Difference } from "../exchange.ts";
import { mediaTypeFor } from "../oracle/accept.ts";
import { type Contract, createsRecord, mediaTypesOf, pageItemOf } from "../oracle/contract.ts";
import { isPointer } from "../oracle/pointer.ts";
import { CREDENTIALS, KEY } from "../oracle/reading.ts";
import { compare } from "./compare.ts";
import { isSuccess, law, type ViewLaw } from "./law.ts";
import type { View } from "./view.ts";

/**
 * Requirements that no single rule decides: each is about requests of a kind, and kept where their responses are the predicted ones.
 * A response that differs breaks the requirement of its rule, and these as well.
 */

const asPredicted = (view: View): Difference | null =>
  view.once("the difference from the prediction", () => compare(view.exchange, view.contract));
/** A parser that rejects a request has not read what it is about. */
const isRead = ({ exchange: { prediction } }: View) =>
  prediction !== null &&
  prediction.step !== "readHead" &&
  !prediction.or?.includes("malformed-request");

export const predicted = (id: string, of: (view: View) => boolean): ViewLaw =>
  law(id, (view) => isRead(view) && of(view), asPredicted);

const codeOf = ({ exchange: { prediction } }: View) => prediction?.code ?? null;
const stepOf = ({ exchange: { prediction } }: View) => prediction?.step ?? "";
const placesOf = ({ exchange: { prediction } }: View) => prediction?.places ?? [];

/** Whether an operation is carried out. */
const isCalled = (view: View) =>
  view.operation !== null && codeOf(view) === null && stepOf(view) === "handled";
const isReplayed = ({ exchange: { prediction } }: View) => prediction?.replayed !== undefined;
const isRejectedForCredentials = (view: View) =>
  /^credentials?-|^(?:scope|platform)-/.test(codeOf(view) ?? "");
/** Whether the header and the query have another or no value of a credential. */
const isFaulty = ({ reading }: View, name: string) =>
  new Set([...reading.fields(name), ...reading.named(name)].filter((value) => value !== ""))
    .size !== 1;
const hasUnknown = ({ reading, request }: View) =>
  reading.named("unknown").length > 0 || request.body.includes('"unknown":');
const isUnacceptable = ({ reading, operation }: View) =>
  operation !== null && mediaTypeFor(reading, mediaTypesOf(operation)) === null;

/** A name that would be one, if letter case, blanks and further parts did not matter. */
function isNearlyNamed({ contract, reading: { name } }: View): boolean {
  if (typeof name !== "string") return false;
  const plain = name.trim().toLowerCase();
  const names = Object.values(contract.operations).map((one) => one.name.replace(/\.?\{.*/, ""));
  return names.some(
    (one) => plain === one || plain.startsWith(`${one}.`) || one.startsWith(`${plain}.`),
  );
}

const predictedLaws: readonly ViewLaw[] = [
  predicted("dispatch/one-path", (view) => view.operation !== null),
  predicted(
    "dispatch/not-by-path",
    ({ reading: { path } }) => path.startsWith("/api/") && path !== "/api/",
  ),
  predicted("dispatch/no-version-in-path", ({ reading: { path } }) => /\/v\d/.test(path)),
  predicted("dispatch/query-style", (view) => view.request.method === "GET" && isCalled(view)),
  predicted("dispatch/body-style", (view) => view.request.method === "POST" && isCalled(view)),
  predicted("dispatch/every-operation", isCalled),
  predicted(
    "dispatch/case-sensitive",
    (view) => codeOf(view) === "operation-not-found" && isNearlyNamed(view),
  ),
  predicted(
    "dispatch/get-changes-nothing",
    (view) => view.request.method === "GET" && stepOf(view) === "checkMethod",
  ),
  predicted(
    "dispatch/body-on-get",
    ({ request }) => request.method === "GET" && request.body !== "",
  ),
  predicted("dispatch/no-method-override", ({ request }) =>
    request.fields.some(([name]) => /^x-(?:http-)?method(?:-override)?$/i.test(name)),
  ),
  predicted(
    "dispatch/order-method-first",
    (view) => stepOf(view) === "checkMethod" && isFaulty(view, KEY),
  ),
  predicted(
    "dispatch/order-credentials-first",
    (view) => isRejectedForCredentials(view) && (hasUnknown(view) || isUnacceptable(view)),
  ),
  predicted(
    "dispatch/order-accept-before-input",
    (view) => stepOf(view) === "negotiate" && hasUnknown(view),
  ),
  predicted(
    "credentials/order",
    (view) => isRejectedForCredentials(view) && CREDENTIALS.every((name) => isFaulty(view, name)),
  ),
  predicted("errors/pointer", (view) => placesOf(view).some(isPointer)),
  predicted("errors/parameter", (view) => !placesOf(view).every(isPointer)),
];

/** The same of each operation, by the names that its requirements have. */
export const predictedOf = (contract: Contract): readonly ViewLaw[] => [
  ...predictedLaws,
  ...Object.values(contract.operations).flatMap((operation) => {
    const { id } = operation;
    const isList = pageItemOf(contract, operation) !== null;
    const of = (rule: string, takes: (view: View) => boolean) =>
      predicted(`${id}/${rule}`, (view) => view.operation?.id === id && takes(view));
    const sends = ({ reading }: View, name: string) =>
      [...reading.fields(name), ...reading.named(name)].length > 0;
    return [
      of("answer", (view) => isSuccess(view) && !view.isHead),
      of(
        "json",
        (view) => isSuccess(view) && !view.isHead && view.mediaType === "application/json",
      ),
      of("public", (view) => isCalled(view) && !CREDENTIALS.some((name) => sends(view, name))),
      of("credentials", (view) => codeOf(view) === "credentials-missing"),
      of("placements", (view) => isCalled(view) && sends(view, KEY)),
      of("page", (view) => isList && isCalled(view) && !view.isHead),
      of("created", (view) => createsRecord(operation) && isCalled(view) && !isReplayed(view)),
      of(
        "body-only",
        ({ reading, exchange }) => reading.own.length > 0 && exchange.prediction?.code !== null,
      ),
    ];
  }),
];

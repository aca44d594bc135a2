import type { Exchange, ExchangeLaw } from "../exchange.ts";
import { mediaTypeFor } from "../oracle/accept.ts";
import { type Contract, createsRecord, mediaTypesOf, pageItemOf } from "../oracle/contract.ts";
import { CREDENTIALS, KEY } from "../oracle/parsed-request.ts";
import { isPointer } from "../oracle/pointer.ts";
import { isSuccess, type Law } from "./law.ts";
import type { ParsedExchange } from "./parsed-exchange.ts";

/**
 * Tags: requirements that no single rule decides. Each is about requests of a kind, and kept where
 * their responses are the predicted ones. A response that differs breaks the requirement of its
 * rule, and concerns these.
 */

/** A parser that rejects a request has not read what it is about. */
const isRead = ({ exchange: { prediction } }: ParsedExchange) =>
  prediction !== null &&
  prediction.step !== "readHead" &&
  !prediction.or?.includes("malformed-request");

/** A requirement of this id, about these requests: `docs.get/by-name`. */
export const tag = (id: string, applies: (parsed: ParsedExchange) => boolean): Law => ({
  id,
  isTag: true,
  applies: (parsed) => isRead(parsed) && applies(parsed),
  check: () => null,
});

/** The requirements that an exchange concerns. */
export const concernsOf = (laws: readonly ExchangeLaw[], exchange: Exchange): readonly string[] =>
  laws.filter(({ isTag, applies }) => isTag && applies(exchange)).map(({ id }) => id);

const codeOf = ({ exchange: { prediction } }: ParsedExchange) => prediction?.code ?? null;
const stepOf = ({ exchange: { prediction } }: ParsedExchange) => prediction?.step ?? "";
const placesOf = ({ exchange: { prediction } }: ParsedExchange) => prediction?.places ?? [];

/** Whether an operation is carried out. */
const isCalled = (parsed: ParsedExchange) =>
  parsed.operation !== null && codeOf(parsed) === null && stepOf(parsed) === "handled";
const isReplayed = ({ exchange: { prediction } }: ParsedExchange) =>
  prediction?.replayed !== undefined;
const isRejectedForCredentials = (parsed: ParsedExchange) =>
  /^credentials?-|^(?:scope|platform)-/.test(codeOf(parsed) ?? "");
/** Whether the header and the query have another or no value of a credential. */
const isFaulty = ({ reading }: ParsedExchange, name: string) =>
  new Set([...reading.fields(name), ...reading.named(name)].filter((value) => value !== ""))
    .size !== 1;
const hasUnknown = ({ reading, request }: ParsedExchange) =>
  reading.named("unknown").length > 0 || request.body.includes('"unknown":');
const isUnacceptable = ({ reading, operation }: ParsedExchange) =>
  operation !== null && mediaTypeFor(reading, mediaTypesOf(operation)) === null;

/** A name that would be one, if letter case, blanks and further parts did not matter. */
function isNearlyNamed({ contract, reading: { name } }: ParsedExchange): boolean {
  if (typeof name !== "string") return false;
  const plain = name.trim().toLowerCase();
  const names = Object.values(contract.operations).map((one) => one.name.replace(/\.?\{.*/, ""));
  return names.some(
    (one) => plain === one || plain.startsWith(`${one}.`) || one.startsWith(`${plain}.`),
  );
}

const protocolTags: readonly Law[] = [
  tag("dispatch/one-path", (parsed) => parsed.operation !== null),
  tag(
    "dispatch/not-by-path",
    ({ reading: { path } }) => path.startsWith("/api/") && path !== "/api/",
  ),
  tag("dispatch/no-version-in-path", ({ reading: { path } }) => /\/v\d/.test(path)),
  tag("dispatch/query-style", (parsed) => parsed.request.method === "GET" && isCalled(parsed)),
  tag("dispatch/body-style", (parsed) => parsed.request.method === "POST" && isCalled(parsed)),
  tag("dispatch/every-operation", isCalled),
  tag(
    "dispatch/case-sensitive",
    (parsed) => codeOf(parsed) === "operation-not-found" && isNearlyNamed(parsed),
  ),
  tag(
    "dispatch/get-changes-nothing",
    (parsed) => parsed.request.method === "GET" && stepOf(parsed) === "checkMethod",
  ),
  tag("dispatch/body-on-get", ({ request }) => request.method === "GET" && request.body !== ""),
  tag("dispatch/no-method-override", ({ request }) =>
    request.fields.some(([name]) => /^x-(?:http-)?method(?:-override)?$/i.test(name)),
  ),
  tag(
    "dispatch/order-method-first",
    (parsed) => stepOf(parsed) === "checkMethod" && isFaulty(parsed, KEY),
  ),
  tag(
    "dispatch/order-credentials-first",
    (parsed) => isRejectedForCredentials(parsed) && (hasUnknown(parsed) || isUnacceptable(parsed)),
  ),
  tag(
    "dispatch/order-accept-before-input",
    (parsed) => stepOf(parsed) === "negotiate" && hasUnknown(parsed),
  ),
  tag(
    "credentials/order",
    (parsed) =>
      isRejectedForCredentials(parsed) && CREDENTIALS.every((name) => isFaulty(parsed, name)),
  ),
  tag("errors/pointer", (parsed) => placesOf(parsed).some(isPointer)),
  tag("errors/parameter", (parsed) => !placesOf(parsed).every(isPointer)),
];

/** The tags of the protocol, and those of each operation by the names of its requirements. */
export const tagsOf = (contract: Contract): readonly Law[] => [
  ...protocolTags,
  ...Object.values(contract.operations).flatMap((operation) => {
    const { id } = operation;
    const isList = pageItemOf(contract, operation) !== null;
    const operationTag = (rule: string, applies: (parsed: ParsedExchange) => boolean) =>
      tag(`${id}/${rule}`, (parsed) => parsed.operation?.id === id && applies(parsed));
    const sends = ({ reading }: ParsedExchange, name: string) =>
      [...reading.fields(name), ...reading.named(name)].length > 0;
    return [
      operationTag("answer", (parsed) => isSuccess(parsed) && !parsed.isHead),
      operationTag(
        "json",
        (parsed) => isSuccess(parsed) && !parsed.isHead && parsed.mediaType === "application/json",
      ),
      operationTag(
        "public",
        (parsed) => isCalled(parsed) && !CREDENTIALS.some((name) => sends(parsed, name)),
      ),
      operationTag("credentials", (parsed) => codeOf(parsed) === "credentials-missing"),
      operationTag("placements", (parsed) => isCalled(parsed) && sends(parsed, KEY)),
      operationTag("page", (parsed) => isList && isCalled(parsed) && !parsed.isHead),
      operationTag(
        "created",
        (parsed) => createsRecord(operation) && isCalled(parsed) && !isReplayed(parsed),
      ),
      operationTag(
        "body-only",
        ({ reading, exchange }) =>
          reading.inputParameters.length > 0 && exchange.prediction?.code !== null,
      ),
    ];
  }),
];

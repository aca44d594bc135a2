// @ts-check
// What an operation must answer with: the problems that it can have, and what it promises.
import { getHeaderFieldName, getStatusCodes, isBody, isHeader, isStatusCode } from "@typespec/http";
import { reportDiagnostic } from "./diagnostics.js";
import { aliasedBy } from "./problems.js";

/**
 * @typedef {import("@typespec/compiler").Program} Program
 * @typedef {import("@typespec/compiler").Type} Type
 * @typedef {import("@typespec/http").HttpAuth} HttpAuth
 * @typedef {import("./stated.js").Operation} Operation
 */

/**
 * The header parameter of an operation that takes an `Idempotency-Key`.
 * @param {Operation} operation
 */
const idempotencyOf = ({ parameters }) =>
  parameters.parameters.find(
    ({ type, name }) => type === "header" && name.toLowerCase() === "idempotency-key",
  )?.param;

/**
 * Why an operation cannot keep what its `Idempotency-Key` promises (D25).
 * @type {(program: Program, operation: Operation) => string | null}
 */
function reasonAgainstIdempotency(program, operation) {
  const { auth, verb, answers } = operation;
  const [declared] = program.resolveTypeReference("Atpoint.Idempotency.idempotencyKey");
  const property = idempotencyOf(operation);
  if (!property) return null;
  if (verb === "get") return "a query ignores it";
  if (!originsOf(property).includes(declared))
    return "write ...Idempotency in place of a header of its own";
  if (!auth) return "the key belongs to the API key of a caller, and this operation is public";
  const successes = answers.filter((answer) => isSuccess(program, answer));
  return successes.length > 0 && successes.every((answer) => isReplayable(program, answer))
    ? null
    : "each of its successes needs Once, as in Once<Ok<Note>>";
}

/**
 * Whether the status of an answer is 2xx; without a status it is 200.
 * @type {(program: Program, answer: Type) => boolean}
 */
function isSuccess(program, answer) {
  if (answer.kind !== "Model") return false;
  const property = [...answer.properties.values()].find((one) => isStatusCode(program, one));
  const [status = 200] = property ? getStatusCodes(program, property) : [];
  return typeof status === "number" && status >= 200 && status < 300;
}

/**
 * A property, and those that it was spread from.
 * @type {(property: import("@typespec/compiler").ModelProperty) => (Type | undefined)[]}
 */
export const originsOf = (property) => [
  property,
  ...(property.sourceProperty ? originsOf(property.sourceProperty) : []),
];

/**
 * Whether an answer says that it is that of an earlier call.
 * @type {(program: Program, answer: Type) => boolean}
 */
const isReplayable = (program, answer) =>
  answer.kind === "Model" &&
  [...answer.properties.values()].some(
    (property) =>
      isHeader(program, property) &&
      getHeaderFieldName(program, property) === "Idempotent-Replayed",
  );

/**
 * Whether an answer is a page of a list (D26).
 * @type {(program: Program, answer: Type) => boolean}
 */
function isPage(program, answer) {
  if (answer.kind !== "Model") return false;
  const body = [...answer.properties.values()].find((property) => isBody(program, property))?.type;
  return body?.kind === "Model" && body.properties.has("nextCursor");
}

/** `NoAuth`, and the four combinations of `KeyAndPlatform`. */
const CREDENTIALS = [
  "noAuth",
  [
    "header X-API-KEY,header X-PLATFORM",
    "header X-API-KEY,query X-PLATFORM",
    "header X-PLATFORM,query X-API-KEY",
    "query X-API-KEY,query X-PLATFORM",
  ].join(" "),
];

/** Where a credential is sent. @type {(scheme: HttpAuth) => string} */
const placementOf = (scheme) =>
  scheme.type === "apiKey" ? `${scheme.in} ${scheme.name}` : scheme.type;

/**
 * The credentials of an operation are those of the protocol, and what its steps may reject with is
 * among its answers: otherwise its
 * document would not be true.
 * @type {(program: Program, operation: Operation) => void}
 */
export function checkAnswers(program, operation) {
  const { type: target, name, verb, auth, authentication, members, answers } = operation;
  if (name === "" || (verb !== "get" && verb !== "post")) return;
  const options = authentication?.options.map(({ schemes }) =>
    schemes.map(placementOf).sort().join(),
  );
  if (!CREDENTIALS.includes([...new Set(options)].sort().join(" ")))
    reportDiagnostic(program, { code: "operation-credentials", format: { name }, target });
  const why = reasonAgainstIdempotency(program, operation);
  if (why) reportDiagnostic(program, { code: "idempotency", format: { name, why }, target });
  const isKeyed = why === null && idempotencyOf(operation) !== undefined;
  const isPaged =
    members.some(({ member }) => member === "cursor") &&
    answers.some((one) => isPage(program, one));
  /** @type {[applies: boolean, names: string[], why: string][]} */
  const needed = [
    [true, ["ProtocolProblem"], "it is neither a Query nor a Command"],
    [verb === "post", ["BodyProblem"], "it has a body"],
    [auth, ["CredentialProblem"], "it needs credentials"],
    [isPaged, ["InvalidCursor"], "it is a list with a cursor"],
    [isKeyed, ["InvalidIdempotencyKey", "IdempotencyKeyReused"], "it takes an Idempotency-Key"],
  ];
  for (const [applies, names, why] of needed) {
    const missing = names.flatMap((one) => missingOf(program, one, answers)).join(", ");
    if (applies && missing)
      reportDiagnostic(program, { code: "answers-lack", format: { name, missing, why }, target });
  }
}

/**
 * The problems of an alias of the protocol that are not among these; all of them are its name.
 * @type {(program: Program, alias: string, answers: readonly Type[]) => string[]}
 */
function missingOf(program, alias, answers) {
  const all = aliasedBy(program, alias);
  const missing = all.filter((problem) => !answers.includes(problem));
  return missing.length === all.length
    ? [alias]
    : missing.flatMap((one) => (one.kind === "Model" ? one.name : []));
}

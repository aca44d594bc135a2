// @ts-check
// What an operation must answer with: the problems that it can have, and what it promises.
import { $ } from "@typespec/compiler/typekit";
import { getHeaderFieldName, getStatusCodes, isBody, isHeader, isStatusCode } from "@typespec/http";
import { reportDiagnostic } from "./diagnostics.js";
import { aliasedBy } from "./problems.js";
import { originsOf } from "./records.js";

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
  if (!originsOf(property).some((one) => one === declared))
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
  const { type: target, name, verb, authentication, answers } = operation;
  if (name === "" || (verb !== "get" && verb !== "post")) return;
  const options = authentication?.options.map(({ schemes }) =>
    schemes.map(placementOf).sort().join(),
  );
  if (!CREDENTIALS.includes([...new Set(options)].sort().join(" ")))
    reportDiagnostic(program, { code: "operation-credentials", format: { name }, target });
  const why = reasonAgainstIdempotency(program, operation);
  if (why) reportDiagnostic(program, { code: "idempotency", format: { name, why }, target });
  /** @type {[applies: boolean, alias: string, why: string][]} */
  const needed = [
    [true, "ProtocolProblem", "it is neither a Query nor a Command"],
    [verb === "post", "BodyProblem", "it has a body"],
  ];
  for (const [applies, alias, why] of needed) {
    const absent = missingOf(program, alias, answers);
    if (!applies || absent.length === 0) continue;
    const isWhole = absent.length === aliasedBy(program, alias).length;
    const missing = isWhole
      ? alias
      : absent.flatMap((one) => (one.kind === "Model" ? one.name : [])).join(", ");
    reportDiagnostic(program, { code: "answers-lack", format: { name, missing, why }, target });
  }
}

/**
 * Adds the problems that follow from the credentials, the page and the header of an operation to
 * its answers, before those of any request; what it lists itself stays where it is.
 * @type {(program: Program, operation: Operation) => void}
 */
export function completeAnswers(program, operation) {
  const { type, auth, members, answers } = operation;
  const isPaged =
    members.some(({ member }) => member === "cursor") &&
    answers.some((one) => isPage(program, one));
  const isKeyed =
    idempotencyOf(operation) !== undefined && reasonAgainstIdempotency(program, operation) === null;
  const implied = [
    ...(isPaged ? ["InvalidCursor"] : []),
    ...(isKeyed ? ["InvalidIdempotencyKey", "IdempotencyKeyReused"] : []),
    ...(auth ? ["CredentialProblem"] : []),
  ].flatMap((alias) => missingOf(program, alias, answers));
  const common = aliasedBy(program, "ProtocolProblem");
  if (implied.length === 0 || type.returnType.kind !== "Union") return;
  const stated = [...type.returnType.variants.values()].map((variant) => variant.type);
  const at = stated.findIndex((one) => common.includes(one));
  // Neither a Query nor a Command: that is reported.
  if (at < 0) return;
  type.returnType = $(program).union.create([
    ...stated.slice(0, at),
    ...implied,
    ...stated.slice(at),
  ]);
}

/**
 * The problems of an alias of the protocol that are not among these.
 * @type {(program: Program, alias: string, answers: readonly Type[]) => Type[]}
 */
const missingOf = (program, alias, answers) =>
  aliasedBy(program, alias).filter((problem) => !answers.includes(problem));

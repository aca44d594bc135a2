// Generated from spec/ by `npm run generate`. Do not edit.

import type { OperationId } from "./operations.ts";

/** One sentence of the contract that can be tried from outside. */
export interface Requirement {
  readonly id: string;
  readonly level: "MUST" | "SHOULD" | "MAY";
  /** `given`: stated by the document that the service implements. `decided`: chosen where that document is silent. */
  readonly origin: "given" | "decided";
  /** Where it comes from: a number of the contract, `order` for the order of judgement, `Errors` for the table of errors. */
  readonly clause: string;
  readonly sentence: string;
  /** The operation it speaks of; null when it speaks of all. */
  readonly operation: OperationId | null;
}

export const requirements = [
  {
    "id": "book.find/answers",
    "level": "MUST",
    "origin": "decided",
    "clause": "S1",
    "sentence": "`book.find` answers the books.",
    "operation": "book.find"
  },
  {
    "id": "credentials/public",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "On an operation without credentials they are not judged, whatever they hold, and are no unknown parameters.",
    "operation": null
  },
  {
    "id": "credentials/missing",
    "level": "MUST",
    "origin": "decided",
    "clause": "D17",
    "sentence": "An operation that needs them, called without a key or without a platform, is refused with 401 `credentials-missing`.",
    "operation": null
  },
  {
    "id": "credentials/missing-says-which",
    "level": "MUST",
    "origin": "decided",
    "clause": "D17",
    "sentence": "The `detail` of 401 `credentials-missing` says which is missing: the header's name, of the key, the platform or both.",
    "operation": null
  },
  {
    "id": "credentials/challenge",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "A 401 carries `WWW-Authenticate: ApiKey realm=\"atpoint\"`.",
    "operation": null
  },
  {
    "id": "credentials/invalid",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "A key that is not valid is refused with 401 `credentials-invalid`.",
    "operation": null
  },
  {
    "id": "credentials/alike",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "Unknown, revoked and expired keys are refused alike, to the letter.",
    "operation": null
  },
  {
    "id": "credentials/expired",
    "level": "MUST",
    "origin": "decided",
    "clause": "D19",
    "sentence": "A key that has expired is refused with 401 `credentials-invalid`.",
    "operation": null
  },
  {
    "id": "credentials/revoked",
    "level": "MUST",
    "origin": "decided",
    "clause": "D19",
    "sentence": "A key that was revoked is refused with 401 `credentials-invalid`.",
    "operation": null
  },
  {
    "id": "credentials/platform",
    "level": "MUST",
    "origin": "decided",
    "clause": "D17",
    "sentence": "A platform that the deployment does not know is refused with 403 `platform-not-allowed`.",
    "operation": null
  },
  {
    "id": "credentials/platform-of-key",
    "level": "MUST",
    "origin": "decided",
    "clause": "D17",
    "sentence": "A platform that is not one of the key's is refused with 403 `platform-not-allowed`.",
    "operation": null
  },
  {
    "id": "credentials/scope",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "A key without the operation's scope is refused with 403 `scope-missing`.",
    "operation": null
  },
  {
    "id": "credentials/same-twice",
    "level": "MUST",
    "origin": "decided",
    "clause": "D18",
    "sentence": "A credential sent as a header and as a query parameter with equal values is fine.",
    "operation": null
  },
  {
    "id": "credentials/conflict",
    "level": "MUST",
    "origin": "decided",
    "clause": "D18",
    "sentence": "A credential sent as a header and as a query parameter with different values is refused with 400 `credential-conflict`.",
    "operation": null
  },
  {
    "id": "credentials/empty",
    "level": "MUST",
    "origin": "decided",
    "clause": "D18",
    "sentence": "An empty value of a credential counts as not sent.",
    "operation": null
  },
  {
    "id": "credentials/whole",
    "level": "MUST",
    "origin": "decided",
    "clause": "D18",
    "sentence": "Credentials are compared whole: no prefix, no further character, no other letter case and no surrounding blank passes.",
    "operation": null
  },
  {
    "id": "credentials/header-case",
    "level": "MUST",
    "origin": "decided",
    "clause": "D18",
    "sentence": "The names of the credential headers are taken in any letter case.",
    "operation": null
  },
  {
    "id": "credentials/query-case",
    "level": "MUST",
    "origin": "decided",
    "clause": "D18",
    "sentence": "The query parameters are exactly `X-API-KEY` and `X-PLATFORM`; another spelling is an unknown parameter, not a credential.",
    "operation": null
  },
  {
    "id": "credentials/nowhere-else",
    "level": "MUST",
    "origin": "decided",
    "clause": "D18",
    "sentence": "A key in a cookie, in `Authorization` or in the body is not a key.",
    "operation": null
  },
  {
    "id": "credentials/order",
    "level": "MUST",
    "origin": "decided",
    "clause": "order",
    "sentence": "Credentials are judged in this order: conflict, missing, invalid, scope, platform.",
    "operation": null
  },
  {
    "id": "credentials/never-shown",
    "level": "MUST",
    "origin": "decided",
    "clause": "D20",
    "sentence": "A key is never repeated in any answer, header or redirect.",
    "operation": null
  },
  {
    "id": "dispatch/one-path",
    "level": "MUST",
    "origin": "given",
    "clause": "G1",
    "sentence": "Every operation is reached through the one path `{base_url}/api/` and chosen only by the value of `@`.",
    "operation": null
  },
  {
    "id": "dispatch/not-by-path",
    "level": "MUST",
    "origin": "given",
    "clause": "G1",
    "sentence": "A path does not choose an operation: what stands behind `/api/` in the path does not.",
    "operation": null
  },
  {
    "id": "dispatch/no-version-in-path",
    "level": "MUST",
    "origin": "given",
    "clause": "G1",
    "sentence": "The version is not part of the path of the endpoint.",
    "operation": null
  },
  {
    "id": "dispatch/query-style",
    "level": "MUST",
    "origin": "given",
    "clause": "G2",
    "sentence": "A GET names its operation by the query parameter `@`; its inputs are query parameters.",
    "operation": null
  },
  {
    "id": "dispatch/body-style",
    "level": "MUST",
    "origin": "given",
    "clause": "G2",
    "sentence": "A POST has a JSON object as its body: the member `@` names the operation, the member `data` holds its input.",
    "operation": null
  },
  {
    "id": "dispatch/every-operation",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "Every operation of the contract is served.",
    "operation": null
  },
  {
    "id": "dispatch/case-sensitive",
    "level": "MUST",
    "origin": "decided",
    "clause": "D1",
    "sentence": "The name of an operation is compared exactly: letter case, blanks and parts of a name matter.",
    "operation": null
  },
  {
    "id": "dispatch/percent-encoded",
    "level": "MUST",
    "origin": "decided",
    "clause": "D1",
    "sentence": "`@` and `%40` are the same parameter name.",
    "operation": null
  },
  {
    "id": "dispatch/missing",
    "level": "MUST",
    "origin": "decided",
    "clause": "D1",
    "sentence": "A request without `@`, or with an empty one, is refused with 400 `operation-missing`.",
    "operation": null
  },
  {
    "id": "dispatch/missing-in-body",
    "level": "MUST",
    "origin": "decided",
    "clause": "D1",
    "sentence": "A POST whose body has no `@`, an empty one or one that is not a string is refused with 400 `operation-missing`, even when the query has one.",
    "operation": null
  },
  {
    "id": "dispatch/ambiguous",
    "level": "MUST",
    "origin": "decided",
    "clause": "D1",
    "sentence": "A POST with `@` in the query as well as in the body is refused with 400 `operation-ambiguous`.",
    "operation": null
  },
  {
    "id": "dispatch/repeated",
    "level": "MUST",
    "origin": "decided",
    "clause": "D2",
    "sentence": "A query parameter that is sent twice, `@` and `%40` together too, is refused with 400 `parameter-repeated`.",
    "operation": null
  },
  {
    "id": "dispatch/repeated-credential",
    "level": "MUST",
    "origin": "decided",
    "clause": "D2",
    "sentence": "A credential header that is sent twice is refused with 400 `parameter-repeated`, on public operations too.",
    "operation": null
  },
  {
    "id": "dispatch/malformed-query",
    "level": "MUST",
    "origin": "decided",
    "clause": "D2",
    "sentence": "A broken percent-escape, or escaped bytes that are not UTF-8, are refused with 400 `malformed-query`.",
    "operation": null
  },
  {
    "id": "dispatch/plus-is-space",
    "level": "MUST",
    "origin": "decided",
    "clause": "D2",
    "sentence": "In a query, `+` is a space.",
    "operation": null
  },
  {
    "id": "dispatch/unknown",
    "level": "MUST",
    "origin": "decided",
    "clause": "D3",
    "sentence": "A name that no operation has, however long, is refused with 404 `operation-not-found`, with or without credentials.",
    "operation": null
  },
  {
    "id": "dispatch/prototype-names",
    "level": "MUST",
    "origin": "decided",
    "clause": "D3",
    "sentence": "`constructor`, `__proto__`, `toString` and their like are unknown operations: 404 `operation-not-found`.",
    "operation": null
  },
  {
    "id": "dispatch/no-echo",
    "level": "MUST",
    "origin": "decided",
    "clause": "D3",
    "sentence": "The name of an unknown operation is never repeated in the answer.",
    "operation": null
  },
  {
    "id": "dispatch/wrong-method",
    "level": "MUST",
    "origin": "decided",
    "clause": "D4",
    "sentence": "A known operation with the wrong method is refused with 405 `method-not-allowed`, and `Allow` names the right ones: `GET, HEAD, OPTIONS` or `POST, OPTIONS`.",
    "operation": null
  },
  {
    "id": "dispatch/get-changes-nothing",
    "level": "MUST",
    "origin": "decided",
    "clause": "D4",
    "sentence": "A GET that names an operation of POST is refused and changes nothing.",
    "operation": null
  },
  {
    "id": "dispatch/unknown-method",
    "level": "MUST",
    "origin": "decided",
    "clause": "D4",
    "sentence": "Any other method on `/api/` is refused with 405 `method-not-allowed` and `Allow: GET, HEAD, POST, OPTIONS`.",
    "operation": null
  },
  {
    "id": "dispatch/other-paths-methods",
    "level": "MUST",
    "origin": "decided",
    "clause": "D4",
    "sentence": "`/api` takes the methods of `/api/`, other paths take GET, HEAD and OPTIONS; any other method is refused with 405 and the path's `Allow`.",
    "operation": null
  },
  {
    "id": "dispatch/head",
    "level": "MUST",
    "origin": "decided",
    "clause": "D5",
    "sentence": "HEAD is answered as GET would be: the same status and headers, without a body.",
    "operation": null
  },
  {
    "id": "dispatch/options",
    "level": "MUST",
    "origin": "decided",
    "clause": "D5",
    "sentence": "OPTIONS is answered with 204 and the path's `Allow`, whatever query, `@`, body and credentials are.",
    "operation": null
  },
  {
    "id": "dispatch/body-on-get",
    "level": "MUST",
    "origin": "decided",
    "clause": "D5",
    "sentence": "A body on GET is ignored.",
    "operation": null
  },
  {
    "id": "dispatch/no-method-override",
    "level": "MUST",
    "origin": "decided",
    "clause": "D5",
    "sentence": "A header such as `X-HTTP-Method-Override` does not change the method.",
    "operation": null
  },
  {
    "id": "dispatch/order-method-first",
    "level": "MUST",
    "origin": "decided",
    "clause": "order",
    "sentence": "The method of an operation is judged before its credentials.",
    "operation": null
  },
  {
    "id": "dispatch/order-credentials-first",
    "level": "MUST",
    "origin": "decided",
    "clause": "order",
    "sentence": "Credentials are judged before the representation and the input.",
    "operation": null
  },
  {
    "id": "dispatch/order-accept-before-input",
    "level": "MUST",
    "origin": "decided",
    "clause": "order",
    "sentence": "The representation is judged before the input.",
    "operation": null
  },
  {
    "id": "dispatch/x-operation",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "The answer to a known operation names it in `X-Operation`, refused or not; `docs.get` stands for every document.",
    "operation": null
  },
  {
    "id": "answers/object",
    "level": "MUST",
    "origin": "decided",
    "clause": "D9",
    "sentence": "A success is a bare JSON object, without an envelope and never an array, as `application/json; charset=utf-8`.",
    "operation": null
  },
  {
    "id": "answers/schema",
    "level": "MUST",
    "origin": "decided",
    "clause": "D9",
    "sentence": "A success has the members that its operation documents, of the documented types, and no others.",
    "operation": null
  },
  {
    "id": "answers/times",
    "level": "MUST",
    "origin": "decided",
    "clause": "D9",
    "sentence": "Times are RFC 3339 in UTC and end in `Z`.",
    "operation": null
  },
  {
    "id": "answers/absent-not-null",
    "level": "MUST",
    "origin": "decided",
    "clause": "D9",
    "sentence": "A member without a value is absent, never null.",
    "operation": null
  },
  {
    "id": "answers/not-acceptable",
    "level": "MUST",
    "origin": "decided",
    "clause": "D10",
    "sentence": "An `Accept` that excludes every representation of the operation is refused with 406 `not-acceptable`.",
    "operation": null
  },
  {
    "id": "answers/accept-ignored",
    "level": "MUST",
    "origin": "decided",
    "clause": "D10",
    "sentence": "A malformed `Accept` is ignored, and so are the parameters in one.",
    "operation": null
  },
  {
    "id": "answers/problems-whatever-accept",
    "level": "MUST",
    "origin": "decided",
    "clause": "D10",
    "sentence": "A problem is sent as `application/problem+json` whatever `Accept` says.",
    "operation": null
  },
  {
    "id": "input/unknown-parameter",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "A query parameter that the operation does not know is refused with 422 `invalid-input`.",
    "operation": null
  },
  {
    "id": "input/unknown-member",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "A member of the body that is not known, in `data` or beside it, is refused with 422 `invalid-input`.",
    "operation": null
  },
  {
    "id": "input/unknown-not-named",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "An unknown member or parameter is reported at its parent with the names that may be sent there, never by its own.",
    "operation": null
  },
  {
    "id": "input/missing-member",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "Input that lacks a required member, or lacks `data`, is refused with 422 `invalid-input`.",
    "operation": null
  },
  {
    "id": "input/wrong-type",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "A member of the wrong type is refused with 422 `invalid-input`; nothing is converted.",
    "operation": null
  },
  {
    "id": "input/integers",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "An integer in a query is `0` or digits without a leading zero; anything else is refused with 422 `invalid-input`.",
    "operation": null
  },
  {
    "id": "input/empty-is-not-absent",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "An empty value of a query parameter is judged as it is, not taken as absent.",
    "operation": null
  },
  {
    "id": "input/post-query",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "The query of a POST takes only the two credentials; any other parameter is refused with 422 `invalid-input`.",
    "operation": null
  },
  {
    "id": "input/last-duplicate",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "Of members of the body with the same name the last is the one that counts and is judged.",
    "operation": null
  },
  {
    "id": "dispatch/no-batch",
    "level": "MUST",
    "origin": "decided",
    "clause": "D33",
    "sentence": "There is no batch: an array as the body is refused with 400 `malformed-json`.",
    "operation": null
  },
  {
    "id": "errors/media-type",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "Every refusal, from every layer, is an RFC 9457 problem document under the media type `application/problem+json`.",
    "operation": null
  },
  {
    "id": "errors/members",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "A problem has the members `type`, `title`, `status`, `detail`, `code` and `requestId`, `errors` with 422 `invalid-input`, and no others.",
    "operation": null
  },
  {
    "id": "errors/status",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "The member `status` of a problem is the status of the answer.",
    "operation": null
  },
  {
    "id": "errors/type",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "The member `type` of a problem is an absolute URI of the entry `docs.get.problems` with the code as its fragment.",
    "operation": null
  },
  {
    "id": "errors/request-id",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "The member `requestId` of a problem is the value of the header `X-Request-Id` of the same answer.",
    "operation": null
  },
  {
    "id": "errors/nothing-leaks",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "No answer holds a stack trace, SQL, the text of a driver, a path of the machine or a package's name.",
    "operation": null
  },
  {
    "id": "errors/no-echo",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "A problem never repeats the caller's unvalidated text.",
    "operation": null
  },
  {
    "id": "errors/never-500",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "No request, however it is made, is answered with a 500.",
    "operation": null
  },
  {
    "id": "errors/invalid-input",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "A 422 `invalid-input` lists in `errors` each fault as `{pointer, detail}` or `{parameter, detail}`.",
    "operation": null
  },
  {
    "id": "errors/at-most-20",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "A 422 `invalid-input` lists at most 20 faults.",
    "operation": null
  },
  {
    "id": "errors/all-faults",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "A 422 `invalid-input` names every faulty member, not only the first.",
    "operation": null
  },
  {
    "id": "errors/pointer",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "A fault in a body is located by a JSON pointer as a URI fragment, such as `#/data/email`.",
    "operation": null
  },
  {
    "id": "errors/parameter",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "A fault in a query parameter is located by the parameter's name.",
    "operation": null
  }
] as const satisfies readonly Requirement[];

export type RequirementId = (typeof requirements)[number]["id"];

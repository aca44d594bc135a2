// Generated from spec/ by `npm run generate`. Do not edit.

import type { OperationId } from "./operations.ts";

/** A clause of the contract: what requirements follow from. */
export interface Clause {
  readonly id: string;
  readonly title: string;
  readonly decision: string;
}

/** One sentence of the contract that can be tried from outside. */
export interface Requirement {
  readonly id: string;
  readonly level: "MUST" | "SHOULD" | "MAY";
  /** `given`: stated by the document that the service implements. `decided`: chosen where that document is silent. */
  readonly origin: "given" | "decided";
  /** The clause that it follows from. */
  readonly clause: (typeof clauses)[number]["id"];
  readonly sentence: string;
  /** The operation it speaks of; null when it speaks of all. */
  readonly operation: OperationId | null;
}

export const clauses = [
  {
    "id": "G1",
    "title": "One path",
    "decision": "There is one path, `{base_url}/api/`. The operation is chosen only by `@`, never by the path; the version is not in it."
  },
  {
    "id": "G2",
    "title": "Two styles of request",
    "decision": "Query style is a GET whose query has `@` and the inputs. Body style is a POST whose body is a JSON object: the member `@`\nnames the operation, the member `data` holds its input."
  },
  {
    "id": "G3",
    "title": "The operations",
    "decision": "`sysinfo`, `test.health`, `user.list`, `docs.list` and `docs.get.<name>` are GET, `user.create` is POST with `name` and\n`email` in `data`. Each answers a JSON document, `docs.get.<name>` a JSON or a text document; `README` is one of the names."
  },
  {
    "id": "G4",
    "title": "Who may call what",
    "decision": "`sysinfo` needs no credentials. `test.health` and `user.list` need an API key and a platform, each as a header or as a\nquery parameter: `X-API-KEY` and `X-PLATFORM`, in all four combinations. `web` is a platform."
  },
  {
    "id": "G5",
    "title": "Input of a command",
    "decision": "`user.create` takes its input only from the JSON body."
  },
  {
    "id": "G6",
    "title": "Status and version",
    "decision": "The status label is `Operational`, the version `3.0.3`."
  },
  {
    "id": "G7",
    "title": "Two deployments",
    "decision": "There are two deployments, each with its own base URL, of the same interface and the same version."
  },
  {
    "id": "G8",
    "title": "The landing page",
    "decision": "The landing page shows status label, version, server software, runtime version, client address and request method."
  },
  {
    "id": "Order",
    "title": "The order of judgement",
    "decision": "Every request is judged in one order, so that each fault has exactly one answer: what HTTP itself refuses, the path, the\nmethod as such, whether the request can be read, `@`, the operation, its method, the credentials (conflict, missing,\ninvalid, scope, platform), the representation, the input; then the operation is carried out."
  },
  {
    "id": "Errors",
    "title": "Problems",
    "decision": "A refusal is a problem document of RFC 9457, `application/problem+json`, from every layer: `type`, `title`, `status`,\n`detail`, `code`, `requestId`, and `errors` on 422. `type` is the address of the code in `docs.get.problems` on the first\ndeployment, so that all deployments send the same. Nothing of the inside is in it: no stack, no SQL, no path, no package,\nno key, and nothing the caller sent that was not validated. Only a failing `test.health` answers its own document."
  },
  {
    "id": "D1",
    "title": "Naming the operation",
    "decision": "`@` is case-sensitive; `@` and `%40` are one name. Without it, empty or not a string: `operation-missing`, on POST also when\nonly the query has it. Any other value that names no operation, however long, is unknown. On POST, `@` in the body and\nin the query too: `operation-ambiguous`."
  },
  {
    "id": "D2",
    "title": "Reading the query",
    "decision": "A query parameter that stands twice, `@` and `%40` together too, or a credential header that is sent twice, is\n`parameter-repeated`, on public operations as well: reading comes before the operation is known. A broken\npercent-escape, or escaped bytes that are not UTF-8, are `malformed-query`. `+` is a space. A list is one value, its\nitems separated by commas."
  },
  {
    "id": "D3",
    "title": "Unknown operations",
    "decision": "An unknown operation is 404 `operation-not-found`; its name is never repeated. Names every object has are unknown as well."
  },
  {
    "id": "D4",
    "title": "Methods",
    "decision": "A known operation by the wrong method is 405 with its own `Allow`, HEAD of a POST operation too. Any other method on\n`/api/` and `/api` is 405 with `Allow: GET, HEAD, POST, OPTIONS`, on every other path with `Allow: GET, HEAD, OPTIONS`."
  },
  {
    "id": "D5",
    "title": "HEAD, OPTIONS, and a body on GET",
    "decision": "HEAD is answered as GET without the body. OPTIONS ignores query, `@`, body and credentials: 204 with the list of the path.\nA body on GET is ignored, but counts against the size limit. No header overrides the method."
  },
  {
    "id": "D6",
    "title": "The media type of a body",
    "decision": "A POST is `application/json`, without a charset or in utf-8. Another type, none, or two fields: 415 with `Accept`. Another\n`Content-Encoding` than identity: 415 with `Accept-Encoding`."
  },
  {
    "id": "D7",
    "title": "Reading the body",
    "decision": "A body that is not one JSON object in UTF-8 without a byte order mark, has a member `__proto__` in its parsed value, or\nnests deeper than 16 levels in its text, the body being the first, is `malformed-json`. Of members with one name the last\ncounts. The query of a POST takes only the two credentials."
  },
  {
    "id": "D8",
    "title": "Judging the input",
    "decision": "Input that breaks the schema, and parameters or members that are not known, are 422 `invalid-input` with at most 20\n`errors`, each a `pointer` or a `parameter` and a `detail`. What is not known is reported at its parent, with the names\nthat may be sent, never by its own; `#` is the whole input. Integers in a query are `0` or digits without a leading zero.\nEmpty input is not absent input."
  },
  {
    "id": "D9",
    "title": "Successes",
    "decision": "A success is a bare JSON object, `application/json; charset=utf-8`, never an array. Names are camelCase, times RFC 3339 in\nUTC with `Z`; what has no value is absent, and no member is undocumented."
  },
  {
    "id": "D10",
    "title": "Representations",
    "decision": "An `Accept` that excludes every representation is 406 `not-acceptable`. One with a malformed element is ignored as a\nwhole; parameters other than `q` are ignored. Problems are sent whatever it says."
  },
  {
    "id": "D11",
    "title": "Paths",
    "decision": "`/api` leads GET, HEAD and POST to `/api/` by a relative 308 that keeps the query byte for byte; OPTIONS is answered there,\nsince a preflight may not be redirected. Dot segments are removed before the path is judged (RFC 3986, 5.2.4), as\nwritten, not percent-encoded: the published `/api/user.list/../` is `/api/`. Every path that is not served is 404\n`path-not-found`."
  },
  {
    "id": "D12",
    "title": "Headers of every answer",
    "decision": "Every answer has `X-Request-Id` (the caller's, when it matches `[A-Za-z0-9._-]{1,64}` and has not the form of a key),\n`X-Content-Type-Options: nosniff` and `Referrer-Policy: no-referrer`; that of a known operation `X-Operation`. `Cache-Control`\nis `no-store`, except where there is an `ETag`: documents, the contract, static files. No answer tells the server's make or\nsets a cookie. TLS belongs to the proxy in front."
  },
  {
    "id": "D13",
    "title": "Limits, and what HTTP refuses",
    "decision": "A body over 64 KiB is 413, a target over 8 KiB 414, headers over 16 KiB or 100 fields 431; whole limits pass. What is too\nlarge is answered, not reset. Headers that take 10 s and requests that take 30 s are 408. What is no HTTP/1.x request, has\nno `Host`, an unknown method, another scheme, another transfer coding than `chunked`: 400 `malformed-request`. `Expect`\nother than `100-continue`: 417. CONNECT is closed, after the answers that are due. Who does not read is held back, and\nclosed after 30 s without progress."
  },
  {
    "id": "D15",
    "title": "Browsers",
    "decision": "Any origin may read answers, or those of a configured list, then with `Vary: Origin`; never with credentials. A preflight\nallows the request headers of this contract for 600 s; every answer exposes its own."
  },
  {
    "id": "D16",
    "title": "Scopes",
    "decision": "`user.create` needs a key with the scope `users:write`, `user.list` `users:read`, `test.health` `system:health`, and a platform.\n`sysinfo` and `docs.*` are public: there, credentials are not judged, and are no unknown parameters."
  },
  {
    "id": "D17",
    "title": "Platforms",
    "decision": "Platforms are a configured list, by default `web`. None is 401; one that is not in the list, or not one of the key's, is\n403 `platform-not-allowed`."
  },
  {
    "id": "D18",
    "title": "Where credentials stand",
    "decision": "A credential in header and query at once must be the same, or it is `credential-conflict`. An empty one was not sent. Query\nnames are exact, header names are not; values are compared whole. A key in a cookie, `Authorization` or the body is none."
  },
  {
    "id": "D19",
    "title": "Keys",
    "decision": "A key has a prefix to know it by, at least 128 random bits, and a checksum. It is stored as a hash, shown once, and has a\nname, scopes, platforms and an expiry. A revocation holds within 5 s, on every replica."
  },
  {
    "id": "D20",
    "title": "Keys are secrets",
    "decision": "A key may stand in the query, and reaches no log, no error and no other host."
  },
  {
    "id": "D22",
    "title": "The client's address",
    "decision": "The client's address is the socket's, or, behind a configured number of proxies, the entry of `X-Forwarded-For` that the\noutermost of them wrote; what stands further left is not believed."
  },
  {
    "id": "D23",
    "title": "Users",
    "decision": "A user has `id` (a UUID of version 7), `name`, `email` and `createdAt`. A name is stored as sent: 1 to 200 code points, no white\nspace around it, no control characters, bidirectional controls or lone surrogates. An e-mail address has the syntax of\nthe HTML standard, at most 64 characters before the `@` and 254 in all; it is stored as sent and unique ignoring case."
  },
  {
    "id": "D24",
    "title": "Creating a user",
    "decision": "`user.create` answers 201 with the user. An address that is taken is 409 `email-taken`, also when two ask at once."
  },
  {
    "id": "D26",
    "title": "Listing users",
    "decision": "`user.list` answers `items` ascending by id, `limit` of them (1 to 200, default 50), and where another user follows a\n`nextCursor`, also as `Link: rel=\"next\"` without credentials. A bad `cursor` is 400 `invalid-cursor`. A user who is there when\na walk starts appears in it exactly once."
  },
  {
    "id": "D27",
    "title": "System information",
    "decision": "`sysinfo` answers what the landing page shows, and the time; its version is that of the published contract. It is `Operational` while the process can serve."
  },
  {
    "id": "D28",
    "title": "Health",
    "decision": "`test.health` asks the storage: 200, or 503 with the same document when a check fails. Nothing of the driver is in it."
  },
  {
    "id": "D29",
    "title": "What / answers",
    "decision": "`/` is an HTML page; the document of `sysinfo` when `Accept` prefers JSON."
  },
  {
    "id": "D30",
    "title": "Documents",
    "decision": "Documents have names of letters, digits, `_` and `-`, are read at start, and a request never touches a file. A name of\nanother form is `operation-not-found`, one that is absent `document-not-found`."
  },
  {
    "id": "D31",
    "title": "Formats and caching of documents",
    "decision": "`docs.list` has each document's name, title, media type, size in bytes and operation. `docs.get.<name>` is JSON, Markdown,\nplain text or HTML, as `Accept` prefers, with a strong `ETag` for each format and coding, 304, `Vary`, and five minutes of public\ncaching."
  },
  {
    "id": "D32",
    "title": "Base URLs",
    "decision": "The base URLs are not given. The spec has placeholders; a deployment fills in its list, the same on all deployments, each\nof which may have a path prefix."
  },
  {
    "id": "D33",
    "title": "What there is not, and how it changes",
    "decision": "There is no batch, no event and no selector of a version. Within version 3 there are only additions. A deprecated operation\nanswers with `Deprecation`, `Sunset` and `Link`."
  }
] as const satisfies readonly Clause[];

export const requirements = [
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
    "id": "credentials/order",
    "level": "MUST",
    "origin": "decided",
    "clause": "Order",
    "sentence": "Credentials are judged in this order: conflict, missing, invalid, scope, platform.",
    "operation": null
  },
  {
    "id": "dispatch/order-method-first",
    "level": "MUST",
    "origin": "decided",
    "clause": "Order",
    "sentence": "The method of an operation is judged before its credentials.",
    "operation": null
  },
  {
    "id": "dispatch/order-credentials-first",
    "level": "MUST",
    "origin": "decided",
    "clause": "Order",
    "sentence": "Credentials are judged before the representation and the input.",
    "operation": null
  },
  {
    "id": "dispatch/order-accept-before-input",
    "level": "MUST",
    "origin": "decided",
    "clause": "Order",
    "sentence": "The representation is judged before the input.",
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
    "id": "book.find/answers",
    "level": "MUST",
    "origin": "decided",
    "clause": "D9",
    "sentence": "`book.find` answers the books.",
    "operation": "book.find"
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
    "id": "dispatch/x-operation",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "The answer to a known operation names it in `X-Operation`, refused or not; `docs.get` stands for every document.",
    "operation": null
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
    "id": "credentials/scope",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "A key without the operation's scope is refused with 403 `scope-missing`.",
    "operation": null
  },
  {
    "id": "book.find/public",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "`book.find` works without credentials.",
    "operation": "book.find"
  },
  {
    "id": "book.read/public",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "`book.read.<isbn>` works without credentials.",
    "operation": "book.read"
  },
  {
    "id": "book.add/credentials",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "`book.add` needs an API key and a platform.",
    "operation": "book.add"
  },
  {
    "id": "book.add/placements",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "`book.add` takes the key and the platform each as a header or as a query parameter, in all four combinations.",
    "operation": "book.add"
  },
  {
    "id": "book.remove/credentials",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "`book.remove` needs an API key and a platform.",
    "operation": "book.remove"
  },
  {
    "id": "book.remove/placements",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "`book.remove` takes the key and the platform each as a header or as a query parameter, in all four combinations.",
    "operation": "book.remove"
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
    "id": "credentials/never-shown",
    "level": "MUST",
    "origin": "decided",
    "clause": "D20",
    "sentence": "A key is never repeated in any answer, header or redirect.",
    "operation": null
  },
  {
    "id": "dispatch/no-batch",
    "level": "MUST",
    "origin": "decided",
    "clause": "D33",
    "sentence": "There is no batch: an array as the body is refused with 400 `malformed-json`.",
    "operation": null
  }
] as const satisfies readonly Requirement[];

export type RequirementId = (typeof requirements)[number]["id"];

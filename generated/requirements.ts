// Generated from spec/ by `npm run generate`. Do not edit.

import type { OperationId } from "./operations.ts";

/** A clause of the contract: what requirements follow from. */
export interface Clause {
  readonly id: string;
  readonly title: string;
  readonly decision: string;
  /** What of it has no requirement, and why; null when all of it has. */
  readonly untried: string | null;
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
    "decision": "There is one path, `{base_url}/api/`. The operation is chosen only by `@`, never by the path; the version is not in it.",
    "untried": null
  },
  {
    "id": "G2",
    "title": "Two styles of request",
    "decision": "Query style is a GET whose query has `@` and the inputs. Body style is a POST whose body is a JSON object: the member `@`\nnames the operation, the member `data` holds its input.",
    "untried": null
  },
  {
    "id": "G3",
    "title": "The operations",
    "decision": "`sysinfo`, `test.health`, `user.list`, `docs.list` and `docs.get.<name>` are GET, `user.create` is POST with `name` and\n`email` in `data`. Each answers a JSON document, `docs.get.<name>` a JSON or a text document; `README` is one of the names.",
    "untried": null
  },
  {
    "id": "G4",
    "title": "Who may call what",
    "decision": "`sysinfo` needs no credentials. `test.health` and `user.list` need an API key and a platform, each as a header or as a\nquery parameter: `X-API-KEY` and `X-PLATFORM`, in all four combinations. `web` is a platform.",
    "untried": null
  },
  {
    "id": "G5",
    "title": "Input of a command",
    "decision": "`user.create` takes its input only from the JSON body.",
    "untried": null
  },
  {
    "id": "G6",
    "title": "Status and version",
    "decision": "The status label is `Operational`, the version `3.0.3`.",
    "untried": null
  },
  {
    "id": "G7",
    "title": "Two deployments",
    "decision": "There are two deployments, each with its own base URL, of the same interface and the same version.",
    "untried": null
  },
  {
    "id": "G8",
    "title": "The landing page",
    "decision": "The landing page shows status label, version, server software, runtime version, client address and request method.",
    "untried": null
  },
  {
    "id": "Order",
    "title": "The order of judgement",
    "decision": "Every request is judged in one order, so that each fault has exactly one answer: what HTTP itself refuses, the path, the\nmethod as such, whether the request can be read, `@`, the operation, its method, the credentials (conflict, missing,\ninvalid, scope, platform), how often the caller has called, the representation, the input; then the operation is carried\nout.",
    "untried": null
  },
  {
    "id": "Errors",
    "title": "Problems",
    "decision": "A refusal is a problem document of RFC 9457, `application/problem+json`, from every layer: `type`, `title`, `status`,\n`detail`, `code`, `requestId`, and `errors` on 422. `type` is the address of the code in `docs.get.problems` on the first\ndeployment, so that all deployments send the same. Nothing of the inside is in it: no stack, no SQL, no path, no package,\nno key, and nothing the caller sent that was not validated. Only a failing `test.health` answers its own document.",
    "untried": null
  },
  {
    "id": "D1",
    "title": "Naming the operation",
    "decision": "`@` is case-sensitive; `@` and `%40` are one name. Without it, empty or not a string: `operation-missing`, on POST also when\nonly the query has it. Any other value that names no operation, however long, is unknown. On POST, `@` in the body and\nin the query too: `operation-ambiguous`.",
    "untried": null
  },
  {
    "id": "D2",
    "title": "Reading the query",
    "decision": "A query parameter that stands twice, `@` and `%40` together too, or a credential header that is sent twice, is\n`parameter-repeated`, on public operations as well: reading comes before the operation is known. A broken\npercent-escape, or escaped bytes that are not UTF-8, are `malformed-query`. `+` is a space. A list is one value, its\nitems separated by commas.",
    "untried": null
  },
  {
    "id": "D3",
    "title": "Unknown operations",
    "decision": "An unknown operation is 404 `operation-not-found`; its name is never repeated. Names every object has are unknown as well.",
    "untried": null
  },
  {
    "id": "D4",
    "title": "Methods",
    "decision": "A known operation by the wrong method is 405 with its own `Allow`, HEAD of a POST operation too. Any other method on\n`/api/` and `/api` is 405 with `Allow: GET, HEAD, POST, OPTIONS`, on every other path with `Allow: GET, HEAD, OPTIONS`.\nEvery deployment knows the methods of RFC 9110 and PATCH; others that are in use it may know, or refuse as unknown (D13).",
    "untried": null
  },
  {
    "id": "D5",
    "title": "HEAD, OPTIONS, and a body on GET",
    "decision": "HEAD is answered as GET without the body. OPTIONS ignores query, `@`, body and credentials: 204 with the list of the path.\nA body on GET is ignored, but counts against the size limit. No header overrides the method.",
    "untried": null
  },
  {
    "id": "D6",
    "title": "The media type of a body",
    "decision": "A POST is `application/json`, without a charset or in utf-8. Another type, none, or two fields: 415 with `Accept`. Another\n`Content-Encoding` than identity: 415 with `Accept-Encoding`.",
    "untried": null
  },
  {
    "id": "D7",
    "title": "Reading the body",
    "decision": "A body that is not one JSON object in UTF-8 without a byte order mark, has a member `__proto__` in its parsed value, or\nnests deeper than 16 levels in its text, the body being the first, is `malformed-json`. Of members with one name the last\ncounts. The query of a POST takes only the two credentials.",
    "untried": null
  },
  {
    "id": "D8",
    "title": "Judging the input",
    "decision": "Input that breaks the schema, and parameters or members that are not known, are 422 `invalid-input` with at most 20\n`errors`, each a `pointer` or a `parameter` and a `detail`. What is not known is reported at its parent, with the names\nthat may be sent, never by its own; `#` is the whole input. What is missing is reported where it should stand. Integers in\na query are `0` or digits without a leading zero. Empty input is not absent input.",
    "untried": null
  },
  {
    "id": "D9",
    "title": "Successes",
    "decision": "A success is a bare JSON object, `application/json; charset=utf-8`, never an array. Names are camelCase, times RFC 3339 in\nUTC with `Z`; what has no value is absent, and no member is undocumented.",
    "untried": null
  },
  {
    "id": "D10",
    "title": "Representations",
    "decision": "An `Accept` that excludes every representation is 406 `not-acceptable`. One with a malformed element is ignored as a\nwhole; parameters other than `q` are ignored. Problems are sent whatever it says.",
    "untried": null
  },
  {
    "id": "D11",
    "title": "Paths",
    "decision": "`/api` leads GET, HEAD and POST to `/api/` by a relative 308 that keeps the query byte for byte; OPTIONS is answered there,\nsince a preflight may not be redirected. Dot segments are removed before the path is judged (RFC 3986, 5.2.4), as\nwritten, not percent-encoded: the published `/api/user.list/../` is `/api/`. Beside it there are `/`, the contract,\n`/reference` with the files that it loads, `/.well-known/api-catalog`, `/.well-known/security.txt` where it is configured, and\n`/robots.txt`. Every path that is not served is 404 `path-not-found`. No target has a fragment: one with a `#` is 404 as well,\nor 400 `malformed-request`.",
    "untried": null
  },
  {
    "id": "D12",
    "title": "Headers of every answer",
    "decision": "Every answer has `X-Request-Id` (the caller's, when it matches `[A-Za-z0-9._-]{1,64}` and holds nothing of the form of a key),\n`X-Content-Type-Options: nosniff` and `Referrer-Policy: no-referrer`; that of a known operation `X-Operation`. `Cache-Control`\nis `no-store`, except where there is an `ETag`: documents, the contract, static files. No answer tells the server's make or\nsets a cookie. TLS belongs to the proxy in front.",
    "untried": null
  },
  {
    "id": "D13",
    "title": "Limits, and what HTTP refuses",
    "decision": "A body over 64 KiB is 413, a target over 8 KiB 414, headers over 16 KiB or 100 fields 431; whole limits pass. What is too\nlarge is answered, not reset. Headers that take 10 s and requests that take 30 s are 408. What is no HTTP/1.x request, has\nno `Host`, an unknown method, another scheme, another transfer coding than `chunked`: 400 `malformed-request`. `Expect`\nother than `100-continue`: 417. CONNECT is closed, after the answers that are due. Who does not read is held back, and\nclosed after 30 s without progress. An operation that is not done within 10 s is given up, with 503 `deadline-exceeded`;\nof a create the answer says that it may still have happened.",
    "untried": "Nothing that may be asked takes 10 s, and what would make it so harms the deployment: the service's own tests hold `deadline-exceeded`."
  },
  {
    "id": "D14",
    "title": "Overload",
    "decision": "A deployment that has too much to do (requests in flight, connections, the delay of its event loop) refuses with 503\n`overloaded` and a `Retry-After`, rather than answer late. Who has one connection has one request in flight.",
    "untried": "From outside a deployment is overloaded only by harming it, and nobody knows its bounds: the service's own tests hold them."
  },
  {
    "id": "D15",
    "title": "Browsers",
    "decision": "Any origin may read answers, or those of a configured list, then with `Vary: Origin`; never with credentials. A preflight\nallows the request headers of this contract for 600 s; every answer exposes its own.",
    "untried": null
  },
  {
    "id": "D16",
    "title": "Scopes",
    "decision": "`user.create` needs a key with the scope `users:write`, `user.list` `users:read`, `test.health` `system:health`, and a platform.\n`sysinfo` and `docs.*` are public: there, credentials are not judged, and are no unknown parameters.",
    "untried": null
  },
  {
    "id": "D17",
    "title": "Platforms",
    "decision": "Platforms are a configured list, by default `web`. None is 401; one that is not in the list, or not one of the key's, is\n403 `platform-not-allowed`.",
    "untried": null
  },
  {
    "id": "D18",
    "title": "Where credentials stand",
    "decision": "A credential in header and query at once must be the same, or it is `credential-conflict`. An empty one was not sent. Query\nnames are exact, header names are not; values are compared whole. A key in a cookie, `Authorization` or the body is none.",
    "untried": null
  },
  {
    "id": "D19",
    "title": "Keys",
    "decision": "A key has a prefix to know it by, at least 128 random bits, and a checksum. It is stored as a hash, shown once, and has a\nname, scopes, platforms and an expiry. A revocation holds within 5 s, on every replica.",
    "untried": "How a key is made and stored, that it is shown once, and how soon a revocation holds cannot be seen from outside: the service's own tests do."
  },
  {
    "id": "D20",
    "title": "Keys are secrets",
    "decision": "A key may stand in the query, and reaches no log, no error and no other host.",
    "untried": "Logs cannot be seen from outside: the service's own tests read them."
  },
  {
    "id": "D21",
    "title": "Rate limits",
    "decision": "Calls are counted by key, commands (POST) a second time apart, and by address (of IPv6 its first 64 bits) on public operations\nand where credentials are refused. By default that is 600, 60, 300 and 300 a minute. Who has called too often is refused with\n429 `rate-limited` and a `Retry-After`, instead of 401 where it is credentials that are refused; a valid key is never refused\nfor what others do. Counted answers have `RateLimit` and `RateLimit-Policy` as in draft-ietf-httpapi-ratelimit-headers-10. The\nlimits are configured, and may be off.",
    "untried": "How high the limits are is each deployment's own, and so is whether there are any; that replicas count together, and addresses by their first 64 bits, cannot be tried from one: the service's own tests do."
  },
  {
    "id": "D22",
    "title": "The client's address",
    "decision": "The client's address is the socket's, or, behind a configured number of proxies, the entry of `X-Forwarded-For` that the\noutermost of them wrote; what stands further left is not believed.",
    "untried": "How many proxies a deployment trusts is its own configuration: from outside nobody knows which entry is right, only that a made-up one is not believed."
  },
  {
    "id": "D23",
    "title": "Users",
    "decision": "A user has `id` (a UUID of version 7), `name`, `email` and `createdAt`. A name is stored as sent: 1 to 200 code points, no white\nspace around it, no control characters, bidirectional controls or lone surrogates. An e-mail address has the syntax of\nthe HTML standard, at most 64 characters before the `@` and 254 in all; it is stored as sent and unique ignoring case.",
    "untried": null
  },
  {
    "id": "D24",
    "title": "Creating a user",
    "decision": "`user.create` answers 201 with the user. An address that is taken is 409 `email-taken`, also when two ask at once.",
    "untried": null
  },
  {
    "id": "D25",
    "title": "Sending a command again",
    "decision": "`user.create` takes an `Idempotency-Key`: 1 to 255 visible ASCII characters, opaque, of one API key, and kept for 24 hours. The\nsame parsed `data` again under it gets the first answer with `Idempotent-Replayed: true` and creates nothing, also when both\nare sent at once; other `data` is refused with 422 `idempotency-key-reused`. Only a 201 is remembered. The key is judged after\nthe input, an empty one is absent, and on GET it is ignored.",
    "untried": "That it is kept for 24 hours and through a restart, and no longer than the user, is the service's own tests' to try."
  },
  {
    "id": "D26",
    "title": "Listing users",
    "decision": "`user.list` answers `items` ascending by id, `limit` of them (1 to 200, default 50), and where another user follows a\n`nextCursor`, also as `Link: rel=\"next\"` without credentials. A bad `cursor` is 400 `invalid-cursor`. A user who is there when\na walk starts appears in it exactly once.",
    "untried": null
  },
  {
    "id": "D27",
    "title": "System information",
    "decision": "`sysinfo` answers what the landing page shows, and the time; its version is that of the published contract. It is `Operational` while the process can serve.",
    "untried": null
  },
  {
    "id": "D28",
    "title": "Health",
    "decision": "`test.health` tries whether the storage would take a write, at most once a second for all who ask: 200, or 503 with the same\ndocument when a check fails. Nothing of the driver is in it.",
    "untried": "What is wrong with a storage (full, locked, read-only, a table gone) cannot be brought about from outside: the service's own tests do."
  },
  {
    "id": "D29",
    "title": "What / answers",
    "decision": "`/` is an HTML page; the document of `sysinfo` when `Accept` prefers JSON.",
    "untried": null
  },
  {
    "id": "D30",
    "title": "Documents",
    "decision": "Documents have names of letters, digits, `_` and `-`, are read at start, and a request never touches a file. A name of\nanother form is `operation-not-found`, one that is absent `document-not-found`. A deployment may have documents of its own\nbeside those of the contract; it adds their operations to the values of `@` in the contract that it publishes.",
    "untried": null
  },
  {
    "id": "D31",
    "title": "Formats and caching of documents",
    "decision": "`docs.list` has each document's name, title, media type, size in bytes and operation. `docs.get.<name>` is JSON, Markdown,\nplain text or HTML made from the Markdown, as `Accept` prefers, compressed in gzip, br or either, with a strong `ETag` for\neach format and coding, 304, `Vary`, and five minutes of public caching.",
    "untried": null
  },
  {
    "id": "D32",
    "title": "Base URLs",
    "decision": "The base URLs are not given. The spec has placeholders; a deployment fills in its list, the same on all deployments, each\nof which may have a path prefix.",
    "untried": null
  },
  {
    "id": "D33",
    "title": "What there is not, and how it changes",
    "decision": "There is no batch, no event and no selector of a version. Within version 3 there are only additions. A deprecated operation\nanswers with `Deprecation`, `Sunset` and `Link`.",
    "untried": "No operation is deprecated, and what a later version adds is not there to be seen: the project's own tests hold both."
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
    "id": "sysinfo/json",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`sysinfo` by GET answers a JSON document.",
    "operation": "sysinfo"
  },
  {
    "id": "test.health/json",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`test.health` by GET answers a JSON document.",
    "operation": "test.health"
  },
  {
    "id": "user.list/json",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`user.list` by GET answers a JSON document.",
    "operation": "user.list"
  },
  {
    "id": "user.list/users",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`user.list` lists the users that were created.",
    "operation": "user.list"
  },
  {
    "id": "user.create/json",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`user.create` by POST with `data` = `{name, email}` answers a JSON document.",
    "operation": "user.create"
  },
  {
    "id": "docs.list/json",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`docs.list` by GET answers a JSON document.",
    "operation": "docs.list"
  },
  {
    "id": "docs.list/readme",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`docs.list` names `README`.",
    "operation": "docs.list"
  },
  {
    "id": "docs.get/document",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`docs.get.README` by GET answers a JSON or text document.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/by-name",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`docs.get.<name>` answers the entry of that name: for a name that no entry has, not `README`.",
    "operation": "docs.get"
  },
  {
    "id": "sysinfo/public",
    "level": "MUST",
    "origin": "given",
    "clause": "G4",
    "sentence": "`sysinfo` works without credentials.",
    "operation": "sysinfo"
  },
  {
    "id": "test.health/credentials",
    "level": "MUST",
    "origin": "given",
    "clause": "G4",
    "sentence": "`test.health` needs an API key and a platform.",
    "operation": "test.health"
  },
  {
    "id": "test.health/placements",
    "level": "MUST",
    "origin": "given",
    "clause": "G4",
    "sentence": "`test.health` takes the key and the platform each as a header or as a query parameter, in all four combinations.",
    "operation": "test.health"
  },
  {
    "id": "user.list/credentials",
    "level": "MUST",
    "origin": "given",
    "clause": "G4",
    "sentence": "`user.list` needs an API key and a platform.",
    "operation": "user.list"
  },
  {
    "id": "user.list/placements",
    "level": "MUST",
    "origin": "given",
    "clause": "G4",
    "sentence": "`user.list` takes the key and the platform each as a header or as a query parameter, in all four combinations.",
    "operation": "user.list"
  },
  {
    "id": "user.create/body-only",
    "level": "MUST",
    "origin": "given",
    "clause": "G5",
    "sentence": "`user.create` takes its input only from the JSON body: in the query it is not taken.",
    "operation": "user.create"
  },
  {
    "id": "landing/status-and-version",
    "level": "MUST",
    "origin": "given",
    "clause": "G6",
    "sentence": "The landing page shows the status label `Operational` and the version `3.0.3`.",
    "operation": null
  },
  {
    "id": "deployments/same",
    "level": "MUST",
    "origin": "given",
    "clause": "G7",
    "sentence": "All deployments have the same interface and report the same version.",
    "operation": "sysinfo"
  },
  {
    "id": "landing/shows",
    "level": "MUST",
    "origin": "given",
    "clause": "G8",
    "sentence": "The landing page shows the runtime version, the client's address and the method of the request.",
    "operation": null
  },
  {
    "id": "dispatch/order",
    "level": "MUST",
    "origin": "decided",
    "clause": "Order",
    "sentence": "A request with several faults is refused by the first step of the order of judgement that it fails.",
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
    "id": "credentials/order",
    "level": "MUST",
    "origin": "decided",
    "clause": "Order",
    "sentence": "Credentials are judged in this order: conflict, missing, invalid, scope, platform.",
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
    "id": "http/media-type",
    "level": "MUST",
    "origin": "decided",
    "clause": "D6",
    "sentence": "A POST whose `Content-Type` is missing, sent twice or not `application/json` is refused with 415 `unsupported-media-type` and `Accept: application/json`.",
    "operation": null
  },
  {
    "id": "http/media-type-spelling",
    "level": "MUST",
    "origin": "decided",
    "clause": "D6",
    "sentence": "`application/json` is taken in any letter case, with no charset or with utf-8.",
    "operation": null
  },
  {
    "id": "http/charset",
    "level": "MUST",
    "origin": "decided",
    "clause": "D6",
    "sentence": "A POST with a charset other than utf-8 is refused with 415 `unsupported-media-type`.",
    "operation": null
  },
  {
    "id": "http/content-encoding",
    "level": "MUST",
    "origin": "decided",
    "clause": "D6",
    "sentence": "A POST with a `Content-Encoding` other than identity is refused with 415 `unsupported-media-type` and `Accept-Encoding`.",
    "operation": null
  },
  {
    "id": "http/malformed-json",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "A body that is not one JSON object is refused with 400 `malformed-json`.",
    "operation": null
  },
  {
    "id": "http/not-utf8",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "A body that is not UTF-8, or begins with a byte order mark, is refused with 400 `malformed-json`.",
    "operation": null
  },
  {
    "id": "http/proto-member",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "A body with a member `__proto__` anywhere in its value is refused with 400 `malformed-json`.",
    "operation": null
  },
  {
    "id": "http/nesting",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "A body whose text is nested deeper than 16 levels is refused with 400 `malformed-json`; 16 levels are read.",
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
    "id": "contract/served",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "`/openapi.json`, `/openapi.yaml`, `/openapi.operations.json` and `/openapi.operations.yaml` answer the contract.",
    "operation": null
  },
  {
    "id": "contract/operations",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "The published contract holds every operation, and none that is not served.",
    "operation": null
  },
  {
    "id": "contract/callable",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "The document by operation can be called as it stands: each path is `/api/` once its dot segments are removed, requires one name at `@`, and has an `operationId` of its own that is an identifier.",
    "operation": null
  },
  {
    "id": "http/robots",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "`/robots.txt` is there, as text.",
    "operation": null
  },
  {
    "id": "reference/page",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "`/reference` answers an HTML page that names every operation.",
    "operation": null
  },
  {
    "id": "reference/own-files",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "Every file that the reference page loads is served by the deployment itself, as what it is loaded for.",
    "operation": null
  },
  {
    "id": "reference/policy",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "The `Content-Security-Policy` of the reference page allows no inline script, no `eval`, no frame around it, and nothing of another host.",
    "operation": null
  },
  {
    "id": "catalog/linkset",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "`/.well-known/api-catalog` (RFC 9727) answers an `application/linkset+json` whose anchors are the endpoints of the deployments, each with its contract (`service-desc`), its documentation (`service-doc`) and its `status`.",
    "operation": null
  },
  {
    "id": "catalog/link",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "The API catalog names itself in `Link` with `rel=\"api-catalog\"`, for HEAD too.",
    "operation": null
  },
  {
    "id": "http/slash-redirect",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "`/api` redirects GET, HEAD and POST with 308 to `/api/` by a relative address, the query kept byte for byte.",
    "operation": null
  },
  {
    "id": "http/slash-options",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "OPTIONS on `/api` is answered with 204, since a preflight may not be redirected.",
    "operation": null
  },
  {
    "id": "http/unknown-path",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "A path that is not served, however close its spelling, is refused with 404 `path-not-found`.",
    "operation": null
  },
  {
    "id": "http/security-txt",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "`/.well-known/security.txt` (RFC 9116) is an unknown path or a text with a `Contact` and one `Expires`, which has not passed.",
    "operation": null
  },
  {
    "id": "http/dot-segments",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "Dot segments of a path, `.` and `..` as written, are removed before it is judged: `/api/user.list/../` is `/api/`, and what they remove chooses nothing.",
    "operation": null
  },
  {
    "id": "contract/etag",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "The published contract has an `ETag`, and `If-None-Match` with it is answered with 304.",
    "operation": null
  },
  {
    "id": "reference/etag",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "The reference page, each file that it loads and the API catalog have an `ETag`, and `If-None-Match` with it is answered with 304.",
    "operation": null
  },
  {
    "id": "http/robots-etag",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "`/robots.txt` has an `ETag`, and `If-None-Match` with it is answered with 304.",
    "operation": null
  },
  {
    "id": "http/request-id",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "Every answer has an `X-Request-Id`: the caller's when it matches `[A-Za-z0-9._-]{1,64}` and holds nothing of the form of a key, else a new one.",
    "operation": null
  },
  {
    "id": "http/nosniff",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "Every answer has `X-Content-Type-Options: nosniff`.",
    "operation": null
  },
  {
    "id": "http/referrer-policy",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "Every answer has `Referrer-Policy: no-referrer`.",
    "operation": null
  },
  {
    "id": "http/no-store",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "Every answer has `Cache-Control: no-store`, except documents, the contract and static files.",
    "operation": null
  },
  {
    "id": "http/no-banner",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "No answer has `Server`, `X-Powered-By` or `Set-Cookie`.",
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
    "id": "test.health/fresh",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "`test.health` is not cached: it answers no conditional request with 304.",
    "operation": "test.health"
  },
  {
    "id": "http/body-limit",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A body over 64 KiB is refused with 413 `content-too-large`; 65,536 bytes pass.",
    "operation": null
  },
  {
    "id": "http/body-limit-answered",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "An upload that is too large is answered, not reset.",
    "operation": null
  },
  {
    "id": "http/body-limit-on-get",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A body on GET counts against the size limit.",
    "operation": null
  },
  {
    "id": "http/url-limit",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A request target over 8 KiB is refused with 414 `uri-too-long`, or with 431 by a parser that counts both together.",
    "operation": null
  },
  {
    "id": "http/header-limit",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "Header fields over 16 KiB are refused with 431 `headers-too-large`.",
    "operation": null
  },
  {
    "id": "http/header-count",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "More than 100 header fields are refused with 431 `headers-too-large`.",
    "operation": null
  },
  {
    "id": "http/malformed-request",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "Bytes that are not an HTTP/1.x request, an unknown method token, a missing `Host`, a request target that is neither a path nor an http(s) address, or a transfer coding other than `chunked` are refused with 400 `malformed-request`.",
    "operation": null
  },
  {
    "id": "http/expectation",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "An `Expect` that is anything but exactly `100-continue`, in any letter case, is refused with 417 `expectation-failed`.",
    "operation": null
  },
  {
    "id": "http/connect",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "CONNECT is closed once the requests before it are answered.",
    "operation": null
  },
  {
    "id": "http/head-refused",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A refusal of HEAD has no body, whatever it is refused for.",
    "operation": null
  },
  {
    "id": "http/stalled-client",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A client that takes nothing of its answers is disconnected after 30 s.",
    "operation": null
  },
  {
    "id": "http/headers-timeout",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A request whose headers do not arrive within 10 s is refused with 408 `request-timeout`.",
    "operation": null
  },
  {
    "id": "http/request-timeout",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A request that does not arrive whole within 30 s is refused with 408 `request-timeout`.",
    "operation": null
  },
  {
    "id": "http/framing",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A request whose framing is ambiguous (two lengths, a length beside chunks, a negative length) is refused, and no second request is read out of it.",
    "operation": null
  },
  {
    "id": "http/pipelining",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "Requests sent ahead on one connection are answered in their order, after a refusal too.",
    "operation": null
  },
  {
    "id": "http/versions",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "HTTP/1.0 and a request target in absolute form are served.",
    "operation": null
  },
  {
    "id": "http/stays-alive",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "After any request, however broken, the deployment is still there and still right.",
    "operation": null
  },
  {
    "id": "http/parallel",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "Answers to parallel requests are not crossed.",
    "operation": null
  },
  {
    "id": "http/content-length",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "The bytes of an answer are as many as it announces.",
    "operation": null
  },
  {
    "id": "cors/any-origin",
    "level": "MUST",
    "origin": "decided",
    "clause": "D15",
    "sentence": "Every answer has `Access-Control-Allow-Origin: *`, or the caller's origin from a configured list and then `Vary: Origin`.",
    "operation": null
  },
  {
    "id": "cors/no-credentials",
    "level": "MUST",
    "origin": "decided",
    "clause": "D15",
    "sentence": "No answer has `Access-Control-Allow-Credentials`.",
    "operation": null
  },
  {
    "id": "cors/preflight",
    "level": "MUST",
    "origin": "decided",
    "clause": "D15",
    "sentence": "A preflight is answered without credentials and allows the headers `X-API-KEY`, `X-PLATFORM`, `Content-Type`, `Idempotency-Key`, `X-Request-Id` and `If-None-Match` for 600 s.",
    "operation": null
  },
  {
    "id": "cors/exposed",
    "level": "MUST",
    "origin": "decided",
    "clause": "D15",
    "sentence": "Every answer exposes `X-Request-Id`, `X-Operation`, `ETag`, `Link`, `RateLimit`, `RateLimit-Policy`, `Retry-After`, `Idempotent-Replayed`, `Deprecation` and `Sunset`.",
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
    "id": "user.create/credentials",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "`user.create` needs an API key and a platform.",
    "operation": "user.create"
  },
  {
    "id": "user.create/placements",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "`user.create` takes the key and the platform each as a header or as a query parameter, in all four combinations.",
    "operation": "user.create"
  },
  {
    "id": "docs.list/public",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "`docs.list` works without credentials.",
    "operation": "docs.list"
  },
  {
    "id": "docs.get/public",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "`docs.get.<name>` works without credentials.",
    "operation": "docs.get"
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
    "id": "limits/headers",
    "level": "MUST",
    "origin": "decided",
    "clause": "D21",
    "sentence": "`RateLimit` and `RateLimit-Policy` stand together, in the form of draft-ietf-httpapi-ratelimit-headers-10: what is left of each limit, no more than its policy allows.",
    "operation": null
  },
  {
    "id": "limits/refused",
    "level": "MUST",
    "origin": "decided",
    "clause": "D21",
    "sentence": "A caller who by `RateLimit` has no calls left is refused with 429 `rate-limited` and a `Retry-After`.",
    "operation": null
  },
  {
    "id": "limits/valid-key",
    "level": "MUST",
    "origin": "decided",
    "clause": "D21",
    "sentence": "A valid key is not refused for credentials that are: where those are answered with 429, it is still let in.",
    "operation": null
  },
  {
    "id": "sysinfo/client-address",
    "level": "MUST",
    "origin": "decided",
    "clause": "D22",
    "sentence": "`clientAddress` of `sysinfo` is an IP address, IPv4 without the prefix `::ffff:`.",
    "operation": "sysinfo"
  },
  {
    "id": "sysinfo/forwarded-for",
    "level": "MUST",
    "origin": "decided",
    "clause": "D22",
    "sentence": "A header `X-Forwarded-For` of the caller's making does not change `clientAddress`.",
    "operation": "sysinfo"
  },
  {
    "id": "user.create/as-sent",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "The name and the e-mail address are stored and answered as sent.",
    "operation": "user.create"
  },
  {
    "id": "user.create/id",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "The `id` of a user is a UUID of version 7.",
    "operation": "user.create"
  },
  {
    "id": "user.create/created-at",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "`createdAt` is the time of the creation.",
    "operation": "user.create"
  },
  {
    "id": "user.create/name-length",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "A name has 1 to 200 code points; anything else is refused with 422 `invalid-input`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/name-blanks",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "A name with white space around it is refused with 422 `invalid-input`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/name-characters",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "A name with control characters, bidirectional controls or lone surrogates is refused with 422 `invalid-input`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/email-syntax",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "An e-mail address that the HTML standard's syntax does not allow is refused with 422 `invalid-input`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/email-length",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "An e-mail address has at most 64 characters before the `@` and 254 in all; a longer one is refused with 422 `invalid-input`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/created",
    "level": "MUST",
    "origin": "decided",
    "clause": "D24",
    "sentence": "`user.create` answers 201 with the user it created: `id`, `name`, `email` and `createdAt`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/listed",
    "level": "MUST",
    "origin": "decided",
    "clause": "D24",
    "sentence": "A user that was created is listed from then on, as it was answered.",
    "operation": "user.create"
  },
  {
    "id": "user.create/refused-not-stored",
    "level": "MUST",
    "origin": "decided",
    "clause": "D24",
    "sentence": "A `user.create` that was refused stores nothing.",
    "operation": "user.create"
  },
  {
    "id": "user.create/email-taken",
    "level": "MUST",
    "origin": "decided",
    "clause": "D24",
    "sentence": "An e-mail address that is taken, letter case aside, is refused with 409 `email-taken`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/one-of-many",
    "level": "MUST",
    "origin": "decided",
    "clause": "D24",
    "sentence": "Of parallel creates with the same e-mail address exactly one is answered with 201, the others with 409.",
    "operation": "user.create"
  },
  {
    "id": "http/idempotency-key-on-get",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "`Idempotency-Key` is ignored on GET, whatever it holds.",
    "operation": null
  },
  {
    "id": "user.create/replayed",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "The same `data` again under the same `Idempotency-Key` is answered as the first time, with `Idempotent-Replayed: true`, and creates nothing.",
    "operation": "user.create"
  },
  {
    "id": "user.create/key-reused",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "Other `data` under an `Idempotency-Key` that has created a user is refused with 422 `idempotency-key-reused`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/key-whole",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "An `Idempotency-Key` is opaque and compared whole: one that differs in anything, letter case too, is another.",
    "operation": "user.create"
  },
  {
    "id": "user.create/key-of-caller",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "An `Idempotency-Key` belongs to the API key that it was sent with: under another one nothing is replayed.",
    "operation": "user.create"
  },
  {
    "id": "user.create/key-form",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "An `Idempotency-Key` that is not 1 to 255 visible ASCII characters is refused with 400 `invalid-idempotency-key`; an empty one is absent.",
    "operation": "user.create"
  },
  {
    "id": "user.create/key-after-input",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "The `Idempotency-Key` is judged after the input.",
    "operation": "user.create"
  },
  {
    "id": "user.create/key-free",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "A create that was refused leaves its `Idempotency-Key` free.",
    "operation": "user.create"
  },
  {
    "id": "user.create/key-twins",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "Of parallel creates with the same `Idempotency-Key` and `data` one creates, and the others are answered as that one is.",
    "operation": "user.create"
  },
  {
    "id": "user.list/page",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "`user.list` answers `{items, nextCursor?}`; each item is a user.",
    "operation": "user.list"
  },
  {
    "id": "user.list/order",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "`user.list` lists users in ascending order of their ids, without duplicates.",
    "operation": "user.list"
  },
  {
    "id": "user.list/limit-default",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "Without `limit` a page has at most 50 users, and 50 when there are more.",
    "operation": "user.list"
  },
  {
    "id": "user.list/limit",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "A page has as many users as `limit` says when there are as many.",
    "operation": "user.list"
  },
  {
    "id": "user.list/limit-range",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "`limit` is an integer from 1 to 200; anything else is refused with 422 `invalid-input`.",
    "operation": "user.list"
  },
  {
    "id": "user.list/next",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "`nextCursor` is there exactly when another user follows.",
    "operation": "user.list"
  },
  {
    "id": "user.list/link",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "`Link` with `rel=\"next\"` is there exactly when `nextCursor` is, leads to the same page and holds no credentials.",
    "operation": "user.list"
  },
  {
    "id": "user.list/invalid-cursor",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "A cursor that was not given out is refused with 400 `invalid-cursor`.",
    "operation": "user.list"
  },
  {
    "id": "user.list/walk",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "A user that is there when a walk starts appears in it exactly once, while others are created too.",
    "operation": "user.list"
  },
  {
    "id": "user.list/read-only",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "`user.list` changes nothing: two calls in a row answer alike.",
    "operation": "user.list"
  },
  {
    "id": "landing/as-sysinfo",
    "level": "MUST",
    "origin": "decided",
    "clause": "D27",
    "sentence": "The landing page shows the server software, the runtime, the client's address and the method that `sysinfo` reports.",
    "operation": null
  },
  {
    "id": "contract/version",
    "level": "MUST",
    "origin": "decided",
    "clause": "D27",
    "sentence": "`info.version` of the published contract is the version that `sysinfo` reports.",
    "operation": null
  },
  {
    "id": "sysinfo/status",
    "level": "MUST",
    "origin": "decided",
    "clause": "D27",
    "sentence": "`sysinfo` reports the status `Operational`.",
    "operation": "sysinfo"
  },
  {
    "id": "sysinfo/members",
    "level": "MUST",
    "origin": "decided",
    "clause": "D27",
    "sentence": "`sysinfo` answers `{status, version, server, runtime, clientAddress, requestMethod, time}`.",
    "operation": "sysinfo"
  },
  {
    "id": "sysinfo/method",
    "level": "MUST",
    "origin": "decided",
    "clause": "D27",
    "sentence": "`requestMethod` of `sysinfo` is the method of the request.",
    "operation": "sysinfo"
  },
  {
    "id": "sysinfo/time",
    "level": "MUST",
    "origin": "decided",
    "clause": "D27",
    "sentence": "`time` of `sysinfo` is the time of the answer.",
    "operation": "sysinfo"
  },
  {
    "id": "sysinfo/nothing-more",
    "level": "MUST",
    "origin": "decided",
    "clause": "D27",
    "sentence": "`sysinfo` tells nothing of the machine beyond its members: no host name, path, database or operating system.",
    "operation": "sysinfo"
  },
  {
    "id": "sysinfo/version",
    "level": "MUST",
    "origin": "decided",
    "clause": "D27",
    "sentence": "`sysinfo` reports the version `3.0.3`.",
    "operation": "sysinfo"
  },
  {
    "id": "test.health/document",
    "level": "MUST",
    "origin": "decided",
    "clause": "D28",
    "sentence": "`test.health` answers `{status, version, checks}`: 200 with `pass`, or 503 with `fail` when a check fails.",
    "operation": "test.health"
  },
  {
    "id": "test.health/version",
    "level": "MUST",
    "origin": "decided",
    "clause": "D28",
    "sentence": "`test.health` reports the version that `sysinfo` reports.",
    "operation": "test.health"
  },
  {
    "id": "landing/html",
    "level": "MUST",
    "origin": "decided",
    "clause": "D29",
    "sentence": "`/` answers an HTML page by default.",
    "operation": null
  },
  {
    "id": "landing/json",
    "level": "MUST",
    "origin": "decided",
    "clause": "D29",
    "sentence": "`/` answers the document of `sysinfo` when `Accept` prefers JSON.",
    "operation": null
  },
  {
    "id": "landing/safe",
    "level": "MUST",
    "origin": "decided",
    "clause": "D29",
    "sentence": "The landing page runs no script and loads nothing from elsewhere.",
    "operation": null
  },
  {
    "id": "docs.list/entries",
    "level": "MUST",
    "origin": "decided",
    "clause": "D30",
    "sentence": "`docs.list` names at least `README`, `quickstart`, `reference`, `problems`, `contract` and `changelog`, each once.",
    "operation": "docs.list"
  },
  {
    "id": "docs.get/absent",
    "level": "MUST",
    "origin": "decided",
    "clause": "D30",
    "sentence": "A name that no entry has is refused with 404 `document-not-found`; names differ by letter case.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/name-pattern",
    "level": "MUST",
    "origin": "decided",
    "clause": "D30",
    "sentence": "A name outside the pattern, such as a path, is refused with 404 `operation-not-found`.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/reference",
    "level": "MUST",
    "origin": "decided",
    "clause": "D30",
    "sentence": "The entry `reference` names every operation.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/problems",
    "level": "MUST",
    "origin": "decided",
    "clause": "D30",
    "sentence": "The entry `problems` names every code.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/contract",
    "level": "MUST",
    "origin": "decided",
    "clause": "D30",
    "sentence": "The entry `contract` names every requirement by its id.",
    "operation": "docs.get"
  },
  {
    "id": "docs.list/items",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "`docs.list` answers `{items}`; each has `name`, `title`, `mediaType`, `size` and `operation`.",
    "operation": "docs.list"
  },
  {
    "id": "docs.list/each-there",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "Every entry of `docs.list` is there under its `operation`, with the `name` and `title` that the list says.",
    "operation": "docs.list"
  },
  {
    "id": "docs.list/size",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "`size` of an entry is the number of bytes of its Markdown.",
    "operation": "docs.list"
  },
  {
    "id": "docs.get/json",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "`docs.get.<name>` answers `{name, title, mediaType, content}` by default and when `Accept` prefers JSON.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/formats",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "`docs.get.<name>` answers `text/markdown`, `text/plain` or `text/html`, made from the Markdown, when `Accept` prefers it.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/same-bytes",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "`text/markdown` and `text/plain` of an entry are the same bytes: the `content` of its JSON.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/etag",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "A document has a strong `ETag`, another one for each format and each coding.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/not-modified",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "`If-None-Match` with the `ETag` is answered with 304, without a body and with the same `ETag`; with another one it is not.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/vary",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "A document has `Vary: Accept, Accept-Encoding`.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/caching",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "A document may be kept by anyone for 5 minutes: `Cache-Control: public, max-age=300`.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/compresses",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "A deployment has gzip, br or both, and sends a document in one of them to a caller that takes it.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/compressed",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "A compressed document is the same document: its bytes are what `Content-Encoding` says.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/html-safe",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "`text/html` of an entry is a page that runs no script and loads nothing from elsewhere.",
    "operation": "docs.get"
  },
  {
    "id": "contract/servers",
    "level": "MUST",
    "origin": "decided",
    "clause": "D32",
    "sentence": "`servers` of the published contract are absolute addresses of deployments, no placeholders.",
    "operation": null
  },
  {
    "id": "contract/no-placeholders",
    "level": "MUST",
    "origin": "decided",
    "clause": "D32",
    "sentence": "Neither the published contract nor a document holds a placeholder of the spec for the address of a deployment.",
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

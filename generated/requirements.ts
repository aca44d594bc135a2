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
    "decision": "There is one path, `{base_url}/api/`. Only `@` selects the operation, never the path; the path has no version.",
    "untried": null
  },
  {
    "id": "G2",
    "title": "Two styles of request",
    "decision": "Query style is a GET whose query has `@` and the inputs. Body style is a POST whose body is a JSON object: the member\n`@` names the operation, the member `data` holds its input.",
    "untried": null
  },
  {
    "id": "G3",
    "title": "The operations",
    "decision": "`sysinfo`, `test.health`, `user.list`, `docs.list` and `docs.get.<name>` are GET, `user.create` is POST with `name` and\n`email` in `data`. Each returns a JSON document, `docs.get.<name>` a JSON or a text document; `README` is one of the\nnames.",
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
    "decision": "There are two deployments of the same interface and the same version, each with its own base URL.",
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
    "title": "The order of checks",
    "decision": "Every request is checked in one order, so each fault has exactly one response: what HTTP itself rejects, the path, the\nmethod as such, whether the request can be read, `@`, the operation, its method, the credentials (conflict, missing,\ninvalid, scope, platform), the rate limits, the representation, the input; then the operation is carried out.",
    "untried": null
  },
  {
    "id": "Errors",
    "title": "Problems",
    "decision": "An error response is a problem document of RFC 9457, `application/problem+json`, from every layer: `type`, `title`,\n`status`, `detail`, `code`, `requestId`, and `errors` on 422. `type` is the address of the code in `docs.get.problems`\non the first deployment, so all deployments send the same. It contains nothing internal: no stack, no SQL, no path, no\npackage, no key, and nothing that the caller sent and that was not validated. Only a failing `test.health` returns its\nown document.",
    "untried": null
  },
  {
    "id": "D1",
    "title": "Naming the operation",
    "decision": "`@` is case-sensitive; `@` and `%40` are one name. When it is absent, empty or not a string, the response is\n`operation-missing`, on POST also when only the query has it. Any other value that names no operation, however long, is\nunknown. On POST, `@` in both the body and the query is `operation-ambiguous`.",
    "untried": null
  },
  {
    "id": "D2",
    "title": "Reading the query",
    "decision": "A query parameter that occurs twice (`@` and `%40` are the same), or a credential header that is sent twice, is\n`parameter-repeated`, on public operations too: the request is read before the operation is known. A broken\npercent-escape, or escaped bytes that are not UTF-8, are `malformed-query`. `+` is a space. A list is one value, its\nitems separated by commas.",
    "untried": null
  },
  {
    "id": "D3",
    "title": "Unknown operations",
    "decision": "An unknown operation is 404 `operation-not-found`; its name is never repeated. Names that every object has, such as\n`constructor`, are unknown too.",
    "untried": null
  },
  {
    "id": "D4",
    "title": "Methods",
    "decision": "A known operation with the wrong method is 405 with its own `Allow`, also HEAD of a POST operation. Any other method on\n`/api/` and `/api` is 405 with `Allow: GET, HEAD, POST, OPTIONS`, on every other path with `Allow: GET, HEAD, OPTIONS`.\nEvery deployment knows the methods of RFC 9110 and PATCH; other registered methods it may know, or reject as unknown\n(D13).",
    "untried": null
  },
  {
    "id": "D5",
    "title": "HEAD, OPTIONS, and a body on GET",
    "decision": "HEAD is answered as GET without the body. OPTIONS ignores query, `@`, body and credentials: 204 with the list of the\npath. A body on GET is ignored, but counts against the size limit. No header overrides the method.",
    "untried": null
  },
  {
    "id": "D6",
    "title": "The media type of a body",
    "decision": "A POST is `application/json`, without a charset or in utf-8. Another type, none, or two fields: 415 with `Accept`. A\n`Content-Encoding` other than identity: 415 with `Accept-Encoding`.",
    "untried": null
  },
  {
    "id": "D7",
    "title": "Reading the body",
    "decision": "A body is `malformed-json` when it is not one JSON object in UTF-8 without a byte order mark, has a member `__proto__`\nin its parsed value, nests deeper than 16 levels in its text, where the body is the first, or has more than 1,024 of\n`{`, `[` and `,` outside the strings of its text. Of members with one name the last counts. The query of a POST takes\nonly the two credentials.",
    "untried": null
  },
  {
    "id": "D8",
    "title": "Validating the input",
    "decision": "Input that breaks the schema, and unknown parameters or members, are 422 `invalid-input` with at most 20 `errors`, each\nwith a `pointer` or a `parameter` and a `detail`. An unknown name is reported at its parent, with the names that may be\nsent, and is never repeated; `#` is the whole input. A missing value is reported where it belongs. Integers in a query\nare `0`, or digits without a leading zero and with a `-` if they are negative; `-0` is not an integer. Every integer is\nwithin the bounds of its type, at most 2^53 - 1 on either side of 0. Dates and times follow the calendar (RFC 3339,\n5.7): 30 February is rejected, and second 60 is, except at 23:59:60 UTC on the last day of June or December. Empty\ninput is not absent input. A header field that the operation declares is read and validated as a parameter, and\nreported by its name as a `parameter`; an empty one counts as not sent, and several fields of one name are one value,\njoined by commas. `Idempotency-Key` has its own rules (D25).",
    "untried": null
  },
  {
    "id": "D9",
    "title": "Successes",
    "decision": "A success is a bare JSON object, `application/json; charset=utf-8`, never an array. Names are camelCase, times RFC 3339\nin UTC with `Z`; dates, times and integers have the values that D8 accepts. A member without a value is absent, and no\nmember is undocumented.",
    "untried": null
  },
  {
    "id": "D10",
    "title": "Representations",
    "decision": "An `Accept` that excludes every representation is 406 `not-acceptable`. One with a malformed element is ignored as a\nwhole; parameters other than `q` are ignored. Problems are sent whatever it contains.",
    "untried": null
  },
  {
    "id": "D11",
    "title": "Paths",
    "decision": "`/api` redirects GET, HEAD and POST to `/api/` with a relative 308 that keeps the query byte for byte, but may drop an\nempty one; OPTIONS is answered there, since a preflight may not be redirected. Literal dot segments, not\npercent-encoded ones, are removed before the path is checked (RFC 3986, 5.2.4): the published `/api/user.list/../` is\n`/api/`. Next to it there are `/`, the contract, `/reference` with the files that it loads, `/.well-known/api-catalog`,\n`/.well-known/security.txt` when it is configured, and `/robots.txt`. Every other path is 404 `path-not-found`. No\ntarget has a fragment: one with a `#` is 404 too, or 400 `malformed-request`.",
    "untried": null
  },
  {
    "id": "D12",
    "title": "Headers of every response",
    "decision": "Every response has `X-Request-Id`, `X-Content-Type-Options: nosniff` and `Referrer-Policy: no-referrer`; that of a\nknown operation also has `X-Operation`. The id is the caller's when it matches `[A-Za-z0-9._-]{1,64}` and contains\nnothing of the form of a key, whole or cut: in any letter case, `atp_` before a hexadecimal digit, or 40 hexadecimal\ndigits in a row. With an `ETag` the service always makes the id, since shared caches may store that response and send\nit to others. `Cache-Control` is `no-store`, except with an `ETag`: documents, the contract, static files. No response\nnames the server software or sets a cookie. TLS is the task of the proxy in front.",
    "untried": null
  },
  {
    "id": "D13",
    "title": "Limits, and what HTTP rejects",
    "decision": "A body over 64 KiB is 413, a target over 8 KiB 414, headers over 16 KiB or 100 fields 431; exactly the limit passes.\nMore than 1,024 pieces of a body that average under 8 bytes are 413 too, also for an ignored body; an earlier step may\nreject first. A piece is a chunk of the chunked coding, or the part of a chunk or body that one read from the\nconnection returns. The network and proxies join and cut pieces: a client can rely on chunks and writes of 16 bytes and\nmore, and on 1,024 of any size. An oversized request gets a response, not a reset; that, and any rejection before the\nupload is complete, closes the connection. Headers that take 10 s and requests that take 30 s are 408. A request that is not HTTP/1.x, has no `Host`, an unknown method, another\nscheme, a transfer coding other than `chunked`, or any in HTTP/1.0 (after which the connection closes: RFC 9112, 6.1)\nis 400 `malformed-request`. An `Expect` other than `100-continue` is 417. CONNECT opens no tunnel: the connection\ncloses, at once or after an error. What follows a message that the HTTP parser rejects, or a request after which the\nconnection may close, may get no response, and a rejection by the parser may have a body whatever the method was. A\nclient that does not read is held back, and its connection is closed after 30 s without progress. A 204 has no\n`Content-Length`; a 304 has none, or the one of the 200 (RFC 9110, 8.6). An operation that is not done within 10 s is\ngiven up, with 503 `deadline-exceeded`; for a create the response says that it may still have happened.",
    "untried": "No permitted request takes 10 s, and one that did would harm the deployment: the service's own tests cover `deadline-exceeded`."
  },
  {
    "id": "D14",
    "title": "Overload",
    "decision": "A deployment that is overloaded (requests in flight, connections, bytes of bodies that are arriving, the delay of its event loop) rejects with 503\n`overloaded` and a `Retry-After`, rather than respond late. A connection has at most one request in flight.",
    "untried": "From outside a deployment can be overloaded only by harming it, and its bounds are unknown: the service's own tests cover them."
  },
  {
    "id": "D15",
    "title": "Browsers",
    "decision": "Any origin may read responses, or those of a configured list, then with `Vary: Origin`; never with credentials. A\npreflight allows the request headers of this contract for 600 s, and `traceparent` and `tracestate`, of which the\nservice reads only the first; every response exposes its own.",
    "untried": null
  },
  {
    "id": "D16",
    "title": "Scopes",
    "decision": "`user.create` needs a key with the scope `users:write`, `user.list` `users:read`, `test.health` `system:health`, and a\nplatform. The `detail` of `scope-missing` may name the missing scope, never the scopes that the key has. `sysinfo` and\n`docs.*` are public: they ignore credentials, which are not unknown parameters there.",
    "untried": null
  },
  {
    "id": "D17",
    "title": "Platforms",
    "decision": "Platforms are a configured list, by default `web`. Without one the response is 401; one that is not in the list, or not\none of the key's, is 403 `platform-not-allowed`.",
    "untried": null
  },
  {
    "id": "D18",
    "title": "Where credentials are sent",
    "decision": "A credential that is in both header and query must be the same, or it is `credential-conflict`. An empty one counts as\nnot sent. Query names are exact, header names are not case-sensitive; values are compared whole. A key in a cookie,\n`Authorization` or the body does not count.",
    "untried": null
  },
  {
    "id": "D19",
    "title": "Keys",
    "decision": "A key has a recognisable prefix, at least 128 random bits, and a checksum. It is stored as a hash, shown once, and has\na name, scopes, platforms and an expiry. Rotation issues another one with the same, for the same term unless another is\ngiven. A revocation takes effect within 5 s, on every replica.",
    "untried": "How a key is created and stored, that it is shown once, and how soon a revocation takes effect cannot be seen from outside: the service's own tests cover it."
  },
  {
    "id": "D20",
    "title": "Keys are secrets",
    "decision": "A key may be sent in the query, and reaches no log, no error and no other host.",
    "untried": "Logs cannot be seen from outside: the service's own tests read them."
  },
  {
    "id": "D21",
    "title": "Rate limits",
    "decision": "Calls are counted by key, commands (POST) also separately, and by address (of IPv6 its first 64 bits) on public\noperations and for rejected credentials. By default the limits are 600, 60, 300 and 300 a minute. A caller above a\nlimit gets 429 `rate-limited` with a `Retry-After`, also instead of 401 for rejected credentials; a valid key is never\nrejected because of other callers. Counted responses have `RateLimit` and `RateLimit-Policy` as in\ndraft-ietf-httpapi-ratelimit-headers-10. The limits are configured, and may be off.",
    "untried": "Each deployment sets its own limits, or none; that replicas count together, and addresses by their first 64 bits, cannot be tried from one address: the service's own tests cover it."
  },
  {
    "id": "D22",
    "title": "The client's address",
    "decision": "The client's address is the socket's, or, behind a configured number of proxies, the entry of `X-Forwarded-For` that\nthe outermost of them wrote; entries further left are not trusted.",
    "untried": "How many proxies a deployment trusts is its own configuration: from outside it is unknown which entry is right, only that an invented one is not trusted."
  },
  {
    "id": "D23",
    "title": "Users",
    "decision": "A user has `id` (a UUID of version 7), `name`, `email` and `createdAt`. A name is stored as sent: 1 to 200 code points,\nno white space around it, no control characters, bidirectional controls or lone surrogates. An e-mail address has the\nsyntax of the HTML standard, at most 64 characters before the `@` and 254 in all; it is stored as sent and unique\nignoring case.",
    "untried": null
  },
  {
    "id": "D24",
    "title": "Creating a user",
    "decision": "`user.create` returns 201 with the user. An address that is taken is 409 `email-taken`, also when two calls send it at\nonce.",
    "untried": null
  },
  {
    "id": "D25",
    "title": "Sending a command again",
    "decision": "`user.create` takes an `Idempotency-Key`: 1 to 255 visible ASCII characters, opaque, kept for 24 hours. It belongs to\none operation and one API key: a key that replaces another one (`keys rotate`) has none of its idempotency keys. The\nsame parsed `data` with the same key gets the first response with `Idempotent-Replayed: true` and creates nothing, also\nwhen both are sent at once; other `data` with it is rejected with 422 `idempotency-key-reused`. Only a 201 is stored.\nThe key is checked after the input, an empty one is absent, and on GET it is ignored.",
    "untried": "That it is kept for 24 hours and through a restart, and no longer than the user, and that a rotated key starts without any: the service's own tests cover it."
  },
  {
    "id": "D26",
    "title": "Listing users",
    "decision": "`user.list` returns `items` ascending by id, `limit` of them (1 to 200, default 50), and if more users follow a\n`nextCursor`, also as `Link: rel=\"next\"` without credentials. A bad `cursor` is 400 `invalid-cursor`. A cursor belongs\nto one operation: any other rejects it as `invalid-cursor`. A user that exists when a walk starts appears in it exactly\nonce.",
    "untried": null
  },
  {
    "id": "D27",
    "title": "System information",
    "decision": "`sysinfo` returns what the landing page shows, and the time; its version is that of the published contract. It is\n`Operational` while the process can serve.",
    "untried": null
  },
  {
    "id": "D28",
    "title": "Health",
    "decision": "`test.health` tries whether the storage would accept a write, at most once a second for all callers: 200, or 503 with\nthe same document when a check fails. The document contains nothing of the driver.",
    "untried": "A faulty storage (full, locked, read-only, a table missing) cannot be caused from outside: the service's own tests cover it."
  },
  {
    "id": "D29",
    "title": "The response of /",
    "decision": "`/` is an HTML page; the document of `sysinfo` when `Accept` prefers JSON.",
    "untried": null
  },
  {
    "id": "D30",
    "title": "Documents",
    "decision": "Documents have names of letters, digits, `_` and `-` and are read at start; a request never reads a file. A name of\nanother form is `operation-not-found`, one that is absent `document-not-found`. A deployment may have its own documents\nin addition to those of the contract; it adds their operations to the values of `@` in the contract that it publishes.",
    "untried": null
  },
  {
    "id": "D31",
    "title": "Formats and caching of documents",
    "decision": "`docs.list` has each document's name, title, media type, size in bytes and operation. `docs.get.<name>` is JSON,\nMarkdown, plain text or HTML made from the Markdown, as `Accept` prefers, compressed with gzip, br or either, with a\nstrong `ETag` for each format and coding, 304, `Vary`, and five minutes of public caching.",
    "untried": null
  },
  {
    "id": "D32",
    "title": "Base URLs",
    "decision": "The base URLs are not given. The spec has placeholders; a deployment fills in its list, which is the same on all\ndeployments. Each may have a path prefix.",
    "untried": null
  },
  {
    "id": "D33",
    "title": "What is not offered, and how the contract changes",
    "decision": "There is no batch, no event and no version selector. Version 3 only gets additions. A deprecated operation responds\nwith `Deprecation`, `Sunset` and `Link`.",
    "untried": "No operation is deprecated, and a later version does not exist yet: the project's own tests cover both."
  }
] as const satisfies readonly Clause[];

export const requirements = [
  {
    "id": "dispatch/one-path",
    "level": "MUST",
    "origin": "given",
    "clause": "G1",
    "sentence": "Every operation is reached through the one path `{base_url}/api/` and selected only by the value of `@`.",
    "operation": null
  },
  {
    "id": "dispatch/not-by-path",
    "level": "MUST",
    "origin": "given",
    "clause": "G1",
    "sentence": "A path does not select an operation: text after `/api/` in the path has no effect.",
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
    "sentence": "`sysinfo` by GET returns a JSON document.",
    "operation": "sysinfo"
  },
  {
    "id": "test.health/json",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`test.health` by GET returns a JSON document.",
    "operation": "test.health"
  },
  {
    "id": "user.list/json",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`user.list` by GET returns a JSON document.",
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
    "sentence": "`user.create` by POST with `data` = `{name, email}` returns a JSON document.",
    "operation": "user.create"
  },
  {
    "id": "docs.list/json",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`docs.list` by GET returns a JSON document.",
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
    "sentence": "`docs.get.README` by GET returns a JSON or text document.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/by-name",
    "level": "MUST",
    "origin": "given",
    "clause": "G3",
    "sentence": "`docs.get.<name>` returns the entry of that name: for a name that no entry has, not `README`.",
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
    "sentence": "`user.create` takes its input only from the JSON body: in the query it is rejected.",
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
    "sentence": "A request with several faults is rejected by the first step of the order of checks that it fails.",
    "operation": null
  },
  {
    "id": "dispatch/order-method-first",
    "level": "MUST",
    "origin": "decided",
    "clause": "Order",
    "sentence": "The method of an operation is checked before its credentials.",
    "operation": null
  },
  {
    "id": "dispatch/order-credentials-first",
    "level": "MUST",
    "origin": "decided",
    "clause": "Order",
    "sentence": "Credentials are checked before the representation and the input.",
    "operation": null
  },
  {
    "id": "dispatch/order-accept-before-input",
    "level": "MUST",
    "origin": "decided",
    "clause": "Order",
    "sentence": "The representation is checked before the input.",
    "operation": null
  },
  {
    "id": "credentials/order",
    "level": "MUST",
    "origin": "decided",
    "clause": "Order",
    "sentence": "Credentials are checked in this order: conflict, missing, invalid, scope, platform.",
    "operation": null
  },
  {
    "id": "errors/media-type",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "Every error response, from every layer, is an RFC 9457 problem document under the media type `application/problem+json`.",
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
    "sentence": "The member `status` of a problem is the status of the response.",
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
    "sentence": "The member `requestId` of a problem is the value of the header `X-Request-Id` of the same response.",
    "operation": null
  },
  {
    "id": "errors/nothing-leaks",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "No response holds a stack trace, SQL, the text of a driver, a path of the machine or a package's name.",
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
    "sentence": "No request, whatever it contains, gets a 500.",
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
    "sentence": "A key that is not valid is rejected with 401 `credentials-invalid`.",
    "operation": null
  },
  {
    "id": "credentials/alike",
    "level": "MUST",
    "origin": "decided",
    "clause": "Errors",
    "sentence": "Unknown, revoked and expired keys get exactly the same response.",
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
    "sentence": "A request without `@`, or with an empty one, is rejected with 400 `operation-missing`.",
    "operation": null
  },
  {
    "id": "dispatch/missing-in-body",
    "level": "MUST",
    "origin": "decided",
    "clause": "D1",
    "sentence": "A POST whose body has no `@`, an empty one or one that is not a string is rejected with 400 `operation-missing`, even when the query has one.",
    "operation": null
  },
  {
    "id": "dispatch/ambiguous",
    "level": "MUST",
    "origin": "decided",
    "clause": "D1",
    "sentence": "A POST with `@` in the query as well as in the body is rejected with 400 `operation-ambiguous`.",
    "operation": null
  },
  {
    "id": "dispatch/repeated",
    "level": "MUST",
    "origin": "decided",
    "clause": "D2",
    "sentence": "A query parameter that is sent twice (`@` and `%40` are the same) is rejected with 400 `parameter-repeated`.",
    "operation": null
  },
  {
    "id": "dispatch/repeated-credential",
    "level": "MUST",
    "origin": "decided",
    "clause": "D2",
    "sentence": "A credential header that is sent twice is rejected with 400 `parameter-repeated`, on public operations too.",
    "operation": null
  },
  {
    "id": "dispatch/malformed-query",
    "level": "MUST",
    "origin": "decided",
    "clause": "D2",
    "sentence": "A broken percent-escape, or escaped bytes that are not UTF-8, are rejected with 400 `malformed-query`.",
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
    "sentence": "A name that no operation has, however long, is rejected with 404 `operation-not-found`, with or without credentials.",
    "operation": null
  },
  {
    "id": "dispatch/prototype-names",
    "level": "MUST",
    "origin": "decided",
    "clause": "D3",
    "sentence": "`constructor`, `__proto__`, `toString` and similar names are unknown operations: 404 `operation-not-found`.",
    "operation": null
  },
  {
    "id": "dispatch/no-echo",
    "level": "MUST",
    "origin": "decided",
    "clause": "D3",
    "sentence": "The name of an unknown operation is never repeated in the response.",
    "operation": null
  },
  {
    "id": "dispatch/wrong-method",
    "level": "MUST",
    "origin": "decided",
    "clause": "D4",
    "sentence": "A known operation with the wrong method is rejected with 405 `method-not-allowed`, and `Allow` names the right ones: `GET, HEAD, OPTIONS` or `POST, OPTIONS`.",
    "operation": null
  },
  {
    "id": "dispatch/get-changes-nothing",
    "level": "MUST",
    "origin": "decided",
    "clause": "D4",
    "sentence": "A GET that names a POST operation is rejected and changes nothing.",
    "operation": null
  },
  {
    "id": "dispatch/unknown-method",
    "level": "MUST",
    "origin": "decided",
    "clause": "D4",
    "sentence": "Any other method on `/api/` is rejected with 405 `method-not-allowed` and `Allow: GET, HEAD, POST, OPTIONS`.",
    "operation": null
  },
  {
    "id": "dispatch/other-paths-methods",
    "level": "MUST",
    "origin": "decided",
    "clause": "D4",
    "sentence": "`/api` takes the methods of `/api/`, other paths take GET, HEAD and OPTIONS; any other method is rejected with 405 and the path's `Allow`.",
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
    "sentence": "A POST whose `Content-Type` is missing, sent twice or not `application/json` is rejected with 415 `unsupported-media-type` and `Accept: application/json`.",
    "operation": null
  },
  {
    "id": "http/media-type-spelling",
    "level": "MUST",
    "origin": "decided",
    "clause": "D6",
    "sentence": "`application/json` is accepted in any letter case, with no charset or with utf-8.",
    "operation": null
  },
  {
    "id": "http/charset",
    "level": "MUST",
    "origin": "decided",
    "clause": "D6",
    "sentence": "A POST with a charset other than utf-8 is rejected with 415 `unsupported-media-type`.",
    "operation": null
  },
  {
    "id": "http/content-encoding",
    "level": "MUST",
    "origin": "decided",
    "clause": "D6",
    "sentence": "A POST with a `Content-Encoding` other than identity is rejected with 415 `unsupported-media-type` and `Accept-Encoding`.",
    "operation": null
  },
  {
    "id": "http/malformed-json",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "A body that is not one JSON object is rejected with 400 `malformed-json`.",
    "operation": null
  },
  {
    "id": "http/not-utf8",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "A body that is not UTF-8, or begins with a byte order mark, is rejected with 400 `malformed-json`.",
    "operation": null
  },
  {
    "id": "http/proto-member",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "A body with a member `__proto__` anywhere in its value is rejected with 400 `malformed-json`.",
    "operation": null
  },
  {
    "id": "http/nesting",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "A body whose text is nested deeper than 16 levels is rejected with 400 `malformed-json`; 16 levels are read.",
    "operation": null
  },
  {
    "id": "http/body-parts",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "A body with more than 1,024 of `{`, `[` and `,` outside the strings of its text is rejected with 400 `malformed-json`; 1,024 are read.",
    "operation": null
  },
  {
    "id": "input/post-query",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "The query of a POST takes only the two credentials; any other parameter is rejected with 422 `invalid-input`.",
    "operation": null
  },
  {
    "id": "input/last-duplicate",
    "level": "MUST",
    "origin": "decided",
    "clause": "D7",
    "sentence": "Of members of the body with the same name only the last counts and is validated.",
    "operation": null
  },
  {
    "id": "input/unknown-parameter",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "A query parameter that the operation does not know is rejected with 422 `invalid-input`.",
    "operation": null
  },
  {
    "id": "input/unknown-member",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "A member of the body that is not known, in `data` or next to it, is rejected with 422 `invalid-input`.",
    "operation": null
  },
  {
    "id": "input/unknown-not-named",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "An unknown member or parameter is reported at its parent with the names that may be sent there; its own name is never repeated.",
    "operation": null
  },
  {
    "id": "input/missing-member",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "Input that lacks a required member, or lacks `data`, is rejected with 422 `invalid-input`.",
    "operation": null
  },
  {
    "id": "input/wrong-type",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "A member of the wrong type is rejected with 422 `invalid-input`; nothing is converted.",
    "operation": null
  },
  {
    "id": "input/integers",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "An integer in a query is `0`, or digits without a leading zero and with a `-` if it is negative; anything else, such as `-0`, is rejected with 422 `invalid-input`.",
    "operation": null
  },
  {
    "id": "input/empty-is-not-absent",
    "level": "MUST",
    "origin": "decided",
    "clause": "D8",
    "sentence": "An empty value of a query parameter is validated, not treated as absent.",
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
    "sentence": "A fault in a query parameter, or in a header that the operation declares, is located by its name.",
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
    "sentence": "Times are RFC 3339 in UTC and end in `Z`; their day exists, and second 60 is only the last one of June or December.",
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
    "sentence": "An `Accept` that excludes every representation of the operation is rejected with 406 `not-acceptable`.",
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
    "sentence": "`/openapi.json`, `/openapi.yaml`, `/openapi.operations.json` and `/openapi.operations.yaml` return the contract.",
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
    "sentence": "The document by operation can be called unchanged: each path is `/api/` once its dot segments are removed, requires one name at `@`, and has an `operationId` of its own that is an identifier.",
    "operation": null
  },
  {
    "id": "http/robots",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "`/robots.txt` is served, as text.",
    "operation": null
  },
  {
    "id": "reference/page",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "`/reference` returns an HTML page that names every operation.",
    "operation": null
  },
  {
    "id": "reference/own-files",
    "level": "MUST",
    "origin": "decided",
    "clause": "D11",
    "sentence": "Every file that the reference page loads is served by the deployment itself, with the media type of its use.",
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
    "sentence": "`/.well-known/api-catalog` (RFC 9727) returns an `application/linkset+json` whose anchors are the endpoints of the deployments, each with its contract (`service-desc`), its documentation (`service-doc`) and its `status`.",
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
    "sentence": "`/api` redirects GET, HEAD and POST with 308 to `/api/` by a relative address, the query kept byte for byte; an empty query may be dropped.",
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
    "sentence": "A path that is not served, however close its spelling, is rejected with 404 `path-not-found`.",
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
    "sentence": "Dot segments of a path, literal `.` and `..`, are removed before it is checked: `/api/user.list/../` is `/api/`, and the removed segments have no effect.",
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
    "sentence": "Every response has an `X-Request-Id`: the caller's when it matches `[A-Za-z0-9._-]{1,64}` and holds nothing of the form of a key, whole or cut (in any letter case, `atp_` before a hexadecimal digit, or 40 hexadecimal digits in a row), otherwise a new one.",
    "operation": null
  },
  {
    "id": "http/request-id-stored",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "A response with an `ETag`, which shared caches may store, has an `X-Request-Id` created by the service, never the caller's.",
    "operation": null
  },
  {
    "id": "http/nosniff",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "Every response has `X-Content-Type-Options: nosniff`.",
    "operation": null
  },
  {
    "id": "http/referrer-policy",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "Every response has `Referrer-Policy: no-referrer`.",
    "operation": null
  },
  {
    "id": "http/no-store",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "Every response has `Cache-Control: no-store`, except documents, the contract and static files.",
    "operation": null
  },
  {
    "id": "http/no-banner",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "No response has `Server`, `X-Powered-By` or `Set-Cookie`.",
    "operation": null
  },
  {
    "id": "dispatch/x-operation",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "The response to a known operation names it in `X-Operation`, whether it succeeds or not; `docs.get` is the name for every document.",
    "operation": null
  },
  {
    "id": "test.health/fresh",
    "level": "MUST",
    "origin": "decided",
    "clause": "D12",
    "sentence": "`test.health` is not cached: no conditional request gets 304.",
    "operation": "test.health"
  },
  {
    "id": "http/body-crumbs",
    "level": "SHOULD",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A body of more than 1,024 pieces that average under 8 bytes is rejected with 413 `content-too-large`, on GET as well, and the connection closes, unless a proxy in front has joined the pieces.",
    "operation": null
  },
  {
    "id": "http/body-limit",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A body over 64 KiB is rejected with 413 `content-too-large`; 65,536 bytes pass.",
    "operation": null
  },
  {
    "id": "http/body-limit-answered",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "An upload that is too large gets a response, not a reset.",
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
    "id": "http/body-pieces",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A body of 1,024 pieces of one byte passes, and one of any number of pieces that average 16 bytes or more.",
    "operation": null
  },
  {
    "id": "http/url-limit",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A request target over 8 KiB is rejected with 414 `uri-too-long`, or with 431 by a parser that counts both together.",
    "operation": null
  },
  {
    "id": "http/header-limit",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "Header fields over 16 KiB are rejected with 431 `headers-too-large`.",
    "operation": null
  },
  {
    "id": "http/header-count",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "More than 100 header fields are rejected with 431 `headers-too-large`.",
    "operation": null
  },
  {
    "id": "http/malformed-request",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "Bytes that are not an HTTP/1.x request, an unknown method token, a missing `Host`, a request target that is neither a path nor an http(s) address, a transfer coding other than `chunked`, or any in HTTP/1.0 are rejected with 400 `malformed-request`.",
    "operation": null
  },
  {
    "id": "http/expectation",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "An `Expect` that is anything but exactly `100-continue`, in any letter case, is rejected with 417 `expectation-failed`.",
    "operation": null
  },
  {
    "id": "http/connect",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "CONNECT opens no tunnel: the connection closes, and bytes after it are not served.",
    "operation": null
  },
  {
    "id": "http/head-refused",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A rejection of HEAD has no body; one by the HTTP parser (400 `malformed-request`, 414, 417, 431) may have one.",
    "operation": null
  },
  {
    "id": "http/stalled-client",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A client that reads nothing of its responses is disconnected after 30 s.",
    "operation": null
  },
  {
    "id": "http/headers-timeout",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A request whose headers do not arrive within 10 s is rejected with 408 `request-timeout`.",
    "operation": null
  },
  {
    "id": "http/request-timeout",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A request that does not arrive whole within 30 s is rejected with 408 `request-timeout`.",
    "operation": null
  },
  {
    "id": "http/framing",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A request whose framing is ambiguous (two lengths, a length in addition to chunks, a negative length, a transfer coding in HTTP/1.0) is rejected, and no second request is read out of it.",
    "operation": null
  },
  {
    "id": "http/pipelining",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "Requests sent ahead on one connection are answered in their order, after a rejection too. What follows a message that the HTTP parser rejects, or a request after which the connection may close, may get no response.",
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
    "sentence": "After any request, however broken, the deployment still responds correctly.",
    "operation": null
  },
  {
    "id": "http/parallel",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "Responses to parallel requests are not crossed.",
    "operation": null
  },
  {
    "id": "http/content-length",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "The bytes of a response are as many as it announces.",
    "operation": null
  },
  {
    "id": "http/no-content-length",
    "level": "MUST",
    "origin": "decided",
    "clause": "D13",
    "sentence": "A 204 has no `Content-Length`; a 304 has none, or the one of the 200.",
    "operation": null
  },
  {
    "id": "cors/any-origin",
    "level": "MUST",
    "origin": "decided",
    "clause": "D15",
    "sentence": "Every response has `Access-Control-Allow-Origin: *`, or the caller's origin from a configured list and then `Vary: Origin`.",
    "operation": null
  },
  {
    "id": "cors/no-credentials",
    "level": "MUST",
    "origin": "decided",
    "clause": "D15",
    "sentence": "No response has `Access-Control-Allow-Credentials`.",
    "operation": null
  },
  {
    "id": "cors/preflight",
    "level": "MUST",
    "origin": "decided",
    "clause": "D15",
    "sentence": "A preflight is answered without credentials and allows the headers `X-API-KEY`, `X-PLATFORM`, `Content-Type`, `Idempotency-Key`, `X-Request-Id`, `If-None-Match`, `traceparent` and `tracestate` for 600 s.",
    "operation": null
  },
  {
    "id": "cors/exposed",
    "level": "MUST",
    "origin": "decided",
    "clause": "D15",
    "sentence": "Every response exposes `X-Request-Id`, `X-Operation`, `ETag`, `Link`, `RateLimit`, `RateLimit-Policy`, `Retry-After`, `Idempotent-Replayed`, `Deprecation` and `Sunset`.",
    "operation": null
  },
  {
    "id": "credentials/public",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "A public operation ignores credentials, whatever they hold; they are not unknown parameters.",
    "operation": null
  },
  {
    "id": "credentials/scope",
    "level": "MUST",
    "origin": "decided",
    "clause": "D16",
    "sentence": "A key without the operation's scope is rejected with 403 `scope-missing`; `detail` may name that scope, never one that the key has.",
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
    "sentence": "An operation that needs them, called without a key or without a platform, is rejected with 401 `credentials-missing`.",
    "operation": null
  },
  {
    "id": "credentials/missing-says-which",
    "level": "MUST",
    "origin": "decided",
    "clause": "D17",
    "sentence": "The `detail` of 401 `credentials-missing` names the missing headers: that of the key, the platform or both.",
    "operation": null
  },
  {
    "id": "credentials/platform",
    "level": "MUST",
    "origin": "decided",
    "clause": "D17",
    "sentence": "A platform that the deployment does not know is rejected with 403 `platform-not-allowed`.",
    "operation": null
  },
  {
    "id": "credentials/platform-of-key",
    "level": "MUST",
    "origin": "decided",
    "clause": "D17",
    "sentence": "A platform that is not one of the key's is rejected with 403 `platform-not-allowed`.",
    "operation": null
  },
  {
    "id": "credentials/same-twice",
    "level": "MUST",
    "origin": "decided",
    "clause": "D18",
    "sentence": "A credential sent as a header and as a query parameter with equal values is accepted.",
    "operation": null
  },
  {
    "id": "credentials/conflict",
    "level": "MUST",
    "origin": "decided",
    "clause": "D18",
    "sentence": "A credential sent as a header and as a query parameter with different values is rejected with 400 `credential-conflict`.",
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
    "sentence": "The names of the credential headers are accepted in any letter case.",
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
    "sentence": "A key that has expired is rejected with 401 `credentials-invalid`.",
    "operation": null
  },
  {
    "id": "credentials/revoked",
    "level": "MUST",
    "origin": "decided",
    "clause": "D19",
    "sentence": "A key that was revoked is rejected with 401 `credentials-invalid`.",
    "operation": null
  },
  {
    "id": "credentials/never-shown",
    "level": "MUST",
    "origin": "decided",
    "clause": "D20",
    "sentence": "A key is never repeated in any response, header or redirect.",
    "operation": null
  },
  {
    "id": "limits/headers",
    "level": "MUST",
    "origin": "decided",
    "clause": "D21",
    "sentence": "`RateLimit` and `RateLimit-Policy` are sent together, in the form of draft-ietf-httpapi-ratelimit-headers-10: what is left of each limit, no more than its policy allows.",
    "operation": null
  },
  {
    "id": "limits/refused",
    "level": "MUST",
    "origin": "decided",
    "clause": "D21",
    "sentence": "A caller who by `RateLimit` has no calls left is rejected with 429 `rate-limited` and a `Retry-After`.",
    "operation": null
  },
  {
    "id": "limits/valid-key",
    "level": "MUST",
    "origin": "decided",
    "clause": "D21",
    "sentence": "A valid key is not rejected because of rejected credentials: when those get 429, it is still accepted.",
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
    "sentence": "A header `X-Forwarded-For` that the caller invents does not change `clientAddress`.",
    "operation": "sysinfo"
  },
  {
    "id": "user.create/as-sent",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "The name and the e-mail address are stored and returned as sent.",
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
    "sentence": "A name has 1 to 200 code points; anything else is rejected with 422 `invalid-input`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/name-blanks",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "A name with white space around it is rejected with 422 `invalid-input`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/name-characters",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "A name with control characters, bidirectional controls or lone surrogates is rejected with 422 `invalid-input`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/email-syntax",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "An e-mail address that the HTML standard's syntax does not allow is rejected with 422 `invalid-input`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/email-length",
    "level": "MUST",
    "origin": "decided",
    "clause": "D23",
    "sentence": "An e-mail address has at most 64 characters before the `@` and 254 in all; a longer one is rejected with 422 `invalid-input`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/created",
    "level": "MUST",
    "origin": "decided",
    "clause": "D24",
    "sentence": "`user.create` returns 201 with the user it created: `id`, `name`, `email` and `createdAt`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/listed",
    "level": "MUST",
    "origin": "decided",
    "clause": "D24",
    "sentence": "A user that was created is listed from then on, with the members of the response.",
    "operation": "user.create"
  },
  {
    "id": "user.create/refused-not-stored",
    "level": "MUST",
    "origin": "decided",
    "clause": "D24",
    "sentence": "A rejected `user.create` stores nothing.",
    "operation": "user.create"
  },
  {
    "id": "user.create/email-taken",
    "level": "MUST",
    "origin": "decided",
    "clause": "D24",
    "sentence": "An e-mail address that is taken, letter case aside, is rejected with 409 `email-taken`.",
    "operation": "user.create"
  },
  {
    "id": "user.create/one-of-many",
    "level": "MUST",
    "origin": "decided",
    "clause": "D24",
    "sentence": "Of parallel creates with the same e-mail address exactly one gets 201, the others 409.",
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
    "sentence": "The same `data` with the same `Idempotency-Key` gets the first response again, with `Idempotent-Replayed: true`, and creates nothing.",
    "operation": "user.create"
  },
  {
    "id": "user.create/key-reused",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "Other `data` with an `Idempotency-Key` that has created a user is rejected with 422 `idempotency-key-reused`.",
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
    "sentence": "An `Idempotency-Key` belongs to the API key that it was sent with: with another one nothing is replayed.",
    "operation": "user.create"
  },
  {
    "id": "user.create/key-form",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "An `Idempotency-Key` that is not 1 to 255 visible ASCII characters is rejected with 400 `invalid-idempotency-key`; an empty one is absent.",
    "operation": "user.create"
  },
  {
    "id": "user.create/key-after-input",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "The `Idempotency-Key` is checked after the input.",
    "operation": "user.create"
  },
  {
    "id": "user.create/key-free",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "A rejected create leaves its `Idempotency-Key` free.",
    "operation": "user.create"
  },
  {
    "id": "user.create/key-twins",
    "level": "MUST",
    "origin": "decided",
    "clause": "D25",
    "sentence": "Of parallel creates with the same `Idempotency-Key` and `data` one creates, and the others get the same response.",
    "operation": "user.create"
  },
  {
    "id": "paging/cursor-of-operation",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "A cursor belongs to the operation that issued it: any other operation rejects it with 400 `invalid-cursor`.",
    "operation": null
  },
  {
    "id": "user.list/page",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "`user.list` returns `{items, nextCursor?}`; each item is a user.",
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
    "sentence": "`limit` is an integer from 1 to 200; anything else is rejected with 422 `invalid-input`.",
    "operation": "user.list"
  },
  {
    "id": "user.list/next",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "`nextCursor` is present exactly when another user follows.",
    "operation": "user.list"
  },
  {
    "id": "user.list/link",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "`Link` with `rel=\"next\"` is present exactly when `nextCursor` is, refers to the same page and contains no credentials.",
    "operation": "user.list"
  },
  {
    "id": "user.list/invalid-cursor",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "A cursor that was not issued is rejected with 400 `invalid-cursor`.",
    "operation": "user.list"
  },
  {
    "id": "user.list/walk",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "A user that exists when a walk starts appears in it exactly once, while others are created too.",
    "operation": "user.list"
  },
  {
    "id": "user.list/read-only",
    "level": "MUST",
    "origin": "decided",
    "clause": "D26",
    "sentence": "`user.list` changes nothing: two calls in a row return the same.",
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
    "sentence": "`sysinfo` returns `{status, version, server, runtime, clientAddress, requestMethod, time}`.",
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
    "sentence": "`time` of `sysinfo` is the time of the response.",
    "operation": "sysinfo"
  },
  {
    "id": "sysinfo/nothing-more",
    "level": "MUST",
    "origin": "decided",
    "clause": "D27",
    "sentence": "`sysinfo` reveals nothing of the machine beyond its members: no host name, path, database or operating system.",
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
    "sentence": "`test.health` returns `{status, version, checks}`: 200 with `pass`, or 503 with `fail` when a check fails.",
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
    "sentence": "`/` returns an HTML page by default.",
    "operation": null
  },
  {
    "id": "landing/json",
    "level": "MUST",
    "origin": "decided",
    "clause": "D29",
    "sentence": "`/` returns the document of `sysinfo` when `Accept` prefers JSON.",
    "operation": null
  },
  {
    "id": "landing/safe",
    "level": "MUST",
    "origin": "decided",
    "clause": "D29",
    "sentence": "The landing page runs no script and loads nothing from another host.",
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
    "sentence": "A name that no entry has is rejected with 404 `document-not-found`; names differ by letter case.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/name-pattern",
    "level": "MUST",
    "origin": "decided",
    "clause": "D30",
    "sentence": "A name outside the pattern, such as a path, is rejected with 404 `operation-not-found`.",
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
    "sentence": "`docs.list` returns `{items}`; each has `name`, `title`, `mediaType`, `size` and `operation`.",
    "operation": "docs.list"
  },
  {
    "id": "docs.list/each-there",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "Every entry of `docs.list` is returned by its `operation`, with the `name` and `title` of the list.",
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
    "sentence": "`docs.get.<name>` returns `{name, title, mediaType, content}` by default and when `Accept` prefers JSON.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/formats",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "`docs.get.<name>` returns `text/markdown`, `text/plain` or `text/html`, made from the Markdown, when `Accept` prefers it.",
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
    "sentence": "Any cache may store a document for 5 minutes: `Cache-Control: public, max-age=300`.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/compresses",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "A deployment has gzip, br or both, and sends a document in one of them to a caller that accepts it.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/compressed",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "A compressed document is the same document: its bytes are decoded as `Content-Encoding` says.",
    "operation": "docs.get"
  },
  {
    "id": "docs.get/html-safe",
    "level": "MUST",
    "origin": "decided",
    "clause": "D31",
    "sentence": "`text/html` of an entry is a page that runs no script and loads nothing from another host.",
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
    "sentence": "There is no batch: an array as the body is rejected with 400 `malformed-json`.",
    "operation": null
  }
] as const satisfies readonly Requirement[];

export type RequirementId = (typeof requirements)[number]["id"];

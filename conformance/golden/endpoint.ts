import type { GoldenText } from "./read.ts";

/** What reaches no operation, of any contract: the head of a request, paths and methods, CORS, the body of a POST (D1 to D15). */
export const endpoint: GoldenText = {
  file: "conformance/golden/endpoint.ts",
  line: 7,
  text: String.raw`
http/url-limit: A target of 8,193 bytes is too long, whether it is counted alone or with the fields.
  GET /api/?@={query}&X-API-KEY={k up to 8193}
  -> 414 uri-too-long
  or 431 headers-too-large
http/header-count: 101 fields are too many.
  GET /api/?@={query} | Connection: close | {99 × X-More: a} -> 431 headers-too-large
http/header-limit: Fields of 16 KiB and one byte more are too much.
  GET /api/?@={query} | Connection: close | X-More: {a up to 16385} -> 431 headers-too-large
http/malformed-request: An unknown method token.
  FETCH-IT /api/?@={query} -> 400 malformed-request
http/malformed-request: A target with a byte that is no visible ASCII character (RFC 9112, 3.2).
  GET /api/?@={query}&x=é -> 400 malformed-request
http/malformed-request: A target that is neither a path nor an http(s) address.
  GET ftp://one.invalid/api/?@={query} -> 400 malformed-request
http/malformed-request: Another transfer coding than chunked.
  GET /api/?@={query} | Transfer-Encoding: gzip -> 400 malformed-request
http/malformed-request: Any transfer coding of HTTP/1.0, which has none.
  GET /api/?@={query} HTTP/1.0 | Transfer-Encoding: chunked | 0{byte 0D}{byte 0A}{byte 0D}{byte 0A}
  -> 400 malformed-request
http/expectation: Another expectation than 100-continue cannot be met.
  GET /api/?@={query} | Expect: 200-ok -> 417 expectation-failed

dispatch/missing: An empty @ is none.
  GET /api/?@= -> 400 operation-missing
dispatch/missing-in-body: On POST the query names no operation.
  POST* /api/?@={command} | {"@":1} -> 400 operation-missing
dispatch/ambiguous: On POST it must not name one in addition.
  POST* /api/?%40={command} | {"@":"{command}"} -> 400 operation-ambiguous
dispatch/repeated: @ and %40 together are one parameter twice.
  GET /api/?@={query}&%40={query} -> 400 parameter-repeated
dispatch/repeated-credential: A credential header that is sent twice, on a public operation too.
  GET /api/?@={query} | X-PLATFORM: {platform} | x-platform: {platform} -> 400 parameter-repeated
dispatch/malformed-query: A broken percent-escape.
  GET /api/?@={query}&x=%4 -> 400 malformed-query
dispatch/malformed-query: Escaped bytes that are not UTF-8.
  GET /api/?@={query}&x=%FF -> 400 malformed-query
dispatch/plus-is-space: A name with a blank behind it is unknown.
  GET /api/?@={query}+ -> 404 operation-not-found
dispatch/prototype-names: Names that every object has are unknown.
  GET /api/?@=constructor -> 404 operation-not-found
dispatch/unknown-method: Another method on the endpoint, whatever the operation.
  DELETE /api/?@={query} -> 405 method-not-allowed | Allow: GET, HEAD, POST, OPTIONS
dispatch/other-paths-methods: Another method on another path.
  PUT / -> 405 method-not-allowed | Allow: GET, HEAD, OPTIONS
dispatch/options: OPTIONS does not read the query.
  OPTIONS /api/?@={command}&x=%4 -> 204 | Allow: GET, HEAD, POST, OPTIONS
cors/preflight: It allows every request header of the contract and those of a trace, unless the origin is not in a list.
  OPTIONS /api/ | Origin: https://page.example | Access-Control-Request-Method: POST
    | Access-Control-Request-Headers: content-type,traceparent,tracestate,x-api-key,x-platform
  -> 204 | Allow: GET, HEAD, POST, OPTIONS
    | Access-Control-Allow-Headers: X-API-KEY, X-PLATFORM, Content-Type, Idempotency-Key, X-Request-Id, If-None-Match, traceparent, tracestate
    | Access-Control-Max-Age: 600
  or 204 | Allow: GET, HEAD, POST, OPTIONS | Vary: Origin

http/slash-options: OPTIONS is not redirected.
  OPTIONS /api -> 204 | Allow: GET, HEAD, POST, OPTIONS
http/slash-redirect: /api redirects by a relative address and keeps the query byte for byte.
  GET /api?@={query}&x=%4&y=+ -> 308 | Location: {prefix}api/?@={query}&x=%4&y=+
http/slash-redirect: An empty query may be dropped.
  POST /api? | {}
  -> 308 | Location: {prefix}api/?
  or 308 | Location: {prefix}api/
http/unknown-path: A path that is not served, whatever the method.
  DELETE /API/?@={query} -> 404 path-not-found
http/unknown-path: What is behind /api/ is another path.
  GET /api/{query}?@={query} -> 404 path-not-found
http/unknown-path: No target has a fragment.
  GET /api/?@={query}#x
  -> 404 path-not-found
  or 400 malformed-request
http/dot-segments: Percent-encoded dot segments are not removed.
  GET /api/{query}/%2e%2e/?@={query} -> 404 path-not-found
http/body-limit: A body of 65,537 bytes is not; which operation it names is not known then.
  POST* | {"@":"{command}"} {blank up to 65537} -> 413 content-too-large
http/body-limit-on-get: A body on GET of 65,537 bytes is too large.
  GET /api/?@={query} | {a up to 65537} -> 413 content-too-large
http/nesting: 17 levels are not read.
  POST* | {"@":"{command}","data":{"name":{15 × [}{15 × ]},"email":"{email}"}} -> 400 malformed-json
http/nesting: The text counts, of a member too whose value another one replaces.
  POST* | {"@":"{command}","data":{"name":{15 × [}{15 × ]},"name":"Ada","email":"{email}"}} -> 400 malformed-json
http/body-parts: 1,025 parts are not read.
  POST* | {"@":"{command}","data":{"name":[{1020 × 0,}0],"email":"{email}"}} -> 400 malformed-json
http/body-parts: The text counts, of a member too whose value another one replaces.
  POST* | {"@":"{command}","data":{"name":[{1019 × 0,}0],"name":"Ada","email":"{email}"}} -> 400 malformed-json
http/malformed-json: An empty object is an object: it lacks @.
  POST* | {} -> 400 operation-missing
dispatch/no-batch: A list is not one JSON object.
  POST* | [{"@":"{command}"}] -> 400 malformed-json

http/not-utf8: A byte order mark is not taken.
  POST* | {byte EF}{byte BB}{byte BF}{"@":"{command}"} -> 400 malformed-json
http/not-utf8: Bytes that are not UTF-8 are not taken.
  POST* | {"@":"{command}","x":"{byte FF}"} -> 400 malformed-json
http/proto-member: A member __proto__, however it is written.
  POST* | {"@":"{command}","data":{"name":"Ada","email":"{email}","\u005f_proto__":{}}} -> 400 malformed-json
http/media-type: Another media type; it comes before the size.
  POST | Content-Type: text/plain | {a up to 65537} -> 415 unsupported-media-type | Accept: application/json
http/charset: Another charset.
  POST | Content-Type: application/json; charset=latin1 | {"@":"{command}"}
  -> 415 unsupported-media-type | Accept: application/json
http/content-encoding: A content coding.
  POST | Content-Encoding: gzip | {"@":"{command}"} -> 415 unsupported-media-type | Accept-Encoding: identity
answers/problems-whatever-accept: A problem has its own media type.
  GET /api/?@=unknown | Accept: text/html -> 404 operation-not-found
`,
};

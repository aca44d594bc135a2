/** Paths, methods, and how an operation is named (D1 to D5, D11). */
export const dispatch = `
### dispatch/percent-encoded: %40 is @.
GET /api/?%40=sysinfo
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### dispatch/missing: An empty @ is none.
GET /api/?@=
HTTP 400 operation-missing

### dispatch/missing-in-body: On POST the query names no operation.
POST /api/?@=user.create
{credentials}

{"@":1}
HTTP 400 operation-missing

### dispatch/ambiguous: On POST it must not name one in addition.
POST /api/?%40=user.create
{credentials}

{"@":"user.create"}
HTTP 400 operation-ambiguous

### dispatch/repeated: @ and %40 together are one parameter twice.
GET /api/?@=sysinfo&%40=sysinfo
HTTP 400 parameter-repeated

### dispatch/repeated-credential: A credential header that is sent twice, on a public operation too.
GET /api/?@=sysinfo
X-PLATFORM: {platform}
x-platform: {platform}
HTTP 400 parameter-repeated

### dispatch/malformed-query: A broken percent-escape.
GET /api/?@=sysinfo&x=%4
HTTP 400 malformed-query

### dispatch/malformed-query: Escaped bytes that are not UTF-8.
GET /api/?@=sysinfo&x=%FF
HTTP 400 malformed-query

### dispatch/plus-is-space: A name with a blank behind it is unknown.
GET /api/?@=sysinfo+
HTTP 404 operation-not-found

### dispatch/prototype-names: Names that every object has are unknown.
GET /api/?@=constructor
HTTP 404 operation-not-found

### dispatch/wrong-method: A command by GET: its method comes before its credentials.
GET /api/?@=user.create
HTTP 405 method-not-allowed
Allow: POST, OPTIONS
X-Operation: user.create

### dispatch/wrong-method: A query by POST.
POST /api/

{"@":"sysinfo","data":{}}
HTTP 405 method-not-allowed
Allow: GET, HEAD, OPTIONS
X-Operation: sysinfo

### http/head-refused: A rejection of HEAD has no body.
HEAD /api/?@=user.create
HTTP 405
Allow: POST, OPTIONS
X-Operation: user.create

### dispatch/unknown-method: Another method on the endpoint, whatever the operation.
DELETE /api/?@=sysinfo
HTTP 405 method-not-allowed
Allow: GET, HEAD, POST, OPTIONS

### dispatch/other-paths-methods: Another method on another path.
PUT /robots.txt
HTTP 405 method-not-allowed
Allow: GET, HEAD, OPTIONS

### dispatch/head: HEAD is GET without the body.
HEAD /api/?@=sysinfo
HTTP 200
Content-Type: application/json; charset=utf-8
X-Operation: sysinfo

### dispatch/options: OPTIONS does not read the query.
OPTIONS /api/?@=user.create&x=%4
HTTP 204
Allow: GET, HEAD, POST, OPTIONS

### cors/preflight: It allows every request header of the contract and those of a trace, unless the origin is not in a list.
OPTIONS /api/
Origin: https://page.example
Access-Control-Request-Method: POST
Access-Control-Request-Headers: content-type,traceparent,tracestate,x-api-key,x-platform
HTTP 204
Allow: GET, HEAD, POST, OPTIONS
Access-Control-Allow-Headers: X-API-KEY, X-PLATFORM, Content-Type, Idempotency-Key, X-Request-Id, If-None-Match, traceparent, tracestate
Access-Control-Max-Age: 600
or
HTTP 204
Allow: GET, HEAD, POST, OPTIONS
Vary: Origin

### http/slash-options: OPTIONS is not redirected.
OPTIONS /api
HTTP 204
Allow: GET, HEAD, POST, OPTIONS

### http/slash-redirect: /api redirects by a relative address and keeps the query byte for byte.
GET /api?@=sysinfo&x=%4&y=+
HTTP 308
Location: {prefix}api/?@=sysinfo&x=%4&y=+

### http/slash-redirect: An empty query may be dropped.
POST /api?

{}
HTTP 308
Location: {prefix}api/?
or
HTTP 308
Location: {prefix}api/

### http/unknown-path: A path that is not served, whatever the method.
DELETE /API/?@=sysinfo
HTTP 404 path-not-found

### http/unknown-path: What is behind /api/ is another path.
GET /api/sysinfo?@=sysinfo
HTTP 404 path-not-found

### http/unknown-path: No target has a fragment.
GET /api/?@=sysinfo#x
HTTP 404 path-not-found
or
HTTP 400 malformed-request

### http/dot-segments: Dot segments are removed, and choose nothing.
GET /api/user.list/.././?@=sysinfo
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### http/dot-segments: Percent-encoded they are not.
GET /api/user.list/%2e%2e/?@=sysinfo
HTTP 404 path-not-found
`;

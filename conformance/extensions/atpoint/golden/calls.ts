import type { GoldenText } from "../../../golden/read.ts";

/** How an operation is called, and with which credentials (D1 to D19). */
export const calls: GoldenText = {
  file: "conformance/extensions/atpoint/golden/calls.ts",
  line: 7,
  text: `
= 200 by sysinfo | {"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}
= 200 by test.health | {"status":"pass","version":"3.0.3","checks":{"storage":"pass"}}
= 201 by user.create | {"id":"{uuid}","name":"Ada","email":"{email}","createdAt":"{time}"}

http/url-limit: A target of 8,192 bytes passes; what a public operation has as a credential is not checked.
  GET /api/?@=sysinfo&X-API-KEY={k up to 8192} -> 200 by sysinfo
http/header-count: 100 fields pass: Host, Connection and 98 more.
  GET /api/?@=sysinfo | Connection: close | {98 × X-More: a} -> 200 by sysinfo
http/header-limit: Fields that have 16 KiB with all that is between them pass.
  GET /api/?@=sysinfo | Connection: close | X-More: {a up to 16384} -> 200 by sysinfo
http/versions: A target in absolute form is served.
  GET {base}/api/?@=sysinfo -> 200 by sysinfo
http/versions: HTTP/1.0 is served.
  GET /api/?@=sysinfo HTTP/1.0 -> 200 by sysinfo
http/request-id: The id of the caller, of 64 characters, comes back.
  GET /api/?@=sysinfo | X-Request-Id: {64 × z} -> 200 by sysinfo | X-Request-Id: {64 × z}
http/request-id: One of 65 characters does not: the new one has at most 64.
  GET /api/?@=sysinfo | X-Request-Id: {65 × z} -> 200 by sysinfo
http/request-id: 39 hexadecimal digits in a row are no form of a key.
  GET /api/?@=sysinfo | X-Request-Id: {39 × a} -> 200 by sysinfo | X-Request-Id: {39 × a}
http/request-id: 40 of them are, in any letter case.
  GET /api/?@=sysinfo | X-Request-Id: z{20 × aA}
  -> 200 by sysinfo | X-Request-Id: {request-id but not zaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaA}
http/request-id: The beginning of a key is, before a hexadecimal digit.
  GET /api/?@=sysinfo | X-Request-Id: ATP_0 -> 200 by sysinfo | X-Request-Id: {request-id but not ATP_0}

dispatch/percent-encoded: %40 is @.
  GET /api/?%40=sysinfo -> 200 by sysinfo
dispatch/wrong-method: A command by GET: its method comes before its credentials.
  GET /api/?@=user.create -> 405 method-not-allowed by user.create | Allow: POST, OPTIONS
dispatch/wrong-method: A query by POST.
  POST | {"@":"sysinfo","data":{}} -> 405 method-not-allowed by sysinfo | Allow: GET, HEAD, OPTIONS
http/head-refused: A rejection of HEAD has no body.
  HEAD /api/?@=user.create -> 405 method-not-allowed by user.create | Allow: POST, OPTIONS
dispatch/head: HEAD is GET without the body.
  HEAD /api/?@=sysinfo -> 200 by sysinfo

http/dot-segments: Dot segments are removed, and choose nothing.
  GET /api/user.list/.././?@=sysinfo -> 200 by sysinfo
http/body-limit: A body of 65,536 bytes is read: what it lacks is found.
  POST* | {"@":"user.create"} {blank up to 65536} -> 422 invalid-input by user.create at #/data
http/body-limit-on-get: A body on GET is ignored, with 65,536 bytes too.
  GET /api/?@=sysinfo | {a up to 65536} -> 200 by sysinfo
http/nesting: 16 levels are read, the body being the first: a list is then no name.
  POST* | {"@":"user.create","data":{"name":{14 × [}{14 × ]},"email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
http/nesting: Brackets in a text are no levels.
  POST* | {"@":"user.create","data":{"name":"{17 × [}","email":"{email}"}}
  -> 201 by user.create | {"id":"{uuid}","name":"{17 × [}","email":"{email}","createdAt":"{time}"}
http/body-parts: 1,024 parts are read: braces, brackets and commas together.
  POST* | {"@":"user.create","data":{"name":[{1019 × 0,}0],"email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
http/body-parts: In a text they are no parts.
  POST* | {"@":"user.create","data":{"name":"{1025 × ,}","email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
http/proto-member: One whose value is replaced is not in the parsed value.
  POST* | {"@":"user.create","data":{"__proto__":1},"data":{"name":"Ada","email":"{email}"}} -> 201 by user.create
input/last-duplicate: Of members with one name the last counts.
  POST* | {"@":"user.create","data":{"name":1,"name":"Ada","email":"{email}"}} -> 201 by user.create
http/media-type-spelling: In any letter case, in utf-8: the operation is found, and credentials are missing.
  POST | Content-Type: Application/JSON; charset="UTF-8" | {"@":"user.create"}
  -> 401 credentials-missing by user.create | WWW-Authenticate: ApiKey realm="atpoint"
test.health/placements: Both in the query.
  GET /api/?@=test.health&X-API-KEY={key}&X-PLATFORM={platform} -> 200 by test.health

credentials/header-case: The names of headers in any letter case.
  GET /api/?@=test.health | x-api-key: {key} | x-Platform: {platform} -> 200 by test.health
credentials/query-case: The names of parameters exactly: another one is unknown, and reported at the whole input.
  GET* /api/?@=test.health&x-api-key={key} -> 422 invalid-input by test.health at #
credentials/same-twice: Twice the same.
  GET* /api/?@=test.health&X-API-KEY={key} -> 200 by test.health
credentials/conflict: Twice, and not the same: it comes before all else.
  GET /api/?@=test.health&X-API-KEY={key} | X-API-KEY: another -> 400 credential-conflict by test.health
credentials/empty: An empty one was not sent, and contradicts nothing.
  GET /api/?@=test.health&X-API-KEY={key}&X-PLATFORM= | X-API-KEY: | X-PLATFORM: {platform} -> 200 by test.health
credentials/missing: No platform; that the key is unknown comes later.
  GET /api/?@=test.health | X-API-KEY: unknown
  -> 401 credentials-missing by test.health | WWW-Authenticate: ApiKey realm="atpoint"
credentials/invalid: An unknown key; that the platform is unknown comes later.
  GET /api/?@=test.health | X-API-KEY: unknown | X-PLATFORM: unknown
  -> 401 credentials-invalid by test.health | WWW-Authenticate: ApiKey realm="atpoint"
credentials/whole: A key with a blank before it is another key.
  GET /api/?@=test.health&X-API-KEY=+{key} | X-PLATFORM: {platform}
  -> 401 credentials-invalid by test.health | WWW-Authenticate: ApiKey realm="atpoint"
credentials/expired: A key that has expired.
  GET /api/?@=test.health | X-API-KEY: {key expired} | X-PLATFORM: {platform}
  -> 401 credentials-invalid by test.health | WWW-Authenticate: ApiKey realm="atpoint"
credentials/revoked: A key that was revoked.
  GET /api/?@=test.health | X-API-KEY: {key revoked} | X-PLATFORM: {platform}
  -> 401 credentials-invalid by test.health | WWW-Authenticate: ApiKey realm="atpoint"
credentials/scope: A key without the scope; that the platform is unknown comes later.
  GET /api/?@=test.health | X-API-KEY: {key noScopes} | X-PLATFORM: unknown -> 403 scope-missing by test.health
credentials/platform: An unknown platform; the rest of the request comes later.
  GET /api/?@=test.health&x=1 | X-API-KEY: {key} | X-PLATFORM: unknown | Accept: text/html
  -> 403 platform-not-allowed by test.health
credentials/platform-of-key: A platform that is not one of the key.
  GET /api/?@=test.health | X-API-KEY: {key otherPlatform} | X-PLATFORM: {platform}
  -> 403 platform-not-allowed by test.health
credentials/public: On a public operation they are not checked, and are no unknown parameters.
  GET /api/?@=sysinfo&X-API-KEY=one | X-API-KEY: another -> 200 by sysinfo
credentials/nowhere-else: A key in the body is none; what is wrong with the body comes later.
  POST | X-PLATFORM: {platform} | {"@":"user.create","X-API-KEY":"{key}"}
  -> 401 credentials-missing by user.create | WWW-Authenticate: ApiKey realm="atpoint"
`,
};

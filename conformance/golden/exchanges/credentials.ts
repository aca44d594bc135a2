/** Authentication and authorization, and where credentials are (D16 to D19). */
export const credentials = `
### test.health/placements: Both in the query.
GET /api/?@=test.health&X-API-KEY={key}&X-PLATFORM={platform}
HTTP 200
X-Operation: test.health

{"status":"pass","version":"3.0.3","checks":{"storage":"pass"}}

### credentials/header-case: The names of headers in any letter case.
GET /api/?@=test.health
x-api-key: {key}
x-Platform: {platform}
HTTP 200
X-Operation: test.health

{"status":"pass","version":"3.0.3","checks":{"storage":"pass"}}

### credentials/query-case: The names of parameters exactly: another one is unknown, and reported at the whole input.
GET /api/?@=test.health&x-api-key={key}
{credentials}
HTTP 422 invalid-input at #
X-Operation: test.health

### credentials/same-twice: Twice the same.
GET /api/?@=test.health&X-API-KEY={key}
{credentials}
HTTP 200
X-Operation: test.health

{"status":"pass","version":"3.0.3","checks":{"storage":"pass"}}

### credentials/conflict: Twice, and not the same: it comes before all else.
GET /api/?@=test.health&X-API-KEY={key}
X-API-KEY: another
HTTP 400 credential-conflict
X-Operation: test.health

### credentials/empty: An empty one was not sent, and contradicts nothing.
GET /api/?@=test.health&X-API-KEY={key}&X-PLATFORM=
X-API-KEY:
X-PLATFORM: {platform}
HTTP 200
X-Operation: test.health

{"status":"pass","version":"3.0.3","checks":{"storage":"pass"}}

### credentials/missing: No platform; that the key is unknown comes later.
GET /api/?@=test.health
X-API-KEY: unknown
HTTP 401 credentials-missing
WWW-Authenticate: ApiKey realm="atpoint"
X-Operation: test.health

### credentials/invalid: An unknown key; that the platform is unknown comes later.
GET /api/?@=test.health
X-API-KEY: unknown
X-PLATFORM: unknown
HTTP 401 credentials-invalid
WWW-Authenticate: ApiKey realm="atpoint"
X-Operation: test.health

### credentials/whole: A key with a blank before it is another key.
GET /api/?@=test.health&X-API-KEY=+{key}
X-PLATFORM: {platform}
HTTP 401 credentials-invalid
WWW-Authenticate: ApiKey realm="atpoint"
X-Operation: test.health

### credentials/expired: A key that has expired.
GET /api/?@=test.health
X-API-KEY: {expired}
X-PLATFORM: {platform}
HTTP 401 credentials-invalid
WWW-Authenticate: ApiKey realm="atpoint"
X-Operation: test.health

### credentials/revoked: A key that was revoked.
GET /api/?@=test.health
X-API-KEY: {revoked}
X-PLATFORM: {platform}
HTTP 401 credentials-invalid
WWW-Authenticate: ApiKey realm="atpoint"
X-Operation: test.health

### credentials/scope: A key without the scope; that the platform is unknown comes later.
GET /api/?@=test.health
X-API-KEY: {noScopes}
X-PLATFORM: unknown
HTTP 403 scope-missing
X-Operation: test.health

### credentials/platform: An unknown platform; the rest of the request comes later.
GET /api/?@=test.health&x=1
X-API-KEY: {key}
X-PLATFORM: unknown
Accept: text/html
HTTP 403 platform-not-allowed
X-Operation: test.health

### credentials/platform-of-key: A platform that is not one of the key.
GET /api/?@=test.health
X-API-KEY: {otherPlatform}
X-PLATFORM: {platform}
HTTP 403 platform-not-allowed
X-Operation: test.health

### credentials/public: On a public operation they are not checked, and are no unknown parameters.
GET /api/?@=sysinfo&X-API-KEY=one
X-API-KEY: another
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### credentials/nowhere-else: A key in the body is none; what is wrong with the body comes later.
POST /api/
X-PLATFORM: {platform}

{"@":"user.create","X-API-KEY":"{key}"}
HTTP 401 credentials-missing
WWW-Authenticate: ApiKey realm="atpoint"
X-Operation: user.create
`;

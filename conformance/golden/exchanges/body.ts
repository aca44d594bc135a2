/** The body of a POST: its media type, its size, its JSON (D6, D7, D13). */
export const body = String.raw`
### http/body-limit: A body of 65,536 bytes is read: what it lacks is found.
POST /api/
{credentials}

{"@":"user.create"} {blank up to 65536}
HTTP 422 invalid-input at #/data
X-Operation: user.create

### http/body-limit: A body of 65,537 bytes is not; which operation it names is not known then.
POST /api/
{credentials}

{"@":"user.create"} {blank up to 65537}
HTTP 413 content-too-large

### http/body-limit-on-get: A body on GET is ignored, with 65,536 bytes too.
GET /api/?@=sysinfo

{a up to 65536}
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### http/body-limit-on-get: A body on GET of 65,537 bytes is too large.
GET /api/?@=sysinfo

{a up to 65537}
HTTP 413 content-too-large

### http/nesting: 16 levels are read, the body being the first: a list is then no name.
POST /api/
{credentials}

{"@":"user.create","data":{"name":{14 × [}{14 × ]},"email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### http/nesting: 17 levels are not.
POST /api/
{credentials}

{"@":"user.create","data":{"name":{15 × [}{15 × ]},"email":"{email}"}}
HTTP 400 malformed-json

### http/nesting: Brackets in a text are no levels.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"{17 × [}","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"{17 × [}","email":"{email}","createdAt":"{time}"}

### http/nesting: The text counts, of a member too whose value another one replaces.
POST /api/
{credentials}

{"@":"user.create","data":{"name":{15 × [}{15 × ]},"name":"Ada","email":"{email}"}}
HTTP 400 malformed-json

### http/body-parts: 1,024 parts are read: braces, brackets and commas together.
POST /api/
{credentials}

{"@":"user.create","data":{"name":[{1019 × 0,}0],"email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### http/body-parts: 1,025 are not.
POST /api/
{credentials}

{"@":"user.create","data":{"name":[{1020 × 0,}0],"email":"{email}"}}
HTTP 400 malformed-json

### http/body-parts: In a text they are no parts.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"{1025 × ,}","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### http/body-parts: The text counts, of a member too whose value another one replaces.
POST /api/
{credentials}

{"@":"user.create","data":{"name":[{1019 × 0,}0],"name":"Ada","email":"{email}"}}
HTTP 400 malformed-json

### http/malformed-json: An empty object is an object: it lacks @.
POST /api/
{credentials}

{}
HTTP 400 operation-missing

### dispatch/no-batch: A list is not one JSON object.
POST /api/
{credentials}

[{"@":"user.create"}]
HTTP 400 malformed-json

### http/not-utf8: A byte order mark is not taken.
POST /api/
{credentials}

{byte EF}{byte BB}{byte BF}{"@":"user.create"}
HTTP 400 malformed-json

### http/not-utf8: Bytes that are not UTF-8 are not taken.
POST /api/
{credentials}

{"@":"user.create","x":"{byte FF}"}
HTTP 400 malformed-json

### http/proto-member: A member __proto__, however it is written.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{email}","\u005f_proto__":{}}}
HTTP 400 malformed-json

### http/proto-member: One whose value is replaced is not in the parsed value.
POST /api/
{credentials}

{"@":"user.create","data":{"__proto__":1},"data":{"name":"Ada","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":"{email}","createdAt":"{time}"}

### input/last-duplicate: Of members with one name the last counts.
POST /api/
{credentials}

{"@":"user.create","data":{"name":1,"name":"Ada","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":"{email}","createdAt":"{time}"}

### http/media-type: Another media type; it comes before the size.
POST /api/
Content-Type: text/plain

{a up to 65537}
HTTP 415 unsupported-media-type
Accept: application/json

### http/media-type-spelling: In any letter case, in utf-8: the operation is found, and credentials are missing.
POST /api/
Content-Type: Application/JSON; charset="UTF-8"

{"@":"user.create"}
HTTP 401 credentials-missing
WWW-Authenticate: ApiKey realm="atpoint"
X-Operation: user.create

### http/charset: Another charset.
POST /api/
Content-Type: application/json; charset=latin1

{"@":"user.create"}
HTTP 415 unsupported-media-type
Accept: application/json

### http/content-encoding: A content coding.
POST /api/
Content-Encoding: gzip

{"@":"user.create"}
HTTP 415 unsupported-media-type
Accept-Encoding: identity
`;

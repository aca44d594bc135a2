/** A command that is sent again with its `Idempotency-Key` (D25). */
export const again = String.raw`
### user.create/replayed: The same parsed data again under a key of 255 characters, however it is written.
POST /api/
{credentials}
Idempotency-Key: {mark to 255}

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":"{email}","createdAt":"{time}"}
then
POST /api/
{credentials}
Idempotency-Key: {mark to 255}

{ "data": {"email": "{email}", "name": "\u0041da"}, "@": "user.create" }
HTTP 201
Idempotent-Replayed: true
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":"{email}","createdAt":"{time}"}

### user.create/key-form: A key of 256 characters is too long.
POST /api/
{credentials}
Idempotency-Key: {256 × a}

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 400 invalid-idempotency-key
X-Operation: user.create

### user.create/key-form: A blank is not a visible character.
POST /api/
{credentials}
Idempotency-Key: a b

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 400 invalid-idempotency-key
X-Operation: user.create

### user.create/key-form: A character that is not ASCII.
POST /api/
{credentials}
Idempotency-Key: é

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 400 invalid-idempotency-key
X-Operation: user.create

### user.create/key-form: Two fields are not one key.
POST /api/
{credentials}
Idempotency-Key: a
Idempotency-Key: a

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 400 invalid-idempotency-key
X-Operation: user.create

### user.create/key-form: An empty key is absent: the second call is another one.
POST /api/
{credentials}
Idempotency-Key:

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":"{email}","createdAt":"{time}"}
then
POST /api/
{credentials}
Idempotency-Key:

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 409 email-taken
X-Operation: user.create

### user.create/key-after-input: The key is checked after the input.
POST /api/
{credentials}
Idempotency-Key: a b

{"@":"user.create","data":{"name":"","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### user.create/key-reused: Other data under the key.
POST /api/
{credentials}
Idempotency-Key: {mark}

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":"{email}","createdAt":"{time}"}
then
POST /api/
{credentials}
Idempotency-Key: {mark}

{"@":"user.create","data":{"name":"Eve","email":"{email}"}}
HTTP 422 idempotency-key-reused
X-Operation: user.create

### user.create/key-whole: A key in other letter case is another key.
POST /api/
{credentials}
Idempotency-Key: {mark}-a

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":"{email}","createdAt":"{time}"}
then
POST /api/
{credentials}
Idempotency-Key: {mark}-A

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 409 email-taken
X-Operation: user.create

### http/idempotency-key-on-get: On GET it is ignored.
GET /api/?@=sysinfo
Idempotency-Key: a b
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}
`;

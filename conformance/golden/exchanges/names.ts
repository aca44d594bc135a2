/** The name of a user: 1 to 200 code points, without some characters (D23). */
export const names = String.raw`
### user.create/name-length: No character is too few.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### user.create/name-length: One character.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"a","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"a","email":"{email}","createdAt":"{time}"}

### user.create/name-length: 200 characters.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"{200 × a}","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"{200 × a}","email":"{email}","createdAt":"{time}"}

### user.create/name-length: 201 characters are too many.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"{201 × a}","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### user.create/name-length: 200 code points of two UTF-16 units and four bytes each.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"{200 × 😀}","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"{200 × 😀}","email":"{email}","createdAt":"{time}"}

### user.create/name-length: 201 of them are too many.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"{201 × 😀}","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### user.create/as-sent: It is stored as sent, not composed.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ame\u0301lie  O\u0027Neil","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"Amélie  O'Neil","email":"{email}","createdAt":"{time}"}

### user.create/name-blanks: A blank before it.
POST /api/
{credentials}

{"@":"user.create","data":{"name":" Ada","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### user.create/name-blanks: A line end behind it, which is both white space and a control.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada\n","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### user.create/name-blanks: An ideographic blank behind it.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada\u3000","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### user.create/name-characters: The first control character.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"A\u0000a","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### user.create/name-characters: The last control character.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"A\u009fa","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### user.create/name-characters: A bidirectional override.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"A\u202ea","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### user.create/name-characters: A bidirectional isolate.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"A\u2066a","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### user.create/name-characters: A lone surrogate.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"A\ud83da","email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create

### input/wrong-type: A number is no name, and nothing is converted.
POST /api/
{credentials}

{"@":"user.create","data":{"name":1,"email":"{email}"}}
HTTP 422 invalid-input at #/data/name
X-Operation: user.create
`;

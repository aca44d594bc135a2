/** A paged list, and integers in a query (D8, D26). */
export const pages = `
### user.list/limit-range: 0 is too few.
GET /api/?@=user.list&limit=0
{credentials}
HTTP 422 invalid-input at limit
X-Operation: user.list

### user.list/limit-range: A negative integer is too few.
GET /api/?@=user.list&limit=-1
{credentials}
HTTP 422 invalid-input at limit
X-Operation: user.list

### user.list/limit-range: 1.
GET /api/?@=user.list&limit=1
{credentials}
HTTP 200
X-Operation: user.list

{"items":"{list}","nextCursor?":"{cursor}"}

### user.list/limit-range: 200.
GET /api/?@=user.list&limit=200
{credentials}
HTTP 200
X-Operation: user.list

{"items":"{list}","nextCursor?":"{cursor}"}

### user.list/limit-range: 201 is too many.
GET /api/?@=user.list&limit=201
{credentials}
HTTP 422 invalid-input at limit
X-Operation: user.list

### input/integers: A digit may be percent-encoded.
GET /api/?@=user.list&limit=%31
{credentials}
HTTP 200
X-Operation: user.list

{"items":"{list}","nextCursor?":"{cursor}"}

### input/integers: A leading zero.
GET /api/?@=user.list&limit=01
{credentials}
HTTP 422 invalid-input at limit
X-Operation: user.list

### input/integers: A plus sign.
GET /api/?@=user.list&limit=%2B1
{credentials}
HTTP 422 invalid-input at limit
X-Operation: user.list

### input/integers: Minus zero.
GET /api/?@=user.list&limit=-0
{credentials}
HTTP 422 invalid-input at limit
X-Operation: user.list

### input/integers: A leading zero after the sign.
GET /api/?@=user.list&limit=-01
{credentials}
HTTP 422 invalid-input at limit
X-Operation: user.list

### input/integers: An exponent.
GET /api/?@=user.list&limit=1e1
{credentials}
HTTP 422 invalid-input at limit
X-Operation: user.list

### input/integers: A blank.
GET /api/?@=user.list&limit=+1
{credentials}
HTTP 422 invalid-input at limit
X-Operation: user.list

### input/empty-is-not-absent: Empty is not absent.
GET /api/?@=user.list&limit=
{credentials}
HTTP 422 invalid-input at limit
X-Operation: user.list

### input/unknown-parameter: An unknown parameter is reported at the whole input.
GET /api/?@=user.list&offset=0&limit=0
{credentials}
HTTP 422 invalid-input at # limit
X-Operation: user.list

### user.list/next: Where another user follows there is a cursor, and it is taken.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":"{email}","createdAt":"{time}"}
then
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Eve","email":"{email 2}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid 2}","name":"Eve","email":"{email 2}","createdAt":"{time 2}"}
then
GET /api/?@=user.list&limit=1
{credentials}
HTTP 200
Link: {text}
X-Operation: user.list

{"items":[{"id":"{uuid 3}","name":"{text}","email":"{text}","createdAt":"{time 3}"}],"nextCursor":"{cursor}"}
then
GET /api/?@=user.list&limit=1&cursor={cursor}
{credentials}
HTTP 200
X-Operation: user.list

{"items":"{list}","nextCursor?":"{cursor 2}"}

### user.list/invalid-cursor: A cursor that was not given out.
GET /api/?@=user.list&cursor=x
{credentials}
HTTP 400 invalid-cursor
X-Operation: user.list

### user.list/invalid-cursor: An empty one is not absent.
GET /api/?@=user.list&cursor=
{credentials}
HTTP 400 invalid-cursor
X-Operation: user.list

### dispatch/order: The input comes before the cursor.
GET /api/?@=user.list&cursor=x&limit=0
{credentials}
HTTP 422 invalid-input at limit
X-Operation: user.list
`;

/** The e-mail address of a user, and its uniqueness (D8, D23, D24). */
export const emails = `
### user.create/email-length: 64 characters before the @; the id of the request is returned.
POST /api/
{credentials}
X-Request-Id: {64 × z}

{"@":"user.create","data":{"name":"Ada","email":"{email 64 before the @}"}}
HTTP 201
X-Request-Id: {64 × z}
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":"{email 64 before the @}","createdAt":"{time}"}

### user.create/email-length: 65 characters before the @ are too many.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{email 65 before the @}"}}
HTTP 422 invalid-input at #/data/email
X-Operation: user.create

### user.create/email-length: 254 characters in all.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{email 64 before the @, 254 in all}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":"{email 64 before the @, 254 in all}","createdAt":"{time}"}

### user.create/email-length: 255 characters are too many.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{email 64 before the @, 255 in all}"}}
HTTP 422 invalid-input at #/data/email
X-Operation: user.create

### user.create/email-syntax: All that the HTML standard allows before the @, dots anywhere; after it one label is enough.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":".{local}..!#$%&'*+/=?^_{|}~-.@a"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":".{local}..!#$%&'*+/=?^_{|}~-.@a","createdAt":"{time}"}

### user.create/email-syntax: A label of 63 characters.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{local}@{63 × a}.example.com"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":"{local}@{63 × a}.example.com","createdAt":"{time}"}

### user.create/email-syntax: A label of 64 characters is too long.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{local}@{64 × a}.example.com"}}
HTTP 422 invalid-input at #/data/email
X-Operation: user.create

### user.create/email-syntax: A label does not begin with a hyphen.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{local}@-a.example.com"}}
HTTP 422 invalid-input at #/data/email
X-Operation: user.create

### user.create/email-syntax: A label is not empty.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{local}@example..com"}}
HTTP 422 invalid-input at #/data/email
X-Operation: user.create

### user.create/email-syntax: There is one @.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{local}@a@example.com"}}
HTTP 422 invalid-input at #/data/email
X-Operation: user.create

### user.create/email-syntax: A character that is not ASCII.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{local}é@example.com"}}
HTTP 422 invalid-input at #/data/email
X-Operation: user.create

### errors/all-faults: Every fault is reported: what is missing where it should be, what is not known at its parent.
POST /api/
{credentials}

{"@":"user.create","more":1,"data":{"email":"a","more":1}}
HTTP 422 invalid-input at # #/data #/data/name #/data/email
X-Operation: user.create

### input/missing-member: Without data nothing within it is missing.
POST /api/
{credentials}

{"@":"user.create"}
HTTP 422 invalid-input at #/data
X-Operation: user.create

### input/post-query: The query of a POST takes only the two credentials.
POST /api/?name=Ada
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 422 invalid-input at #
X-Operation: user.create

### user.create/email-taken: An address that is taken, letter case aside.
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{email}"}}
HTTP 201
X-Operation: user.create

{"id":"{uuid}","name":"Ada","email":"{email}","createdAt":"{time}"}
then
POST /api/
{credentials}

{"@":"user.create","data":{"name":"Ada","email":"{EMAIL}"}}
HTTP 409 email-taken
X-Operation: user.create
`;

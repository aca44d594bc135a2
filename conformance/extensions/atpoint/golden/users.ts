import type { GoldenText } from "../../../golden/read.ts";

/** Users: their pages, the name and the e-mail address of each, its uniqueness (D8, D23, D24, D26). */
export const users: GoldenText = {
  file: "conformance/extensions/atpoint/golden/users.ts",
  line: 7,
  text: String.raw`
= 200 by user.list | {"items":"{list}","nextCursor?":"{cursor}"}
= 201 by user.create | {"id":"{uuid}","name":"Ada","email":"{email}","createdAt":"{time}"}

user.list/limit-range: 0 is too few.
  GET* /api/?@=user.list&limit=0 -> 422 invalid-input by user.list at limit
user.list/limit-range: A negative integer is too few.
  GET* /api/?@=user.list&limit=-1 -> 422 invalid-input by user.list at limit
user.list/limit-range: 1.
  GET* /api/?@=user.list&limit=1 -> 200 by user.list
user.list/limit-range: 200.
  GET* /api/?@=user.list&limit=200 -> 200 by user.list
user.list/limit-range: 201 is too many.
  GET* /api/?@=user.list&limit=201 -> 422 invalid-input by user.list at limit

input/integers: A digit may be percent-encoded.
  GET* /api/?@=user.list&limit=%31 -> 200 by user.list
input/integers: A leading zero.
  GET* /api/?@=user.list&limit=01 -> 422 invalid-input by user.list at limit
input/integers: A plus sign.
  GET* /api/?@=user.list&limit=%2B1 -> 422 invalid-input by user.list at limit
input/integers: Minus zero.
  GET* /api/?@=user.list&limit=-0 -> 422 invalid-input by user.list at limit
input/integers: A leading zero after the sign.
  GET* /api/?@=user.list&limit=-01 -> 422 invalid-input by user.list at limit
input/integers: An exponent.
  GET* /api/?@=user.list&limit=1e1 -> 422 invalid-input by user.list at limit
input/integers: A blank.
  GET* /api/?@=user.list&limit=+1 -> 422 invalid-input by user.list at limit
input/empty-is-not-absent: Empty is not absent.
  GET* /api/?@=user.list&limit= -> 422 invalid-input by user.list at limit
input/unknown-parameter: An unknown parameter is reported at the whole input.
  GET* /api/?@=user.list&offset=0&limit=0 -> 422 invalid-input by user.list at # limit

user.list/next: Where another user follows there is a cursor, and it is taken.
  POST* | {"@":"user.create","data":{"name":"Ada","email":"{email}"}} -> 201 by user.create
  POST* | {"@":"user.create","data":{"name":"Eve","email":"{email 2}"}}
  -> 201 by user.create | {"id":"{uuid 2}","name":"Eve","email":"{email 2}","createdAt":"{time 2}"}
  GET* /api/?@=user.list&limit=1
  -> 200 by user.list | Link: {text} | {"items":[{"id":"{uuid 3}","name":"{text}","email":"{text}","createdAt":"{time 3}"}],"nextCursor":"{cursor}"}
  GET* /api/?@=user.list&limit=1&cursor={cursor} -> 200 by user.list | {"items":"{list}","nextCursor?":"{cursor 2}"}
user.list/invalid-cursor: A cursor that was not given out.
  GET* /api/?@=user.list&cursor=x -> 400 invalid-cursor by user.list
user.list/invalid-cursor: An empty one is not absent.
  GET* /api/?@=user.list&cursor= -> 400 invalid-cursor by user.list
dispatch/order: The input comes before the cursor.
  GET* /api/?@=user.list&cursor=x&limit=0 -> 422 invalid-input by user.list at limit

user.create/name-length: No character is too few.
  POST* | {"@":"user.create","data":{"name":"","email":"{email}"}} -> 422 invalid-input by user.create at #/data/name
user.create/name-length: One character.
  POST* | {"@":"user.create","data":{"name":"a","email":"{email}"}}
  -> 201 by user.create | {"id":"{uuid}","name":"a","email":"{email}","createdAt":"{time}"}
user.create/name-length: 200 characters.
  POST* | {"@":"user.create","data":{"name":"{200 × a}","email":"{email}"}}
  -> 201 by user.create | {"id":"{uuid}","name":"{200 × a}","email":"{email}","createdAt":"{time}"}
user.create/name-length: 201 characters are too many.
  POST* | {"@":"user.create","data":{"name":"{201 × a}","email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
user.create/name-length: 200 code points of two UTF-16 units and four bytes each.
  POST* | {"@":"user.create","data":{"name":"{200 × 😀}","email":"{email}"}}
  -> 201 by user.create | {"id":"{uuid}","name":"{200 × 😀}","email":"{email}","createdAt":"{time}"}
user.create/name-length: 201 of them are too many.
  POST* | {"@":"user.create","data":{"name":"{201 × 😀}","email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
user.create/as-sent: It is stored as sent, not composed.
  POST* | {"@":"user.create","data":{"name":"Ame\u0301lie  O\u0027Neil","email":"{email}"}}
  -> 201 by user.create | {"id":"{uuid}","name":"Amélie  O'Neil","email":"{email}","createdAt":"{time}"}
user.create/name-blanks: A blank before it.
  POST* | {"@":"user.create","data":{"name":" Ada","email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
user.create/name-blanks: A line end behind it, which is both white space and a control.
  POST* | {"@":"user.create","data":{"name":"Ada\n","email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
user.create/name-blanks: An ideographic blank behind it.
  POST* | {"@":"user.create","data":{"name":"Ada\u3000","email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
user.create/name-characters: The first control character.
  POST* | {"@":"user.create","data":{"name":"A\u0000a","email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
user.create/name-characters: The last control character.
  POST* | {"@":"user.create","data":{"name":"A\u009fa","email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
user.create/name-characters: A bidirectional override.
  POST* | {"@":"user.create","data":{"name":"A\u202ea","email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
user.create/name-characters: A bidirectional isolate.
  POST* | {"@":"user.create","data":{"name":"A\u2066a","email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
user.create/name-characters: A lone surrogate.
  POST* | {"@":"user.create","data":{"name":"A\ud83da","email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
input/wrong-type: A number is no name, and nothing is converted.
  POST* | {"@":"user.create","data":{"name":1,"email":"{email}"}} -> 422 invalid-input by user.create at #/data/name

user.create/email-length: 64 characters before the @; the id of the request is returned.
  POST* | X-Request-Id: {64 × z} | {"@":"user.create","data":{"name":"Ada","email":"{email 64 before the @}"}}
  -> 201 by user.create | X-Request-Id: {64 × z} | {"id":"{uuid}","name":"Ada","email":"{email 64 before the @}","createdAt":"{time}"}
user.create/email-length: 65 characters before the @ are too many.
  POST* | {"@":"user.create","data":{"name":"Ada","email":"{email 65 before the @}"}}
  -> 422 invalid-input by user.create at #/data/email
user.create/email-length: 254 characters in all.
  POST* | {"@":"user.create","data":{"name":"Ada","email":"{email 64 before the @, 254 in all}"}}
  -> 201 by user.create | {"id":"{uuid}","name":"Ada","email":"{email 64 before the @, 254 in all}","createdAt":"{time}"}
user.create/email-length: 255 characters are too many.
  POST* | {"@":"user.create","data":{"name":"Ada","email":"{email 64 before the @, 255 in all}"}}
  -> 422 invalid-input by user.create at #/data/email
user.create/email-syntax: All that the HTML standard allows before the @, dots anywhere; after it one label is enough.
  POST* | {"@":"user.create","data":{"name":"Ada","email":".{local}..!#$%&'*+/=?^_{|}~-.@a"}}
  -> 201 by user.create | {"id":"{uuid}","name":"Ada","email":".{local}..!#$%&'*+/=?^_{|}~-.@a","createdAt":"{time}"}
user.create/email-syntax: A label of 63 characters.
  POST* | {"@":"user.create","data":{"name":"Ada","email":"{local}@{63 × a}.example.com"}}
  -> 201 by user.create | {"id":"{uuid}","name":"Ada","email":"{local}@{63 × a}.example.com","createdAt":"{time}"}
user.create/email-syntax: A label of 64 characters is too long.
  POST* | {"@":"user.create","data":{"name":"Ada","email":"{local}@{64 × a}.example.com"}}
  -> 422 invalid-input by user.create at #/data/email
user.create/email-syntax: A label does not begin with a hyphen.
  POST* | {"@":"user.create","data":{"name":"Ada","email":"{local}@-a.example.com"}}
  -> 422 invalid-input by user.create at #/data/email
user.create/email-syntax: A label is not empty.
  POST* | {"@":"user.create","data":{"name":"Ada","email":"{local}@example..com"}}
  -> 422 invalid-input by user.create at #/data/email
user.create/email-syntax: There is one @.
  POST* | {"@":"user.create","data":{"name":"Ada","email":"{local}@a@example.com"}}
  -> 422 invalid-input by user.create at #/data/email
user.create/email-syntax: A character that is not ASCII.
  POST* | {"@":"user.create","data":{"name":"Ada","email":"{local}é@example.com"}}
  -> 422 invalid-input by user.create at #/data/email
errors/all-faults: Every fault is reported: what is missing where it should be, what is not known at its parent.
  POST* | {"@":"user.create","more":1,"data":{"email":"a","more":1}}
  -> 422 invalid-input by user.create at # #/data #/data/name #/data/email

input/missing-member: Without data nothing within it is missing.
  POST* | {"@":"user.create"} -> 422 invalid-input by user.create at #/data
input/post-query: The query of a POST takes only the two credentials.
  POST* /api/?name=Ada | {"@":"user.create","data":{"name":"Ada","email":"{email}"}}
  -> 422 invalid-input by user.create at #
user.create/email-taken: An address that is taken, letter case aside.
  POST* | {"@":"user.create","data":{"name":"Ada","email":"{email}"}} -> 201 by user.create
  POST* | {"@":"user.create","data":{"name":"Ada","email":"{EMAIL}"}} -> 409 email-taken by user.create
`,
};

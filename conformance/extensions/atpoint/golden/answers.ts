import type { GoldenText } from "../../../golden/read.ts";

/** Representations, documents, cached copies, and a command that is sent again (D10, D12, D25, D30, D31). */
export const answers: GoldenText = {
  file: "conformance/extensions/atpoint/golden/answers.ts",
  line: 7,
  text: String.raw`
= 200 by sysinfo | {"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}
= 200 by test.health | {"status":"pass","version":"3.0.3","checks":{"storage":"pass"}}
= 200 by docs.list | {"items":"{list}"}
= 201 by user.create | {"id":"{uuid}","name":"Ada","email":"{email}","createdAt":"{time}"}

answers/not-acceptable: What is excluded by a weight of 0.
  GET /api/?@=sysinfo | Accept: application/json;q=0, */* -> 406 not-acceptable by sysinfo
answers/not-acceptable: What is not in the list; the input comes later.
  GET /api/?@=sysinfo&x=1 | Accept: text/html -> 406 not-acceptable by sysinfo
answers/accept-ignored: One malformed element, and the whole list is ignored.
  GET /api/?@=sysinfo | Accept: text/html, json -> 200 by sysinfo
answers/accept-ignored: Other parameters are ignored.
  GET /api/?@=sysinfo | Accept: application/json;version=9;q=0.1 -> 200 by sysinfo

docs.get/json: JSON by default.
  GET /api/?@=docs.get.README
  -> 200 by docs.get | ETag: "{etag}" | Vary: Accept, Accept-Encoding{origin} | Cache-Control: public, max-age=300 | {"name":"README","title":"{text}","mediaType":"text/markdown","content":"{text}"}
docs.get/not-modified: The copy that the caller has is still good: no body, the same tag.
  GET /api/?@=docs.get.README | Accept: text/markdown
  -> 200 by docs.get | Content-Type: text/markdown{parameters} | ETag: "{etag}" | Vary: Accept, Accept-Encoding{origin} | Cache-Control: public, max-age=300 | {text}
  GET /api/?@=docs.get.README | Accept: text/markdown | If-None-Match: "x", W/"{etag}"
  -> 304 by docs.get | ETag: "{etag}" | Vary: Accept, Accept-Encoding{origin} | Cache-Control: public, max-age=300
  GET /api/?@=docs.get.README | Accept: text/plain | If-None-Match: "{etag}"
  -> 200 by docs.get | Content-Type: text/plain{parameters} | ETag: "{etag 2}" | Vary: Accept, Accept-Encoding{origin} | Cache-Control: public, max-age=300 | {text}
docs.get/not-modified: * is any copy, whichever the caller has.
  HEAD /api/?@=docs.get.README | If-None-Match: *
  -> 304 by docs.get | ETag: "{etag}" | Vary: Accept, Accept-Encoding{origin} | Cache-Control: public, max-age=300
http/robots-etag: The same for a file.
  GET /robots.txt | If-None-Match: *
  -> 304 | ETag: "{etag}" | Vary: Accept-Encoding{origin} | Cache-Control: {text}
docs.list/items: A list has no tag: the field changes nothing.
  GET /api/?@=docs.list | If-None-Match: * -> 200 by docs.list
test.health/fresh: What is not stored is always sent.
  GET* /api/?@=test.health | If-None-Match: * -> 200 by test.health

docs.get/absent: Names differ by letter case.
  GET /api/?@=docs.list -> 200 by docs.list
  GET /api/?@=docs.get.readme -> 404 document-not-found by docs.get
docs.get/absent: A name of 64 characters has the form of one.
  GET /api/?@=docs.list -> 200 by docs.list
  GET /api/?@=docs.get.{64 × a} -> 404 document-not-found by docs.get
landing/json: The landing page prefers HTML, and is JSON for whoever prefers that.
  GET / | Accept: application/json, text/html;q=0.9
  -> 200 | {"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

docs.get/name-pattern: A name of 65 characters has not.
  GET /api/?@=docs.get.{65 × a} -> 404 operation-not-found
docs.get/name-pattern: A path is no name.
  GET /api/?@=docs.get.../README -> 404 operation-not-found

user.create/key-after-input: The key is checked after the input.
  POST* | Idempotency-Key: a b | {"@":"user.create","data":{"name":"","email":"{email}"}}
  -> 422 invalid-input by user.create at #/data/name
user.create/replayed: The same parsed data again under a key of 255 characters, however it is written.
  POST* | Idempotency-Key: {mark to 255} | {"@":"user.create","data":{"name":"Ada","email":"{email}"}}
  -> 201 by user.create
  POST* | Idempotency-Key: {mark to 255} | { "data": {"email": "{email}", "name": "\u0041da"}, "@": "user.create" }
  -> 201 by user.create | Idempotent-Replayed: true
user.create/key-form: A key of 256 characters is too long.
  POST* | Idempotency-Key: {256 × a} | {"@":"user.create","data":{"name":"Ada","email":"{email}"}}
  -> 400 invalid-idempotency-key by user.create
user.create/key-form: A blank is not a visible character.
  POST* | Idempotency-Key: a b | {"@":"user.create","data":{"name":"Ada","email":"{email}"}}
  -> 400 invalid-idempotency-key by user.create
user.create/key-form: A character that is not ASCII.
  POST* | Idempotency-Key: é | {"@":"user.create","data":{"name":"Ada","email":"{email}"}}
  -> 400 invalid-idempotency-key by user.create
user.create/key-form: Two fields are not one key.
  POST* | Idempotency-Key: a | Idempotency-Key: a | {"@":"user.create","data":{"name":"Ada","email":"{email}"}}
  -> 400 invalid-idempotency-key by user.create
user.create/key-form: An empty key is absent: the second call is another one.
  POST* | Idempotency-Key: | {"@":"user.create","data":{"name":"Ada","email":"{email}"}} -> 201 by user.create
  POST* | Idempotency-Key: | {"@":"user.create","data":{"name":"Ada","email":"{email}"}}
  -> 409 email-taken by user.create
user.create/key-reused: Other data under the key.
  POST* | Idempotency-Key: {mark} | {"@":"user.create","data":{"name":"Ada","email":"{email}"}} -> 201 by user.create
  POST* | Idempotency-Key: {mark} | {"@":"user.create","data":{"name":"Eve","email":"{email}"}}
  -> 422 idempotency-key-reused by user.create
user.create/key-whole: A key in other letter case is another key.
  POST* | Idempotency-Key: {mark}-a | {"@":"user.create","data":{"name":"Ada","email":"{email}"}} -> 201 by user.create
  POST* | Idempotency-Key: {mark}-A | {"@":"user.create","data":{"name":"Ada","email":"{email}"}}
  -> 409 email-taken by user.create
http/idempotency-key-on-get: On GET it is ignored.
  GET /api/?@=sysinfo | Idempotency-Key: a b -> 200 by sysinfo
http/request-id-stored: What shared caches may store has an id of the service.
  GET /robots.txt | X-Request-Id: mine
  -> 200 | Content-Type: text/plain{parameters}
    | X-Request-Id: {request-id but not mine} | ETag: "{etag}" | Cache-Control: {text} | {text}
`,
};

/** Representations, documents, and cached copies (D10, D12, D30, D31). */
export const answers = `
### answers/not-acceptable: What is excluded by a weight of 0.
GET /api/?@=sysinfo
Accept: application/json;q=0, */*
HTTP 406 not-acceptable
X-Operation: sysinfo

### answers/not-acceptable: What is not in the list; the input comes later.
GET /api/?@=sysinfo&x=1
Accept: text/html
HTTP 406 not-acceptable
X-Operation: sysinfo

### answers/accept-ignored: One malformed element, and the whole list is ignored.
GET /api/?@=sysinfo
Accept: text/html, json
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### answers/accept-ignored: Other parameters are ignored.
GET /api/?@=sysinfo
Accept: application/json;version=9;q=0.1
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### answers/problems-whatever-accept: A problem has its own media type.
GET /api/?@=unknown
Accept: text/html
HTTP 404 operation-not-found

### docs.get/json: JSON by default.
GET /api/?@=docs.get.README
HTTP 200
ETag: "{etag}"
Vary: Accept, Accept-Encoding{origin}
Cache-Control: public, max-age=300
X-Operation: docs.get

{"name":"README","title":"{text}","mediaType":"text/markdown","content":"{text}"}

### http/request-id-stored: What shared caches may store has an id of the service.
GET /robots.txt
X-Request-Id: mine
HTTP 200
Content-Type: text/plain{parameters}
X-Request-Id: {request-id but not mine}
ETag: "{etag}"
Cache-Control: {text}

{text}

### docs.get/not-modified: The copy that the caller has is still good: no body, the same tag.
GET /api/?@=docs.get.README
Accept: text/markdown
HTTP 200
Content-Type: text/markdown{parameters}
ETag: "{etag}"
Vary: Accept, Accept-Encoding{origin}
Cache-Control: public, max-age=300
X-Operation: docs.get

{text}
then
GET /api/?@=docs.get.README
Accept: text/markdown
If-None-Match: "x", W/"{etag}"
HTTP 304
ETag: "{etag}"
Vary: Accept, Accept-Encoding{origin}
Cache-Control: public, max-age=300
X-Operation: docs.get
then
GET /api/?@=docs.get.README
Accept: text/plain
If-None-Match: "{etag}"
HTTP 200
Content-Type: text/plain{parameters}
ETag: "{etag 2}"
Vary: Accept, Accept-Encoding{origin}
Cache-Control: public, max-age=300
X-Operation: docs.get

{text}

### test.health/fresh: What is not stored is always sent.
GET /api/?@=test.health
{credentials}
If-None-Match: *
HTTP 200
X-Operation: test.health

{"status":"pass","version":"3.0.3","checks":{"storage":"pass"}}

### docs.get/absent: Names differ by letter case.
GET /api/?@=docs.list
HTTP 200
X-Operation: docs.list

{"items":"{list}"}
then
GET /api/?@=docs.get.readme
HTTP 404 document-not-found
X-Operation: docs.get

### docs.get/absent: A name of 64 characters has the form of one.
GET /api/?@=docs.list
HTTP 200
X-Operation: docs.list

{"items":"{list}"}
then
GET /api/?@=docs.get.{64 × a}
HTTP 404 document-not-found
X-Operation: docs.get

### docs.get/name-pattern: A name of 65 characters has not.
GET /api/?@=docs.get.{65 × a}
HTTP 404 operation-not-found

### docs.get/name-pattern: A path is no name.
GET /api/?@=docs.get.../README
HTTP 404 operation-not-found

### landing/json: The landing page prefers HTML, and is JSON for whoever prefers that.
GET /
Accept: application/json, text/html;q=0.9
HTTP 200

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}
`;

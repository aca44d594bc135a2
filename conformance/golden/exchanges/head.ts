/** The head of a request and its limits, HTTP/1.x itself (D5, D12, D13). */
export const head = `
### http/url-limit: A target of 8,192 bytes passes; what a public operation has as a credential is not checked.
GET /api/?@=sysinfo&X-API-KEY={k up to 8192}
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### http/url-limit: A target of 8,193 bytes is too long, whether it is counted alone or with the fields.
GET /api/?@=sysinfo&X-API-KEY={k up to 8193}
HTTP 414 uri-too-long
or
HTTP 431 headers-too-large

### http/header-count: 100 fields pass: Host, Connection and 98 more.
GET /api/?@=sysinfo
{98 × X-More: a}
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### http/header-count: 101 fields are too many.
GET /api/?@=sysinfo
{99 × X-More: a}
HTTP 431 headers-too-large

### http/header-limit: Fields that have 16 KiB with all that is between them pass.
GET /api/?@=sysinfo
X-More: {a up to 16384}
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### http/header-limit: One byte more is too much.
GET /api/?@=sysinfo
X-More: {a up to 16385}
HTTP 431 headers-too-large

### http/malformed-request: An unknown method token.
FETCH-IT /api/?@=sysinfo
HTTP 400 malformed-request

### http/malformed-request: A target with a byte that is no visible ASCII character (RFC 9112, 3.2).
GET /api/?@=sysinfo&x=\u00e9
HTTP 400 malformed-request

### http/malformed-request: A target that is neither a path nor an http(s) address.
GET ftp://one.invalid/api/?@=sysinfo
HTTP 400 malformed-request

### http/malformed-request: Another transfer coding than chunked.
GET /api/?@=sysinfo
Transfer-Encoding: gzip
HTTP 400 malformed-request

### http/malformed-request: Any transfer coding of HTTP/1.0, which has none.
GET /api/?@=sysinfo HTTP/1.0
Transfer-Encoding: chunked

0{byte 0D}{byte 0A}{byte 0D}{byte 0A}
HTTP 400 malformed-request

### http/versions: A target in absolute form is served.
GET {base}/api/?@=sysinfo
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### http/versions: HTTP/1.0 is served.
GET /api/?@=sysinfo HTTP/1.0
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### http/expectation: Another expectation than 100-continue cannot be met.
GET /api/?@=sysinfo
Expect: 200-ok
HTTP 417 expectation-failed

### http/request-id: The id of the caller, of 64 characters, comes back.
GET /api/?@=sysinfo
X-Request-Id: {64 × z}
HTTP 200
X-Request-Id: {64 × z}
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### http/request-id: One of 65 characters does not: the new one has at most 64.
GET /api/?@=sysinfo
X-Request-Id: {65 × z}
HTTP 200
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### http/request-id: 39 hexadecimal digits in a row are no form of a key.
GET /api/?@=sysinfo
X-Request-Id: {39 × a}
HTTP 200
X-Request-Id: {39 × a}
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### http/request-id: 40 of them are, in any letter case.
GET /api/?@=sysinfo
X-Request-Id: z{20 × aA}
HTTP 200
X-Request-Id: {request-id but not zaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaAaA}
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}

### http/request-id: The beginning of a key is, before a hexadecimal digit.
GET /api/?@=sysinfo
X-Request-Id: ATP_0
HTTP 200
X-Request-Id: {request-id but not ATP_0}
X-Operation: sysinfo

{"status":"Operational","version":"3.0.3","server":"{text}","runtime":"{text}","clientAddress":"{text}","requestMethod":"GET","time":"{time}"}
`;

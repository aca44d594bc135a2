"""The same contract without Node.js: Python's standard library, with the invoices in memory.

    python3 server.py generated/contract.json credentials.json

It writes keys for the conformance suite into the second file, and prints its address.
"""

import gzip
import hashlib
import html
import json
import os
import re
import secrets
import sys
from calendar import monthrange
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes, urljoin

with open(sys.argv[1], encoding="utf-8") as contract_file:
    CONTRACT = json.load(contract_file)
LIMITS, OPERATIONS, PREFIX = CONTRACT["limits"], CONTRACT["operations"], CONTRACT["keys"]["prefix"]
CREDENTIALS, PLATFORMS = ("X-API-KEY", "X-PLATFORM"), ("web",)
JSON, MARKDOWN, MAX_SAFE = "application/json", "text/markdown", 2**53 - 1

class Problem(Exception):
    """A rejection by a code of the contract; `members` are those of its document."""

    def __init__(self, code, headers=None, **members):
        super().__init__(code)
        self.code, self.headers, self.members = code, headers or {}, members

class Reply(NamedTuple):
    status: int
    body: object = None
    headers: dict = {}
    media_type: str = JSON

def json_text(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True)

def parse_query(search):
    """The parameters, decoded; `+` is a space."""
    pairs = [pair.partition("=") for pair in search.replace("+", " ").split("&") if pair]
    try:
        if re.search("%(?![0-9A-Fa-f]{2})", search):
            raise ValueError
        decoded = [[unquote_to_bytes(part).decode() for part in pair] for pair in pairs]
    except ValueError:
        raise Problem("malformed-query") from None
    parameters = {name: value for name, _, value in decoded}
    if len(parameters) < len(decoded):
        raise Problem("parameter-repeated")
    return parameters

def parse_body(data):
    """The JSON object of a body, with the numbers that JavaScript would read."""
    try:
        text, depth = data.decode(), 0
        marks = re.sub(r'"(?:[^"\\]|\\.)*("|$)|[^][{},"]', "", text, flags=re.S)
        for mark in marks:
            depth += (mark in "{[") - (mark in "}]")
            if depth > LIMITS["bodyDepth"]:
                raise ValueError
        if len(re.findall(r"[{[,]", marks)) > LIMITS["bodyParts"]:
            raise ValueError
        # NaN and Infinity are no integers, and not JSON.
        value = json.loads(text, parse_int=number, parse_float=number, parse_constant=int)
    except ValueError:
        raise Problem("malformed-json") from None
    if not isinstance(value, dict) or has_proto(value):
        raise Problem("malformed-json")
    return value

def number(text):
    value = float(text)
    return int(value) if value.is_integer() and abs(value) <= MAX_SAFE else value

def has_proto(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (isinstance(value, dict) and "__proto__" in value) or any(map(has_proto, inner))

TOKEN = r"[\w!#$%&'*+.^`|~-]+"
QUOTED = r'"(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[^\x00-\x08\x0a-\x1f\x7f])*"'
PARAMETERS = rf"(?:;[; \t]*(?:{TOKEN}=(?:{TOKEN}|{QUOTED})[ \t]*)?)*"
MEDIA_TYPE = re.compile(rf"[ \t]*({TOKEN}/{TOKEN})[ \t]*({PARAMETERS})", re.A)
CODING = re.compile(rf"[ \t]*({TOKEN})[ \t]*({PARAMETERS})", re.A)
PARAMETER = re.compile(rf"({TOKEN})=(?:({TOKEN})|\"((?:[^\"\\]|\\.)*)\")", re.A)
QVALUE = re.compile(r"0(\.\d{0,3})?|1(\.0{0,3})?", re.A)

def values_of(parameters, name):
    """The values of a parameter of a media type, without quotes."""
    found = PARAMETER.findall(parameters)
    return [token or re.sub(r"\\(.)", r"\1", text) for k, token, text in found if k.lower() == name]

def check_media_type(headers):
    if joined(headers, "Content-Encoding").lower() not in ("", "identity"):
        raise Problem("unsupported-media-type", {"Accept-Encoding": "identity"})
    types = fields(headers, "Content-Type")
    sent = MEDIA_TYPE.fullmatch(types[0]) if len(types) == 1 else None
    charsets = {one.lower() for one in values_of(sent[2], "charset")} if sent else set()
    if not sent or sent[1].lower() != JSON or charsets - {"utf-8"}:
        raise Problem("unsupported-media-type", {"Accept": JSON})

def weights_of(header, form):
    """The weight of each media range or coding; empty where one breaks the grammar."""
    weights, place = {}, 0
    while (place := re.compile(r"[ \t,]*").match(header, place).end()) < len(header):
        element = form.match(header, place)
        weight, *others = (values_of(element[2], "q") or ["1"]) if element else ["none"]
        if others or not QVALUE.fullmatch(weight) or header[element.end() :][:1] not in ("", ","):
            return {}
        weights[element[1].lower()] = max(float(weight), weights.get(element[1].lower(), 0))
        place = element.end()
    return weights

def negotiate(accept, offered):
    ranges = weights_of(accept, MEDIA_TYPE) or {"*/*": 1}
    names = {one: [one, one.split("/")[0] + "/*", "*/*"] for one in offered}
    weights = {one: next((ranges[n] for n in names[one] if n in ranges), 0) for one in offered}
    best = max(offered, key=weights.get)
    if weights[best] == 0:
        raise Problem("not-acceptable")
    return best

def fields(headers, name):
    return [value.strip(" \t") for value in headers.get_all(name, [])]

def joined(headers, name):
    return ", ".join(fields(headers, name))

# Validating an input: a fault has its path, and what is wrong

TYPES = {"string": [str], "integer": [int], "number": [int, float], "boolean": [bool]}
TYPES |= {"object": [dict], "array": [list], "null": [type(None)]}
BOUNDS = {
    "minimum": ((int, float), lambda value, bound: value >= bound),
    "maximum": ((int, float), lambda value, bound: value <= bound),
    "minLength": (str, lambda value, bound: len(value) >= bound),
    "maxLength": (str, lambda value, bound: len(value) <= bound),
    "minItems": (list, lambda value, bound: len(value) >= bound),
    "maxItems": (list, lambda value, bound: len(value) <= bound),
    "pattern": (str, lambda value, pattern: pattern_of(pattern).search(value)),
    "format": (str, lambda value, name: name != "date" or is_date(value)),
}

def pattern_of(pattern):
    # In Python, `$` also matches before a line feed at the end.
    return re.compile(re.sub(r"(?<!\\)\$$", r"\\Z", pattern), re.A)

def is_date(text):
    if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])-\d\d", text, re.A):
        return False
    year, month, day = map(int, text.split("-"))
    return 1 <= day <= monthrange(year, month)[1]

def resolve(schema):
    name = schema.get("$ref", "").removeprefix("#/schemas/")
    return {**resolve(CONTRACT["schemas"][name]), **schema} if name else schema

def faults_of(schema, value, path=()):
    schema = resolve(schema)
    name, members = schema.get("type"), schema.get("properties", {})
    if name and type(value) not in TYPES[name]:
        return [(path, f"must be of the type {name}")]
    if "enum" in schema and value not in schema["enum"]:
        return [(path, f"must be one of {', '.join(schema['enum'])}")]
    faults = faults_of_union(schema["anyOf"], value, path) if "anyOf" in schema else []
    for keyword, (kind, holds) in BOUNDS.items():
        if keyword in schema and isinstance(value, kind) and not holds(value, schema[keyword]):
            faults = faults or [(path, f"breaks the {keyword} of its schema")]
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            faults += faults_of(schema["items"], item, (*path, index))
    if isinstance(value, dict):
        missing = [name for name in schema.get("required", ()) if name not in value]
        faults += [((*path, name), "is required") for name in missing]
        if schema.get("additionalProperties") is False and value.keys() - members.keys():
            faults.append((path, f"takes {', '.join(members) or 'nothing'}, and no other"))
        for name in members.keys() & value.keys():
            faults += faults_of(members[name], value[name], (*path, name))
    return faults

def faults_of_union(alternatives, value, path):
    """A value of none of them is one fault, unless a literal member chooses one of them."""
    if not all(faults_of(one, value) for one in alternatives):
        return []
    objects = [one for one in map(resolve, alternatives) if one.get("type") == "object"]
    for name in objects[0]["properties"] if objects and isinstance(value, dict) else ():
        members = [resolve(one["properties"].get(name, {})) for one in objects]
        literals = [member.get("enum", []) for member in members]
        if all(literals) and len(set(sum(literals, []))) == sum(map(len, literals)):
            chosen = [one for one, some in zip(objects, literals) if value.get(name) in some]
            return faults_of(chosen[0], value, path) if chosen else [(path, "is of no alternative")]
    return [(path, "is of no alternative")]

def located(path, detail, is_body):
    if path and not is_body:
        return {"parameter": path[0], "detail": detail}
    tokens = (str(one).replace("~", "~0").replace("/", "~1") for one in path)
    return {"pointer": "#" + quote("".join("/" + one for one in tokens), "/~@"), "detail": detail}

def typed(text, kind):
    if kind == "integer" and re.fullmatch(r"0|-?[1-9]\d{0,15}", text, re.A):
        return number(text)
    return text.split(",") if kind == "strings" else text

def input_of(operation, parameters, parts, body):
    """The member `data` of a body, or the parameters, each of its type."""
    types = {name: one["type"] for name, one in operation["input"].items()}
    sent = {name: typed(text, types.get(name)) for name, text in parameters.items()}
    is_body, faults = body is not None, []
    if parameters if is_body else parts.keys() & sent.keys():
        faults.append(((), "it has parameters that are not known"))
    closed = {"type": "object", "required": ["data"], "additionalProperties": False}
    of_body = {**closed, "properties": {"@": {}, "data": operation["schema"]}}
    value = body if is_body else {**sent, **parts}
    faults += faults_of(of_body if is_body else operation["schema"], value)
    if faults:
        errors = [located(*fault, is_body) for fault in faults[: LIMITS["faults"]]]
        raise Problem("invalid-input", errors=errors)
    return value["data"] if is_body else value

# Invoices, each under its id; whoever reads or writes them holds the lock

LOCK = Lock()
INVOICES, STORED, CURSORS, KEYS, SECRET = {}, {}, {}, {}, secrets.token_hex(16)

def find_invoice(invoice_id):
    if invoice_id not in INVOICES:
        raise Problem("invoice-not-found")
    return INVOICES[invoice_id]

def total_of(lines):
    cents = sum(line["quantity"] * int(line["price"].replace(".", "")) for line in lines)
    return f"{cents // 100}.{cents % 100:02}"

def create_invoice(data):
    if any(one["number"] == data["number"] for one in INVOICES.values()):
        raise Problem("number-taken")
    added = {"id": len(INVOICES) + 1, "status": "draft", "total": total_of(data["lines"])}
    return INVOICES.setdefault(added["id"], {**data, **added})

def update_invoice(operation, data):
    """A member that is null is removed, and one that is absent stays."""
    invoice, state = find_invoice(data["id"]), operation["state"]
    if invoice["status"] not in state["from"]:
        raise Problem("wrong-status")
    changed = {**invoice, **data, "status": state["to"]}
    changed["total"] = total_of(changed["lines"])
    if operation["id"] == "invoice.send":
        changed["sentAt"] = f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
    INVOICES[data["id"]] = {name: one for name, one in changed.items() if one is not None}
    return INVOICES[data["id"]]

def list_invoices(data):
    """A page in the order of due dates and ids. A cursor is of the rest of the input."""
    rest = {name: one for name, one in sorted(data.items()) if name not in ("limit", "cursor")}
    of, after = CURSORS.get(data["cursor"], (None, None)) if "cursor" in data else (rest, ["", 0])
    if of != rest:
        raise Problem("invalid-cursor")
    found = [
        one
        for one in sorted(INVOICES.values(), key=place_of)
        if one["status"] in rest.get("status", [one["status"]])
        and ("dueBefore" not in rest or one["dueDate"] < rest["dueBefore"])
        and one["number"].startswith(rest.get("number", ""))
        and place_of(one) > after
    ]
    limit = data.get("limit", 50)
    if len(found) <= limit:
        return Reply(200, {"items": found})
    last = place_of(found[limit - 1])
    cursor = digest(json_text([SECRET, rest, last]))[:24]
    CURSORS[cursor] = (rest, last)
    sent = {"@": "invoice.list", **rest, "limit": str(limit), "cursor": cursor}
    texts = {k: ",".join(v) if isinstance(v, list) else v for k, v in sent.items()}
    link = "&".join(f"{name}={quote(text, '')}" for name, text in texts.items())
    page = {"items": found[:limit], "nextCursor": cursor}
    return Reply(200, page, {"Link": f'<?{link}>; rel="next"'})

def place_of(invoice):
    return [invoice["dueDate"], invoice["id"]]

def printed(invoice):
    """An invoice in Markdown."""
    name, address = invoice["customer"]["name"], invoice["customer"]["address"]
    to = [name, address.get("street"), address["city"], address["country"]]
    lines = invoice["lines"]
    rows = [f"| {escaped(one['text'])} | {one['quantity']} | {one['price']} |" for one in lines]
    return "\n\n".join([
        f"# Invoice {invoice['number']}",
        f"To {', '.join(escaped(one) for one in to if one)}",
        "\n".join(["| | Quantity | Price |", "| --- | ---: | ---: |", *rows]),
        f"Total: {invoice['total']} EUR, due on {invoice['dueDate']} ({invoice['status']}).",
    ])  # fmt: skip

def escaped(text):
    return re.sub(r"\s+", " ", re.sub(r"([\\`*_{}\[\]<>()#+.!|~-])", r"\\\1", text))

def once(operation, data, caller, keys):
    """Carries out a command, once for each `Idempotency-Key` of a caller."""
    key = ", ".join(filter(None, keys))
    if key and not re.fullmatch("[!-~]{1,255}", key):
        raise Problem("invalid-idempotency-key")
    place, sent = (operation["id"], caller, key), json_text(data)
    if key and place in STORED:
        first, reply = STORED[place]
        if first != sent:
            raise Problem("idempotency-key-reused")
        return reply._replace(headers={"Idempotent-Replayed": "true"})
    creates = operation["effect"]["kind"] == "creates"
    body = create_invoice(data) if creates else update_invoice(operation, data)
    reply = Reply(operation["answers"][0]["status"], body)
    if key:
        STORED[place] = (sent, reply)
    return reply

# Documents: headings, paragraphs and lists, with code in backticks

PROBLEMS = (f"## {code}\n\n{one['detail']}" for code, one in CONTRACT["problems"].items())
TEXTS = {
    "README": [f"# {CONTRACT['title']}", "`docs.get.reference` names the operations."],
    "reference": ["# Operations", *(f"- `{one['name']}`" for one in OPERATIONS.values())],
    "problems": ["# Problems", *PROBLEMS],
    "contract": ["# Contract", *(f"- `{one['id']}`" for one in CONTRACT["requirements"])],
}
DOCUMENTS = {name: "\n\n".join(lines) + "\n" for name, lines in TEXTS.items()}

def entry_of(name):
    text = DOCUMENTS[name]
    entry = {"name": name, "title": text.split("\n")[0][2:], "mediaType": MARKDOWN}
    return {**entry, "size": len(text.encode()), "operation": f"docs.get.{name}"}

def page_of(title, markdown):
    page = f"<!doctype html>\n<title>{html.escape(title)}</title>\n"
    text = re.sub("`(.*?)`", r"<code>\1</code>", html.escape(markdown, quote=False))
    text = re.sub("^- (.*)$", r"<ul><li>\1</li></ul>", text, flags=re.M)
    text = re.sub("^## (.*)$", r'<h2 id="\1">\1</h2>', text, flags=re.M)
    text = re.sub("^# (.*)$", r"<h1>\1</h1>", text, flags=re.M)
    return page + re.sub(r"^([^<\n].*|<code>.*)$", r"<p>\1</p>", text, flags=re.M)

def document(name, media_type, headers):
    if name not in DOCUMENTS:
        raise Problem("document-not-found")
    body, entry = DOCUMENTS[name], entry_of(name)
    if media_type == JSON:
        members = {member: entry[member] for member in ("name", "title", "mediaType")}
        body = json_text({**members, "content": body})
    elif media_type == "text/html":
        body = page_of(entry["title"], body)
    weights = weights_of(joined(headers, "Accept-Encoding"), CODING)
    weight = weights.get("gzip", weights.get("*", 0))
    is_gzip = weight > 0 and weight >= weights.get("identity", 0)
    data = gzip.compress(body.encode(), mtime=0) if is_gzip else body.encode()
    tag = '"' + hashlib.sha256(media_type.encode() + data).hexdigest()[:24] + '"'
    sent = {"ETag": tag, "Vary": "Accept, Accept-Encoding", "Cache-Control": "public, max-age=300"}
    copy = joined(headers, "If-None-Match")
    if copy == "*" or tag in re.findall('"[^"]*"', copy):
        return Reply(304, None, sent)
    coding = {"Content-Encoding": "gzip"} if is_gzip else {}
    return Reply(200, data, {**sent, **coding}, media_type)

def digest(key):
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

def issue(scopes, platform="web", is_valid=True):
    """A key, of which only its digest is kept: 160 random bits and a checksum."""
    digits = secrets.token_hex(20)
    key = f"{PREFIX}{digits}{digest(digits)[:8]}"
    if is_valid:
        KEYS[digest(key)] = {"scopes": scopes, "platform": platform}
    return {"key": key, "platform": "web"}

def authenticate(operation, headers, query):
    sent = {}
    for name in CREDENTIALS:
        header, parameter = joined(headers, name), query.get(name, "")
        if header and parameter and header != parameter:
            raise Problem("credential-conflict")
        sent[name] = header or parameter
    challenge = {"WWW-Authenticate": f'ApiKey realm="{CONTRACT["keys"]["realm"]}"'}
    missing = [name for name, value in sent.items() if not value]
    if missing:
        raise Problem("credentials-missing", challenge, detail=f"Missing: {' and '.join(missing)}.")
    caller, platform = digest(sent["X-API-KEY"]), sent["X-PLATFORM"]
    if caller not in KEYS:
        raise Problem("credentials-invalid", challenge)
    if operation["scope"] not in KEYS[caller]["scopes"]:
        raise Problem("scope-missing")
    if platform not in PLATFORMS or platform != KEYS[caller]["platform"]:
        raise Problem("platform-not-allowed")
    return caller

def find_operation(name):
    for operation in OPERATIONS.values():
        pattern = operation["pattern"] or f"^{re.escape(operation['name'])}$"
        match = pattern_of(pattern).search(name)
        if match:
            return operation, dict(zip(operation["parts"], match.groups()))
    raise Problem("operation-not-found")

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 30

    def handle_request(self):
        self.operation = None
        try:
            target = re.sub("^https?://[^/?]*", "", self.requestline.split()[1], flags=re.I)
            path, _, search = target.partition("?")
            self.send(self.reply(path, search, self.read_body()))
        except Problem as problem:
            self.send_problem(problem)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = handle_request
    do_TRACE = handle_request

    def read_body(self):
        """The body; None where it is too large, or of no known length."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            return self.read_chunks()
        length = self.headers.get("Content-Length", "0")
        data = self.rfile.read(min(int(length), 2**20)) if length.isdecimal() else b""
        if int(length) <= LIMITS["bodyBytes"]:
            return data
        self.close_connection = True
        return None

    def read_chunks(self):
        data = b""
        while size := int(self.rfile.readline(LIMITS["bodyBytes"]).split(b";")[0], 16):
            data += self.rfile.read(size)
            self.rfile.readline(LIMITS["bodyBytes"])
        while self.rfile.readline(LIMITS["bodyBytes"]).strip():
            pass  # Trailers are ignored.
        return data

    def reply(self, path, search, data):
        """The order of checks."""
        is_post, path = self.command == "POST", urljoin("//_", path)[3:]
        if path not in ("/", "/api", "/api/"):
            raise Problem("path-not-found")
        methods = "GET, HEAD, OPTIONS" if path == "/" else "GET, HEAD, POST, OPTIONS"
        if self.command not in methods.split(", "):
            raise Problem("method-not-allowed", {"Allow": methods})
        if self.command == "OPTIONS":
            return Reply(204, None, {"Allow": methods})
        if path == "/api":
            return Reply(308, b"", {"Location": f"api/?{search}" if search else "api/"})
        if path == "/":
            accept = joined(self.headers, "Accept")
            return document("README", negotiate(accept, ["text/html", JSON]), self.headers)
        query = parse_query(search)
        if any(len(fields(self.headers, name)) > 1 for name in CREDENTIALS):
            raise Problem("parameter-repeated")
        if is_post:
            check_media_type(self.headers)
        if data is None:
            raise Problem("content-too-large")
        body = parse_body(data) if is_post else None
        name = (body if is_post else query).get("@")
        if not isinstance(name, str) or name == "":
            raise Problem("operation-missing")
        if is_post and "@" in query:
            raise Problem("operation-ambiguous")
        operation, parts = find_operation(name)
        self.operation = operation["id"]
        if is_post != (operation["method"] == "POST"):
            allow = "GET, HEAD, OPTIONS" if is_post else "POST, OPTIONS"
            raise Problem("method-not-allowed", {"Allow": allow})
        caller = authenticate(operation, self.headers, query) if operation["auth"] else None
        offered = operation["answers"][0]["mediaTypes"]
        media_type = negotiate(joined(self.headers, "Accept"), offered)
        further = {k: v for k, v in query.items() if k not in ("@", *CREDENTIALS)}
        data = input_of(operation, further, parts, body)
        if self.operation == "docs.get":
            return document(data["name"], media_type, self.headers)
        if self.operation == "docs.list":
            return Reply(200, {"items": [entry_of(one) for one in DOCUMENTS]})
        with LOCK:
            if is_post:
                return once(operation, data, caller, fields(self.headers, "Idempotency-Key"))
            if self.operation == "invoice.list":
                return list_invoices(data)
            invoice = find_invoice(data["id"])
        if self.operation == "invoice.get":
            return Reply(200, invoice)
        return Reply(200, {"id": data["id"], "mediaType": MARKDOWN, "content": printed(invoice)})

    def send_problem(self, problem):
        known = CONTRACT["problems"][problem.code]
        address = f"http://127.0.0.1:{self.server.server_port}/api/?@=docs.get.problems"
        named = {"type": f"{address}#{problem.code}", "code": problem.code}
        headers = {"X-Request-Id": secrets.token_hex(16), **problem.headers}
        document = {**known, **named, "requestId": headers["X-Request-Id"], **problem.members}
        self.send(Reply(known["status"], document, headers, "application/problem+json"))

    def send(self, reply):
        body = json_text(reply.body).encode() if isinstance(reply.body, dict) else reply.body
        headers = {"X-Request-Id": secrets.token_hex(16), **reply.headers}
        if self.operation:
            headers["X-Operation"] = self.operation
        if body is not None:
            charset = "" if reply.media_type.endswith("problem+json") else "; charset=utf-8"
            headers["Content-Type"] = reply.media_type + charset
            headers["Content-Length"] = len(body)
        if self.close_connection:
            headers["Connection"] = "close"
        self.send_response_only(reply.status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if body is not None and self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        """Nothing is logged: a key may be in the query."""

SCOPES = CONTRACT["scopes"]
SUITE = {"full": issue(SCOPES), "noScopes": issue([]), **{one: issue([one]) for one in SCOPES}}
# A key that has expired is as unknown as one that was revoked.
SUITE |= {name: issue(SCOPES, is_valid=False) for name in ("expired", "revoked")}
SUITE["otherPlatform"] = issue(SCOPES, "another")
with open(os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
    json.dump(SUITE, file)
ThreadingHTTPServer.request_queue_size = 128
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()

"""Calls Atpoint. Copy this file: Python 3.9 or newer is all that it needs.

    client = Client("https://api.example.com", api_key="atp_...", platform="web")
    client.command("user.create", name="Ada Lovelace", email="ada@example.com")
    for user in client.walk("user.list", limit=100): ...
"""

import json
from urllib import error, parse, request


class AtpointError(Exception):
    """A refusal (RFC 9457), or an answer that is none of the contract's; then `code` is None."""

    def __init__(self, status, problem, request_id):
        super().__init__(f"{problem.get('code', status)}: {problem.get('detail', 'an unexpected answer')}")
        self.code, self.errors = problem.get("code"), problem.get("errors", [])
        self.status, self.request_id = status, request_id


class _NoRedirect(request.HTTPRedirectHandler):
    """A redirect would take the key to another place, and `/api/` has none."""

    def redirect_request(self, *_):
        return None


class Client:
    def __init__(self, base_url, api_key=None, platform=None, timeout=30):
        self._url, self._timeout = base_url.rstrip("/") + "/api/", timeout
        given = {"X-API-KEY": api_key, "X-PLATFORM": platform, "Accept": "application/json"}
        self._headers = {name: value for name, value in given.items() if value}
        self._opener = request.build_opener(_NoRedirect)

    def query(self, name, /, **inputs):
        """An operation of GET; an input that is None is left out."""
        given = {key: value for key, value in inputs.items() if value is not None}
        return self._send(request.Request(f"{self._url}?{parse.urlencode({'@': name, **given})}", headers=self._headers))

    def command(self, name, /, **data):
        """An operation of POST. One without an answer may have happened: look before you send it again."""
        headers = {**self._headers, "Content-Type": "application/json"}
        body = json.dumps({"@": name, "data": data}).encode()
        return self._send(request.Request(self._url, body, headers))

    def walk(self, name, /, **inputs):
        """All items of a list, a call for each page."""
        while True:
            page = self.query(name, **inputs)
            yield from page["items"]
            if "nextCursor" not in page:
                return
            inputs["cursor"] = page["nextCursor"]

    def _send(self, call):
        try:
            answer = self._opener.open(call, timeout=self._timeout)
        except error.HTTPError as refused:
            answer = refused
        with answer:
            text, kind = answer.read(), answer.headers.get_content_type()
            # Of the answers without success some are the operation's own, which its name tells: of `test.health`.
            if kind == "application/json" and (answer.status < 300 or "X-Operation" in answer.headers):
                return json.loads(text)
            problem = json.loads(text) if kind == "application/problem+json" else {}
            raise AtpointError(answer.status, problem, answer.headers.get("X-Request-Id"))

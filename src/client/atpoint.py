"""Calls Atpoint. Copy this file: Python 3.9 or newer is all that it needs.

    client = Client("https://api.example.com", api_key="atp_...", platform="web")
    client.call("user.create", {"name": "Ada Lovelace", "email": "ada@example.com"}, idempotency_key="5f0c-ada")
    for user in client.walk("user.list", {"limit": 100}): ...

It does what the TypeScript client does, but inputs and answers have no types of their own, and a call cannot be aborted.
"""

from __future__ import annotations

import functools
import http.client
import io
import json
import random
import re
import time
from email.utils import parsedate_to_datetime
from typing import Any, Iterator, Mapping, Optional
from urllib import parse, request

#: For each attempt of a call, in seconds.
TIMEOUT = 30.0
#: How often a call is repeated after a network error, a time-out, 429 or 503: a query, or a command with an idempotency key.
RETRIES = 2
#: For all pauses between the attempts of one call, in seconds. A call that would have to wait for longer fails at once.
MAX_WAIT = 60.0
#: The first pause where the response asks for none, in seconds; each further one is twice as long, and up to twice that by chance.
_BACKOFF = 0.1
#: How many characters of an unexpected body its error shows.
_EXCERPT = 200
#: The names that are called by POST: `npm run generate` writes this line.
_COMMAND = re.compile(r"^(?:user\.create)$")


class AtpointError(Exception):
    """Why a call failed, by `kind`: the response is a `problem` of the contract (RFC 9457); it is `unexpected` (a gateway's page,
    a redirect, broken JSON); there was no complete response (`network`), or none in time (`timeout`). A problem has a `code`, one
    with the code `invalid-input` its `errors`; `status` is there wherever a response began, `retry_after` is in seconds."""

    def __init__(
        self,
        operation: str,
        kind: str,
        message: str,
        *,
        code: Optional[str] = None,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        errors: Optional[list[dict[str, str]]] = None,
    ) -> None:
        super().__init__(f"{operation}: {message}")
        self.operation, self.kind, self.code, self.status = operation, kind, code, status
        self.request_id, self.retry_after, self.errors = request_id, retry_after, errors or []


class Client:
    """A client of one deployment; `base_url` is without `/api/`. Public operations need neither key nor platform."""

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        platform: Optional[str] = None,
        *,
        timeout: float = TIMEOUT,
        retries: int = RETRIES,
        max_wait: float = MAX_WAIT,
    ) -> None:
        if not re.match(r"https?://[!-~]+$", base_url):
            raise ValueError(f"{base_url} is no address such as https://api.example.com")
        self._endpoint = base_url.rstrip("/") + "/api/"
        self._credentials = {"X-API-KEY": api_key, "X-PLATFORM": platform}
        self._timeout, self._retries, self._max_wait = timeout, retries, max_wait
        self._opener = request.build_opener(_Connections, _AnyStatus)

    def call(
        self,
        name: str,
        input: Optional[Mapping[str, Any]] = None,
        *,
        accept: str = "application/json",
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Calls an operation. Returns the value of its JSON, or the text where `accept` is another type. Raises an AtpointError;
        arguments that no request can hold are a ValueError or a TypeError, and nothing is sent."""
        command = _COMMAND.fullmatch(name) is not None
        given = {"Accept": accept, **self._credentials}
        if command:
            given.update({"Content-Type": "application/json", "Idempotency-Key": idempotency_key})
        headers = {header: value for header, value in given.items() if value}
        for header, value in headers.items():
            if re.search(r"[^ -~]", value):
                raise ValueError(f"{header} has a character that cannot be sent.")
        body = json.dumps({"@": name, "data": input or {}}, allow_nan=False).encode() if command else None
        url = self._endpoint if command else f"{self._endpoint}?{_query(name, input or {})}"
        tried, waited = 0, 0.0
        while True:
            try:
                sent = request.Request(url, body, headers)
                return self._attempt(sent, name, accept, self._timeout if timeout is None else timeout)
            except AtpointError as failure:
                asked = failure.retry_after
                wait = _BACKOFF * 2**tried * (1 + random.random()) if asked is None else asked
                waited += wait
                # A command without a response may have happened: without an idempotency key it is never sent twice.
                again = not command or idempotency_key
                if not again or tried >= self._retries or waited > self._max_wait or not _is_passing(failure):
                    raise
            time.sleep(wait)
            tried += 1

    def walk(
        self,
        name: str,
        input: Optional[Mapping[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
    ) -> Iterator[Any]:
        """All items of a list, beginning at the `cursor` of `input`, with one call for each page. Raises an AtpointError."""
        cursor = (input or {}).get("cursor")
        while True:
            page = self.call(name, {**(input or {}), "cursor": cursor}, timeout=timeout)
            if not isinstance(page, dict) or not isinstance(page.get("items"), list):
                raise AtpointError(name, "unexpected", "unexpected response: a page without items")
            yield from page["items"]
            cursor = page.get("nextCursor")
            if not cursor:
                return

    def _attempt(self, sent: request.Request, name: str, accept: str, timeout: float) -> Any:
        deadline, response = time.monotonic() + timeout, None
        try:
            with self._opener.open(sent, timeout=timeout) as response:
                body = response.read()
        except (OSError, http.client.HTTPException) as cause:
            known = {"status": response.status} if response else {}
            if time.monotonic() < deadline:
                raise AtpointError(name, "network", "no complete response", **known) from cause
            raise AtpointError(name, "timeout", "no complete response in time", **known) from cause
        return _answer(name, accept, response, body.decode("utf-8", "replace"))


def _answer(name: str, accept: str, response: http.client.HTTPResponse, text: str) -> Any:
    status, headers = response.status, response.headers
    media_type = (headers.get("Content-Type") or "").split(";", 1)[0]
    # Some answers without success are the operation's own, which X-Operation shows; others come from a proxy.
    is_answer = media_type == accept and (200 <= status < 300 or "X-Operation" in headers)
    if is_answer and not accept.endswith("json"):
        return text
    try:
        value, is_json = json.loads(text, parse_constant=_no_json), True
    except (ValueError, RecursionError):
        value, is_json = None, False
    if is_answer and is_json:
        return value
    request_id, retry_after = headers.get("X-Request-Id"), _retry_after(headers.get("Retry-After"))
    code = value.get("code") if isinstance(value, dict) and media_type == "application/problem+json" else None
    known: dict[str, Any] = {"status": status, "request_id": request_id, "retry_after": retry_after}
    if isinstance(code, str):
        message, errors = f"{code}: {value.get('detail')}", value.get("errors")
        raise AtpointError(name, "problem", message, code=code, errors=errors, **known)
    location = headers.get("Location")
    seen = [str(status), media_type, f"to {location}" if location else "", text[:_EXCERPT]]
    raise AtpointError(name, "unexpected", f"unexpected response: {' '.join(filter(None, seen))}", **known)


def _no_json(constant: str) -> None:
    raise ValueError(f"{constant} is Python's, not JSON's")


def _is_passing(failure: AtpointError) -> bool:
    return failure.kind in ("network", "timeout") or failure.status in (429, 503)


def _retry_after(text: Optional[str]) -> Optional[float]:
    """Seconds: the header has them, or a date (RFC 9110, 10.2.3)."""
    if text and re.fullmatch("[0-9]+", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text or "").timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def _query(name: str, input: Mapping[str, Any]) -> str:
    return parse.urlencode({"@": name, **{key: _text(value) for key, value in input.items() if value is not None}})


def _text(value: Any) -> str:
    """A list is one value, separated by commas (D2); all else is written as JSON has it, a text without quotes."""
    if isinstance(value, (list, tuple)):
        return ",".join(map(_text, value))
    return value if isinstance(value, str) else json.dumps(value, allow_nan=False)


class _AnyStatus(request.HTTPErrorProcessor):
    """Every status is a response: a redirect could send the key to another origin, and `/api/` has none."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


class _Connections(request.HTTPHandler, request.HTTPSHandler):
    def do_open(self, http_class: Any, req: request.Request, **more: Any) -> Any:
        def connection(*rest: Any, **words: Any) -> Any:
            made = http_class(*rest, **words)
            made.response_class = functools.partial(_Response, deadline=time.monotonic() + made.timeout)
            return made

        return super().do_open(connection, req, **more)


class _Response(http.client.HTTPResponse):
    """Python by itself begins to count the time-out anew with every byte that arrives, and takes half a head for a whole one."""

    def __init__(self, sock: Any, *rest: Any, deadline: float, **words: Any) -> None:
        super().__init__(sock, *rest, **words)
        self._bounded = _Bounded(sock, deadline)
        self.fp = io.BufferedReader(self._bounded)

    def begin(self) -> None:
        super().begin()
        if self._bounded.ended:
            raise http.client.IncompleteRead(b"")


class _Bounded(io.RawIOBase):
    """The bytes of a socket, until the deadline."""

    ended = False

    def __init__(self, sock: Any, deadline: float) -> None:
        self._sock, self._raw, self._deadline = sock, sock.makefile("rb", buffering=0), deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._deadline - time.monotonic()
        # However steadily bytes arrive.
        if left <= 0:
            raise TimeoutError
        self._sock.settimeout(left)
        count: int = self._raw.readinto(buffer)
        self.ended = count == 0
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()

"""Reads a call a line, as cases.ts has it, and prints what comes of it. The first line that it prints has the defaults."""

from __future__ import annotations

import json
import sys
from typing import Any

import atpoint


def outcome(given: dict[str, Any]) -> dict[str, Any]:
    call = given["call"]
    found: dict[str, Any] = {}
    words = {"timeout": given["timeoutMs"] / 1000}
    words.update({"retries": call["retries"]} if "retries" in call else {})
    words.update({"max_wait": call["maxWaitMs"] / 1000} if "maxWaitMs" in call else {})
    try:
        client = atpoint.Client(given["baseUrl"], given["key"], given["platform"], **words)
        if call.get("walk"):
            found["items"] = []
            for item in client.walk(call["name"], call.get("input")):
                found["items"].append(item)
        else:
            own = {"accept": call.get("accept"), "idempotency_key": call.get("idempotencyKey")}
            options = {name: value for name, value in own.items() if value is not None}
            found["answer"] = client.call(call["name"], call.get("input"), **options)
    except atpoint.AtpointError as error:
        found["error"] = {
            **{"operation": error.operation, "kind": error.kind, "code": error.code, "status": error.status},
            **{"requestId": error.request_id, "errors": error.errors or None, "message": str(error)},
            "retryAfterMs": None if error.retry_after is None else error.retry_after * 1000,
        }
    except Exception as error:
        found["raised"] = f"{type(error).__name__}: {error}"
    return found


print(json.dumps({"timeoutMs": atpoint.TIMEOUT * 1000, "retries": atpoint.RETRIES, "maxWaitMs": atpoint.MAX_WAIT * 1000}), flush=True)
for line in sys.stdin:
    print(json.dumps(outcome(json.loads(line))), flush=True)

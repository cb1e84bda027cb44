"""Every example in the description of the API works as it stands, in the order in which a person would."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from jsonschema import Draft202012Validator

from tests.support.journeys.running import RunningPalimpsest

pytestmark = [pytest.mark.embedded, pytest.mark.asyncio(loop_scope="session")]

PATIENCE_SECONDS = 60.0
"""The longest wait for what was said to arrive."""


@dataclass
class ExampleRequest:
    """A request made of the examples of one operation."""

    method: str
    path: str
    operation: dict[str, Any]
    places: dict[str, dict[str, str]] = field(default_factory=dict)
    body: Any = None

    @property
    def rank(self) -> int:
        """Place of the request: what is made, then what is asked, then what is done with either."""
        names_record = "{" in self.path.removesuffix("{user_id}") or self.path in NAME_RECORDS
        if self.method == "delete":
            return 3
        if self.operation.get("x-permission") == "erase":
            return 4
        return int(names_record) + int(names_record and self.method == "post")


def find_example_requests(document: dict[str, Any]) -> Iterator[ExampleRequest]:
    """Find every operation that has an example of all that it requires, or is asked as it stands."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            request = ExampleRequest(method, path, operation)
            has_all = True
            for parameter in operation.get("parameters", ()):
                if "example" in parameter:
                    place = request.places.setdefault(parameter["in"], {})
                    place[parameter["name"]] = _write(parameter["example"])
                elif parameter.get("required"):
                    has_all = False
            described = operation.get("requestBody", {})
            content = described.get("content", {}).get("application/json", {})
            request.body = content.get("example")
            has_all = has_all and (request.body is not None or not described.get("required"))
            asks_for_nothing = method == "get" and not operation.get("parameters")
            if has_all and (request.body is not None or request.places or asks_for_nothing):
                yield request


def _write(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


async def send(http: httpx.AsyncClient, request: ExampleRequest) -> httpx.Response:
    path = request.path
    for name, value in request.places.get("path", {}).items():
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        answer = await http.request(
            request.method,
            path,
            params=request.places.get("query"),
            headers=request.places.get("header"),
            json=request.body,
        )
        # What was said is there a moment later.
        if answer.status_code != 404 or time.monotonic() > until:
            return answer
        await asyncio.sleep(0.2)


def find_faults(
    document: dict[str, Any], request: ExampleRequest, answer: httpx.Response
) -> list[str]:
    """Find in what an answer is not the one that the description promises."""
    label = f"{request.method.upper()} {request.path}: {answer.status_code}"
    described = request.operation["responses"].get(str(answer.status_code))
    is_expected = answer.is_success or EXPECTED_REFUSALS.get(label) == answer.json()["reason"]
    if not is_expected or described is None:
        return [f"{label} {answer.text[:200]}"]
    schema = described.get("content", {}).get("application/json", {}).get("schema")
    if schema is None or not answer.is_success:
        return []
    validator = Draft202012Validator({**schema, "components": document["components"]})
    return [
        f"{label} {error.json_path} {error.message[:200]}"
        for error in validator.iter_errors(answer.json())
    ]


EXPECTED_REFUSALS = {"POST /v1/tokens: 409": "keys_not_asked_for"}
"""Answers of an instance that asks for no keys."""

NAME_RECORDS = {"/v1/memories/merge"}
"""Paths whose bodies name records that examples before make."""

NOT_SENT = {"/v1/events/stream", "/v1/models"}
"""One has no end, the other is answered by a model's vendor."""

ASKED_FOR = {
    *(
        f"POST /v1/{path}"
        for path in (
            *("events", "memories", "recall", "context", "todos", "questions", "webhooks", "keys"),
            *("extractions/preview", "changes/{change_set_id}/undo", "forget-topic", "tokens"),
            *("import", "memories/merge", "dead-letters/replay"),
            *("memories/{memory_id}/confirm", "memories/{memory_id}/reject"),
        )
    ),
    *(f"GET /v1/{path}" for path in ("namespaces", "dead-letters", "backlog")),
    "PUT /v1/settings/tier",
}


async def test_every_example_gets_the_answer_that_is_described(
    palimpsest: RunningPalimpsest,
) -> None:
    async with httpx.AsyncClient(
        base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
    ) as http:
        document = (await http.get("/openapi.json")).json()
        requests = [
            request for request in find_example_requests(document) if request.path not in NOT_SENT
        ]
        faults = []
        for request in sorted(requests, key=lambda request: request.rank):
            faults += find_faults(document, request, await send(http, request))
    assert faults == []
    sent = {f"{request.method.upper()} {request.path}" for request in requests}
    assert sent >= ASKED_FOR

"""Values at and beyond every bound, in every parameter of every route that only reads."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.support.journeys.running import RunningPalimpsest

pytestmark = pytest.mark.embedded

HOSTILE = (
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999Z",
    "0001-01-01",
    "9999-12-31",
    "18446744073709551616",
    "-9223372036854775809",
    "9223372036854775807",
    "1e400",
    "nan",
    "",
    " ",
    "　",
    "\x00",
    "../..",
    "$ne",
    "茶" * 3_000,
)

SURROGATE = "%ED%A0%80"
"""Half a character, as UTF-8 has none."""


@pytest.fixture(scope="module")
def http(palimpsest: RunningPalimpsest) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=palimpsest.instance.http_url, timeout=30, trust_env=False) as client:
        yield client


def read_operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        if path.startswith("/v1/") and "get" in methods:
            yield path, methods["get"]


def hostile_requests(path: str, operation: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each parameter with each value, the other parameters left out but for the user's id."""
    named = [(each["name"], each["in"]) for each in operation.get("parameters", ())]
    for name, place in named:
        needs_user = ("user_id", "query") in named and name != "user_id"
        user = "user_id=hugo&" if needs_user else ""
        for value in (*map(quote, HOSTILE), SURROGATE):
            if place == "query":
                yield name, f"{path}?{user}{name}={value}"
            elif place == "path" and value:
                # Without a value the path is that of the list.
                yield name, f"{path.replace(f'{{{name}}}', value)}?{user}"


def ask(http: httpx.Client, request: str) -> int:
    """Return the status of the answer; a stream of events is not read, for it does not end."""
    with http.stream("GET", request) as answer:
        if not answer.headers.get("content-type", "").startswith("text/event-stream"):
            answer.read()
        return answer.status_code


def test_no_value_of_a_parameter_ends_in_a_500(http: httpx.Client) -> None:
    sent = 0
    unclear: list[tuple[str, str, int]] = []
    for path, operation in read_operations(http.get("/openapi.json").json()):
        # A path that a value has changed may be no route at all, or lead to the page.
        allowed = {*operation["responses"], "404", "303"}
        for name, request in hostile_requests(path, operation):
            status = ask(http, request)
            sent += 1
            if str(status) not in allowed:
                unclear.append((name, request[:200], status))
    assert unclear == []
    assert sent > 500


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/v1/usage/deployment?until=0001-01-01T00:00:00Z", "until"),
        ("/v1/usage?user_id=hugo&since=9999-12-31", "since"),
        ("/v1/changes?user_id=hugo&cursor=18446744073709551616", "cursor"),
        ("/v1/changes?user_id=hugo&cursor=0", "cursor"),
        ("/v1/memories?user_id=hugo&as_of=0001-01-01T00:00:00Z", "as_of"),
        ("/v1/memories?user_id=%20", "user_id"),
        ("/v1/todos?user_id=hugo&due_before=9999-12-31T23:59:59Z", "due_before"),
        ("/v1/traces?user_id=%E3%80%80", "user_id"),
        ("/v1/sessions/summaries?user_id=hugo&before=0999-12-31T00:00:00Z", "before"),
    ],
)
def test_the_answer_names_the_parameter_that_is_out_of_bounds(
    http: httpx.Client, path: str, field: str
) -> None:
    answer = http.get(path)
    assert answer.status_code == 422
    assert [problem["field"] for problem in answer.json()["fields"]] == [field]


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"occurred_at": "0001-01-01T00:00:00Z"}, "occurred_at"),
        ({"user_id": "  "}, "user_id"),
        ({"schema_version": 2**64}, "schema_version"),
    ],
)
def test_an_event_out_of_bounds_is_refused(
    http: httpx.Client, changed: dict[str, object], field: str
) -> None:
    usual = {
        "type": "MessageAdded",
        "occurred_at": "2026-03-02T09:30:00Z",
        "user_id": "hugo",
        "session_id": "s",
        "message_id": "m",
        "role": "user",
        "text": "tea",
    }
    answer = http.post("/v1/events", json={**usual, **changed})
    assert answer.status_code == 422, answer.text
    assert field in answer.text


@pytest.mark.parametrize("path", ["/v1/memories?user_id=hugo", "/v1/todos?user_id=hugo"])
def test_half_a_character_in_a_body_is_refused(http: httpx.Client, path: str) -> None:
    body = b'{"content": "tea", "summary": "\\ud800", "tags": ["\\udfff"]}'
    answer = http.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert {"summary", "tags.0"} == {problem["field"] for problem in answer.json()["fields"]}

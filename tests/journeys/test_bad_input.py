"""Bad input over HTTP: refused with the field and the reason, never repeated, and life goes on."""

from typing import Any

import httpx
import pytest

from palimpsest.api.resources import EventResult, EventResults, Problem
from tests.support.journeys.running import RunningPalimpsest

pytestmark = pytest.mark.embedded

SECRET = "cinnamon"
GOOD = {
    "type": "MessageAdded",
    "occurred_at": "2026-03-02T09:30:00+08:00",
    "user_id": "mallory",
    "session_id": "s1",
    "message_id": "m1",
    "role": "user",
    "text": f"I would like {SECRET} on my porridge",
}
LONG = "x" * 257
LARGE = f"{SECRET} 茶" * 8_000

BAD: list[tuple[dict[str, Any], str, str, str]] = [
    ({"user_id": LONG}, "invalid", "user_id", "at most 256 characters"),
    ({"session_id": LONG}, "invalid", "session_id", "at most 256 characters"),
    ({"message_id": LONG}, "invalid", "message_id", "at most 256 characters"),
    ({"agent_id": LONG}, "invalid", "agent_id", "at most 256 characters"),
    ({"project_id": LONG}, "invalid", "project_id", "at most 256 characters"),
    ({"event_id": LONG}, "invalid", "event_id", "at most 256 characters"),
    ({"user_id": f"{SECRET}\n"}, "invalid", "user_id", "control characters"),
    ({"session_id": f"\x00{SECRET}"}, "invalid", "session_id", "control characters"),
    ({"message_id": "\x7f"}, "invalid", "message_id", "control characters"),
    ({"user_id": ""}, "invalid", "user_id", "at least 1 character"),
    ({"text": ""}, "invalid", "text", "must not be empty"),
    ({"text": " \n\t"}, "invalid", "text", "must not be empty"),
    ({"text": LARGE}, "too_large", "text", "at most 65536 bytes"),
    ({"occurred_at": "2026-03-02T09:30:00"}, "invalid", "occurred_at", "timezone"),
    ({"occurred_at": SECRET}, "invalid", "occurred_at", "valid datetime"),
    ({"role": SECRET}, "invalid", "role", "'user', 'agent', 'assistant' or 'tool'"),
    ({"schema_version": 2}, "unknown_major", "schema_version", "up to 1"),
    ({"schema_version": SECRET}, "invalid_event", "schema_version", "number"),
    ({"type": "MessageForgotten"}, "unknown_type", "type", "must be one of SessionStarted"),
    ({"type": f"{SECRET}!"}, "unknown_type", "type", "must be one of SessionStarted"),
    ({"colour": SECRET}, "invalid", "colour", "unknown field"),
]


@pytest.fixture
def http(palimpsest: RunningPalimpsest) -> httpx.Client:
    return httpx.Client(base_url=palimpsest.instance.http_url, timeout=30, trust_env=False)


def goes_on(http: httpx.Client) -> None:
    assert http.post("/v1/events", json=GOOD).status_code == 202


@pytest.mark.parametrize(("changed", "reason", "field", "words"), BAD)
def test_a_bad_event_is_refused_with_field_and_reason(
    http: httpx.Client, changed: dict[str, Any], reason: str, field: str, words: str
) -> None:
    answer = http.post("/v1/events", json={**GOOD, **changed})
    assert answer.status_code == 422, answer.text
    result = EventResult.model_validate_json(answer.content)
    assert result.problem is not None
    assert result.problem.reason == reason
    assert field in [problem.field for problem in result.problem.fields]
    assert words in " ".join(problem.problem for problem in result.problem.fields)
    assert SECRET not in answer.text
    goes_on(http)


def test_a_bad_event_among_good_ones_spoils_none(http: httpx.Client) -> None:
    events = [GOOD, {**GOOD, "text": ""}, {**GOOD, "message_id": "m2"}]
    answer = http.post("/v1/events", json={"events": events})
    results = EventResults.model_validate_json(answer.content).results
    assert [result.status for result in results] == [202, 422, 202]


def test_a_known_id_with_another_body_is_a_conflict(http: httpx.Client) -> None:
    goes_on(http)
    answer = http.post("/v1/events", json={**GOOD, "text": "I never said so"})
    assert answer.status_code == 409
    goes_on(http)


@pytest.mark.parametrize("body", [b"{", b"", b"[]", b"\xff", b'{"text": "cinnamon', b"[" * 50_000])
def test_broken_json_is_refused(http: httpx.Client, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    answer = http.post("/v1/events", content=body, headers=headers)
    assert answer.status_code == 422
    assert [field.field for field in Problem.model_validate_json(answer.content).fields] == ["body"]
    assert SECRET not in answer.text
    goes_on(http)


def test_a_body_of_ten_megabytes_is_refused(http: httpx.Client) -> None:
    answer = http.post("/v1/events", json={**GOOD, "text": "x" * 10_000_000})
    assert answer.status_code == 413
    assert Problem.model_validate_json(answer.content).reason == "too_large"
    goes_on(http)


def test_every_route_of_ours_says_which_permission_it_needs(http: httpx.Client) -> None:
    paths = http.get("/openapi.json").json()["paths"]
    needed = {
        (method, path): operation.get("x-permission")
        for path, operations in paths.items()
        for method, operation in operations.items()
        if path.startswith("/v1/")
    }
    assert len(needed) >= 7
    assert set(needed.values()) <= {"read", "write", "erase", "admin", "any"}, needed

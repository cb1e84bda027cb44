"""The application around a small service: what it refuses, how it says so, what it counts."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any

import httpx
import pytest
import structlog
from fastapi import APIRouter, FastAPI, Query
from prometheus_client import CollectorRegistry
from pymongo.errors import AutoReconnect

from palimpsest.api.recall import RecallRequest, RecallResponse
from palimpsest.api.resources import MemoryQuery, Problem, SettingsUpdate
from palimpsest.model.errors import ConflictingDuplicate, RecordNotFound, TransientError
from palimpsest_server.runtime.http import Permission, build_http_application, declare_permission
from palimpsest_server.runtime.service import ReadinessCheck
from palimpsest_server.runtime.settings import Settings
from tests.support.serving import serving

LIMIT = 4096
JSON = {"Content-Type": "application/json"}
GOOD = {"user_id": "ann", "query": "tea?"}


class Desk:
    """Answers recalls with whatever a test has it do."""

    name = "desk"

    def __init__(self) -> None:
        self.raising: Exception | None = None
        self.failing: dict[str, ReadinessCheck] = {}
        router = APIRouter()

        @router.post("/v1/recall", openapi_extra=declare_permission(Permission.READ))
        async def recall(request: RecallRequest) -> RecallResponse:
            if self.raising is not None:
                raise self.raising
            return RecallResponse(recall_id="r1", results=(), took_ms=0.5)

        @router.get("/v1/memories/{memory_id}", openapi_extra=declare_permission(Permission.READ))
        async def one(memory_id: str, query: Annotated[MemoryQuery, Query()]) -> MemoryQuery:
            return query

        @router.put("/v1/settings", openapi_extra=declare_permission(Permission.WRITE))
        async def settle(
            query: Annotated[MemoryQuery, Query()], update: SettingsUpdate, times: int = 1
        ) -> None: ...

        self.routers = [router]

    @property
    def checks(self) -> Mapping[str, ReadinessCheck]:
        return self.failing

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def application(desk: Desk) -> FastAPI:
    settings = Settings(http_maximum_body_bytes=LIMIT)
    return build_http_application([desk], settings=settings, registry=CollectorRegistry())


@pytest.fixture
async def http(application: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(application)
    async with httpx.AsyncClient(transport=transport, base_url="http://desk") as client:
        yield client


@pytest.fixture
async def socket_http(application: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """Through a real server, for what happens on the wire."""
    async with serving(application) as url, httpx.AsyncClient(base_url=url, timeout=60) as client:
        yield client


def test_routes_are_built_once_and_not_again_at_the_first_request(
    desk: Desk, application: FastAPI
) -> None:
    assert all(route in application.routes for route in desk.routers[0].routes)


async def test_a_good_request_is_answered(http: httpx.AsyncClient) -> None:
    answer = await http.post("/v1/recall", json=GOOD)
    assert answer.status_code == 200
    assert RecallResponse.model_validate_json(answer.content).recall_id == "r1"


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        ({**GOOD, "user_id": "x" * 257}, "user_id", "at most 256 characters"),
        ({**GOOD, "user_id": "a\x00b"}, "user_id", "control characters"),
        ({**GOOD, "agent_id": "a\nb"}, "agent_id", "control characters"),
        ({**GOOD, "user_id": ""}, "user_id", "at least 1 character"),
        ({**GOOD, "query": ""}, "query", "at least 1 character"),
        ({**GOOD, "limit": 101}, "limit", "less than or equal to 100"),
        ({**GOOD, "layers": ["galaxy"]}, "layers.0", "'user', 'agent' or 'project'"),
        ({**GOOD, "colour": "a secret"}, "colour", "unknown field"),
        ({"user_id": "ann"}, "query", "required"),
        (["a secret"], "body", "valid dictionary"),
    ],
)
async def test_what_is_wrong_is_named_and_not_repeated(
    http: httpx.AsyncClient, body: Any, field: str, words: str
) -> None:
    answer = await http.post("/v1/recall", json=body)
    assert answer.status_code == 422
    problem = Problem.model_validate_json(answer.content)
    assert [field_problem.field for field_problem in problem.fields] == [field]
    assert words in problem.fields[0].problem
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("", {"user_id": "ann"}, {"user_id": "belongs in the query: ?user_id=…"}),
        (
            "",
            {"user_id": "ann", "agent_id": "coach", "times": 2, "colour": "red"},
            {
                "agent_id": "belongs in the query: ?agent_id=…",
                "times": "belongs in the query: ?times=…",
                "user_id": "belongs in the query: ?user_id=…",
                "colour": "unknown field",
            },
        ),
        ("?user_id=ann", {"agent_id": "c"}, {"agent_id": "belongs in the query: ?agent_id=…"}),
        ("", {}, {"user_id": "required"}),
        ("?user_id=ann", {"colour": "red"}, {"colour": "unknown field"}),
    ],
)
async def test_what_came_in_the_wrong_part_of_a_request_is_told_where_it_belongs(
    http: httpx.AsyncClient, path: str, body: Any, told: dict[str, str]
) -> None:
    answer = await http.put(f"/v1/settings{path}", json=body)
    assert answer.status_code == 422
    problem = Problem.model_validate_json(answer.content)
    assert {field.field: field.problem for field in problem.fields} == told
    assert len(problem.fields) == len(told)


async def test_what_belongs_in_the_body_is_told_so_too(http: httpx.AsyncClient) -> None:
    answer = await http.post("/v1/recall?user_id=ann", json={"query": "tea?"})
    assert answer.status_code == 422
    assert answer.json()["message"] == "user_id: belongs in the body"


@pytest.mark.parametrize("body", [b"{", b"", b"\xff\xfe", b'{"user_id": "secret', b"[" * 3000])
async def test_broken_json_is_refused_and_not_repeated(
    http: httpx.AsyncClient, body: bytes
) -> None:
    answer = await http.post("/v1/recall", content=body, headers=JSON)
    assert answer.status_code == 422
    assert Problem.model_validate_json(answer.content).fields[0].field == "body"
    assert "secret" not in answer.text


@pytest.mark.parametrize("media_type", ["application/x-www-form-urlencoded", "text/plain"])
async def test_json_that_is_not_called_json_is_refused_with_what_to_send(
    http: httpx.AsyncClient, media_type: str
) -> None:
    answer = await http.post(
        "/v1/recall", content=json.dumps(GOOD), headers={"Content-Type": media_type}
    )
    assert answer.status_code == 422
    assert "`content-type: application/json`" in answer.json()["message"]


async def test_a_path_that_is_not_there_is_answered_with_where_to_look(
    http: httpx.AsyncClient,
) -> None:
    answer = await http.get("/")
    assert answer.status_code == 404
    assert answer.json()["reason"] == "not_found"
    assert "/openapi.json" in answer.json()["message"]


async def test_unknown_parameters_are_refused_too(http: httpx.AsyncClient) -> None:
    answer = await http.get("/v1/memories/m1", params={"user_id": "ann", "colour": "red"})
    assert answer.status_code == 422
    assert Problem.model_validate_json(answer.content).fields[0].field == "colour"
    answer = await http.get(
        "/v1/memories/m1", params={"user_id": "ann", "layers": ["user", "agent"]}
    )
    assert sorted(answer.json()["layers"]) == ["agent", "user"]


@pytest.mark.parametrize(
    ("error", "status", "reason"),
    [
        (RecordNotFound("nothing of this id"), 404, "not_found"),
        (ConflictingDuplicate("another body"), 409, "conflicting_duplicate"),
        (TransientError("Kafka is away", retry_after_seconds=2.2), 503, "unavailable"),
        (AutoReconnect("what was said"), 503, "unavailable"),
        (KeyError("what was said"), 500, "internal_server_error"),
    ],
)
async def test_errors_keep_their_reason_and_strangers_their_words(
    http: httpx.AsyncClient, desk: Desk, error: Exception, status: int, reason: str
) -> None:
    desk.raising = error
    answer = await http.post("/v1/recall", json=GOOD)
    assert answer.status_code == status
    assert Problem.model_validate_json(answer.content).reason == reason
    assert "what was said" not in answer.text


@pytest.mark.parametrize(("wait", "header"), [(None, "1"), (0.2, "1"), (2.2, "3"), (30.0, "30")])
async def test_whoever_comes_too_early_is_told_when_to_come_again(
    http: httpx.AsyncClient, desk: Desk, wait: float | None, header: str
) -> None:
    desk.raising = TransientError("not yet", retry_after_seconds=wait)
    answer = await http.post("/v1/recall", json=GOOD)
    assert answer.headers["Retry-After"] == header


async def test_what_nobody_foresaw_is_logged_by_place_and_not_by_words(
    http: httpx.AsyncClient, desk: Desk
) -> None:
    desk.raising = ValueError("what was said")
    with structlog.testing.capture_logs() as logs:
        await http.post("/v1/recall", json=GOOD)
    (entry,) = logs
    assert entry["error"] == "ValueError"
    assert "test_application.py" in entry["at"][-1]
    assert "what was said" not in json.dumps(logs)


async def test_a_large_body_is_refused_by_what_it_announces(socket_http: httpx.AsyncClient) -> None:
    answer = await socket_http.post("/v1/recall", content=b"x" * 10_000, headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["reason"] == "too_large"
    assert answer.json()["message"] == f"the body is larger than {LIMIT} bytes"


async def test_a_large_body_is_refused_as_it_arrives(socket_http: httpx.AsyncClient) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(10):
            yield b"x" * 1000

    answer = await socket_http.post("/v1/recall", content=chunks(), headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["reason"] == "too_large"


async def test_a_body_of_the_limit_is_taken(socket_http: httpx.AsyncClient) -> None:
    body = json.dumps(GOOD).encode()
    answer = await socket_http.post(
        "/v1/recall", content=body + b" " * (LIMIT - len(body)), headers=JSON
    )
    assert answer.status_code == 200


async def test_a_body_without_an_end_is_not_waited_for(socket_http: httpx.AsyncClient) -> None:
    """Far above the limit nothing is read at all; the answer or a closed connection is fine."""

    async def chunks() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 1000

    headers = {**JSON, "Content-Length": str(10**12)}
    try:
        answer = await socket_http.post("/v1/recall", content=chunks(), headers=headers)
        assert answer.status_code == 413
    except httpx.NetworkError:
        pass
    assert (await socket_http.get("/healthz")).status_code == 200


async def test_the_service_goes_on_after_anything(socket_http: httpx.AsyncClient) -> None:
    bad: Sequence[bytes] = [b"{", b"x" * 50_000, b"[]", b'{"user_id": 1}']
    answers = await asyncio.gather(
        *(socket_http.post("/v1/recall", content=body, headers=JSON) for body in bad)
    )
    assert {answer.status_code for answer in answers} <= {413, 422}
    assert (await socket_http.post("/v1/recall", json=GOOD)).status_code == 200


async def test_what_is_not_there_is_a_problem_like_any_other(http: httpx.AsyncClient) -> None:
    for method, path, status in [("GET", "/v1/nothing", 404), ("DELETE", "/v1/recall", 405)]:
        answer = await http.request(method, path)
        assert answer.status_code == status
        assert Problem.model_validate_json(answer.content)


def failing(words: str) -> ReadinessCheck:
    async def check() -> None:
        raise TransientError(words)

    return check


def breaking() -> ReadinessCheck:
    async def check() -> None:
        raise RuntimeError("a secret")

    return check


async def _passes() -> None: ...


async def test_ready_when_every_check_passes(http: httpx.AsyncClient, desk: Desk) -> None:
    desk.failing = {"kafka": _passes, "mongodb": _passes}
    answer = await http.get("/readyz")
    assert answer.status_code == 200
    assert [each["check"] for each in answer.json()["checks"]] == ["kafka", "mongodb"]


async def test_not_ready_says_what_and_why(http: httpx.AsyncClient, desk: Desk) -> None:
    desk.failing = {"mongodb": _passes, "kafka": failing("no partitions"), "odd": breaking()}
    answer = await http.get("/readyz")
    assert answer.status_code == 503
    assert {each["check"]: each["problem"] for each in answer.json()["checks"]} == {
        "mongodb": None,
        "kafka": "no partitions",
        "odd": "the check itself failed: RuntimeError",
    }


async def test_alive_even_where_nothing_is_ready(http: httpx.AsyncClient, desk: Desk) -> None:
    desk.failing = {"kafka": failing("away")}
    assert (await http.get("/healthz")).status_code == 200


async def test_requests_are_counted_by_route_and_never_by_path(http: httpx.AsyncClient) -> None:
    await http.get("/v1/memories/secret-id", params={"user_id": "ann"})
    await http.get("/secret-path")
    await http.request("SECRET", "/v1/recall")
    await http.post("/v1/recall", content=b"x" * 10_000, headers=JSON)
    metrics = (await http.get("/metrics")).text
    assert (
        'palimpsest_http_requests_total{method="GET",route="/v1/memories/{memory_id}",status="200"}'
        in metrics
    )
    assert 'route="unmatched",status="404"' in metrics
    assert "palimpsest_http_request_duration_seconds_bucket" in metrics
    assert "ann" not in metrics
    assert "secret" not in metrics.lower()


async def test_openapi_comes_from_the_code_with_what_is_asked_of_callers(
    http: httpx.AsyncClient,
) -> None:
    schema = (await http.get("/openapi.json")).json()
    recall = schema["paths"]["/v1/recall"]["post"]
    assert recall["x-permission"] == "read"
    assert recall["responses"]["422"]["content"] == {
        "application/problem+json": {"schema": {"$ref": "#/components/schemas/HttpProblem"}}
    }


async def test_an_error_is_a_problem_of_rfc_9457_that_says_what_to_do(
    http: httpx.AsyncClient,
) -> None:
    answer = await http.post("/v1/recall", json={}, headers=JSON)
    body = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert (body["type"], body["status"]) == ("urn:palimpsest:problem:invalid", 422)
    assert body["title"] == HTTPStatus(422).phrase
    assert (body["reason"], body["message"]) == ("invalid", body["detail"])
    assert "openapi.json" in body["advice"]
    nowhere = (await http.get("/v1/nowhere")).json()
    assert (nowhere["reason"], nowhere["status"]) == ("not_found", 404)
    assert "lists every route" in nowhere["advice"]


async def test_no_page_loads_anything_from_elsewhere(http: httpx.AsyncClient) -> None:
    for path in ("/docs", "/redoc"):
        assert (await http.get(path)).status_code == 404

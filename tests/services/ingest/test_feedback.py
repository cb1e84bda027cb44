"""Feedback and runs of skills: kept and sent on to the one writer, over Kafka and HTTP alike."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from palimpsest.events.feedback import FeedbackGiven
from palimpsest.events.skills import SkillFailed, SkillSucceeded
from palimpsest.events.topics import CANDIDATES, CONVERSATIONS
from palimpsest_server.runtime.http import build_http_application
from palimpsest_server.runtime.settings import Settings
from services.ingest.event_routes import build_event_router
from tests.support.services.ingest.one_service import OneService
from tests.support.services.ingest.world import World
from tests.support.turns import MORNING, message

KEY = "sk-proj-00000000000000000000000000000001abcdefghijkl"


@pytest.fixture
async def http(world: World) -> AsyncIterator[httpx.AsyncClient]:
    service = OneService([build_event_router(world.accepting, world.clock)])
    application = build_http_application([service], settings=Settings(), registry=world.registry)
    transport = httpx.ASGITransport(application)
    async with httpx.AsyncClient(transport=transport, base_url="http://ingest") as client:
        yield client


def succeeded(**fields: Any) -> SkillSucceeded:
    return SkillSucceeded.model_validate(
        {
            "user_id": "lin",
            "agent_id": "coder",
            "occurred_at": MORNING,
            "skill_name": "deploy",
            "workflow": [{"tool": "build"}, {"tool": "push"}],
            **fields,
        }
    )


def helpful(**fields: Any) -> FeedbackGiven:
    return FeedbackGiven.model_validate(
        {
            "user_id": "lin",
            "occurred_at": MORNING,
            "verdict": "helpful",
            "memory_ids": ["m1"],
            **fields,
        }
    )


async def test_a_run_is_sent_on_once_however_often_it_is_told(world: World) -> None:
    await world.take(succeeded(run_id="7"), succeeded(run_id="7"))
    await world.take(succeeded(run_id="7"), succeeded(run_id="8"))
    # What comes again may be sent on again; the writer knows it by its id.
    sent = {event.event_id: event for event in world.log.on(CANDIDATES)}
    runs = [event.run_id for event in sent.values() if isinstance(event, SkillSucceeded)]
    assert runs == ["7", "8"]


async def test_what_is_secret_in_a_run_is_taken_out(world: World) -> None:
    failed = SkillFailed(
        user_id="lin",
        occurred_at=MORNING,
        skill_name="deploy",
        workflow=({"tool": "push", "arguments": {"key": KEY}},),
        error=f"403 for {KEY}",
    )
    await world.take(failed)
    (event,) = world.log.of(SkillFailed)
    assert KEY not in event.model_dump_json()
    assert event.error.startswith("403 for [redacted:")


async def test_incognito_runs_leave_no_trace(world: World) -> None:
    await world.take(succeeded(incognito=True))
    assert world.log.on(CANDIDATES) == []


async def test_one_verdict_about_one_recall_counts_once(world: World) -> None:
    later = MORNING + timedelta(minutes=5)
    first = await world.take(helpful(recall_id="r1"), helpful())
    again = await world.take(helpful(recall_id="r1", occurred_at=later), helpful(occurred_at=later))
    assert (first, again) == ([], [])
    assert len({event.event_id for event in world.log.of(FeedbackGiven)}) == 3


async def test_what_was_used_of_a_recall_is_told_once(
    http: httpx.AsyncClient, world: World
) -> None:
    body = {"type": "RecallUsed", "user_id": "lin", "recall_id": "r1", "result_ids": ["m1", "t1"]}
    for minutes, outcome in ((0, "accepted"), (5, "duplicate")):
        at = (MORNING + timedelta(minutes=minutes)).isoformat()
        answer = await http.post("/v1/events", json={**body, "occurred_at": at})
        assert (answer.status_code, answer.json()["outcome"]) == (202, outcome)
    await world.take(*world.log.on(CONVERSATIONS))
    sent = {event.event_id for event in world.log.on(CANDIDATES)}
    assert len(sent) == 1


async def test_feedback_over_http_is_the_same_event(http: httpx.AsyncClient, world: World) -> None:
    body = {"user_id": "lin", "verdict": "wrong", "memory_id": "m1", "recall_id": "r1"}
    first = await http.post("/v1/feedback", json=body)
    (event,) = world.log.on(CONVERSATIONS)
    at = world.clock()
    world.clock.advance(world.interval)
    again = await http.post("/v1/feedback", json=body)
    assert [(response.status_code, response.json()["outcome"]) for response in (first, again)] == [
        (202, "accepted"),
        (202, "duplicate"),
    ]
    assert isinstance(event, FeedbackGiven)
    assert (event.verdict.value, event.memory_ids, event.occurred_at) == (
        "wrong",
        ("m1",),
        at,
    )


async def test_what_led_to_a_success_is_understood_while_it_is_fresh(world: World) -> None:
    await world.take(message(1), message(2), succeeded(session_id="s"), message(3))
    (window,) = world.log.windows
    assert (window.trigger, [turn.message_id for turn in window.fresh]) == (
        "skill",
        ["m1", "m2", "m3"],
    )
    # In a batch of its own as well, and nothing where nothing was said since.
    await world.take(message(4))
    assert len(world.log.windows) == 1
    await world.take(succeeded(session_id="s", run_id="2"))
    await world.take(succeeded(session_id="s", run_id="3"))
    assert [len(window.fresh) for window in world.log.windows] == [3, 1]


async def test_a_failure_or_a_session_without_words_makes_no_window(world: World) -> None:
    failed = SkillFailed(
        user_id="lin", session_id="s", occurred_at=MORNING, skill_name="deploy", error="no"
    )
    await world.take(message(1), failed, succeeded(session_id="elsewhere"))
    assert world.log.windows == []
    world.users.settle("lin", automatic_extraction=False)
    await world.take(succeeded(session_id="s", run_id="2"))
    assert world.log.windows == []


async def test_what_was_accepted_and_lost_is_sent_on_again(world: World) -> None:
    await world.take(helpful(), succeeded(run_id="1"))
    world.log.lose()
    await world.reconcile()
    sent = {type(event) for event in world.log.on(CANDIDATES)}
    assert sent == {FeedbackGiven, SkillSucceeded}


@pytest.mark.parametrize(
    "body",
    [
        {"user_id": "lin", "verdict": "wrong"},
        {"user_id": "lin", "verdict": "wrong", "memory_id": "m1", "memory_ids": ["m2"]},
        {"user_id": "lin", "verdict": "wrong", "memory_ids": []},
        {"user_id": "lin", "verdict": "excellent", "memory_id": "m1"},
        {"user_id": "lin", "verdict": "wrong", "memory_id": "m1", "why": "because"},
    ],
)
async def test_feedback_that_says_nothing_sensible_is_refused(
    http: httpx.AsyncClient, world: World, body: dict[str, Any]
) -> None:
    assert (await http.post("/v1/feedback", json=body)).status_code == 422
    assert world.log.on(CONVERSATIONS) == []

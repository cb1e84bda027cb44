"""Operators see namespaces with limits, dead letters without content, and what waits."""

from datetime import timedelta
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from palimpsest.api.operations import StageBacklog
from palimpsest.events.conversations import MessageAdded
from palimpsest.model.memory import Status
from palimpsest.model.scope import Scope
from palimpsest.model.user import Tier, UserSettings
from palimpsest_server.delivery.kafka_publisher import encode_event
from palimpsest_server.delivery.stage_metrics import StageMetrics, read_stage_backlogs
from palimpsest_server.stores.dead_letters import DeadLetterState
from tests.support.services.console.routes.world import World
from tests.support.stores.dead_letters import letter
from tests.support.windows import window

SAID = "I hide the key under the third flowerpot"


async def ask(world: World, method: str, path: str, **request: Any) -> dict[str, Any]:
    async with world.http as http:
        answer = await http.request(method, path, **request)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_namespaces_are_listed_in_pages_with_count_limit_and_last_activity() -> None:
    world = World()
    world.writer._settings["ann"] = UserSettings(tier=Tier.GROWTH)
    later = world.clock() + timedelta(days=1)
    await world.know(
        world.memory("one", Scope(user_id="ann")),
        world.memory("two", Scope(user_id="ann", project_id="p"), recorded_at=later),
        world.memory("gone", Scope(user_id="ann", agent_id="poet"), status=Status.FORGOTTEN),
        world.memory("three", Scope(user_id="bob", agent_id="poet")),
    )
    first = await ask(world, "GET", "/v1/namespaces", params={"limit": 2})
    rest = await ask(
        world, "GET", "/v1/namespaces", params={"limit": 2, "cursor": first["next_cursor"]}
    )
    rows = [
        (row["user_id"], row["agent_id"], row["active_memories"], row["limit"])
        for row in first["namespaces"] + rest["namespaces"]
    ]
    assert rows == [("ann", None, 2, 200), ("ann", "poet", 0, 200), ("bob", "poet", 1, 50)]
    assert rest["next_cursor"] is None
    activity = [row["last_remembered_at"] for row in first["namespaces"]]
    assert activity == [later.isoformat().replace("+00:00", "Z"), None]


async def test_dead_letters_tell_where_and_why_and_never_what_was_said() -> None:
    world = World()
    told = {"body": SAID, "message": f"text: {SAID}", "event_type": "MessageAdded"}
    await world.dead_letters.put([letter("a", **told), letter("b", stage="extractor", **told)])
    listed = await ask(world, "GET", "/v1/dead-letters", params={"stage": "ingest", "limit": 1})
    assert [found["id"] for found in listed["letters"]] == ["a"]
    (found,) = listed["letters"]
    assert (found["stage"], found["topic"], found["offset"]) == ("ingest", "conversations", 41)
    assert (found["reason"], found["replay_refusal"]) == ("invalid_event", None)
    assert SAID not in str(listed)
    everywhere = await ask(world, "GET", "/v1/dead-letters", params={"limit": 1})
    assert (len(everywhere["letters"]), everywhere["has_more"]) == (1, True)


async def test_a_replayed_letter_is_published_again_and_waits_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World()
    event = MessageAdded(
        event_id="e", user_id="ann", session_id="s", message_id="m", role="user", text=SAID,
        occurred_at=world.clock(),
    )  # fmt: skip
    body = encode_event(event).decode()
    await world.dead_letters.put(
        [
            letter("good", body=body),
            letter("short", truncated=True),
            letter("lost", replayable=False),
        ]
    )
    published: list[Any] = []

    async def publish(topic: Any, events: Any) -> None:
        published.append((topic.name, list(events)))

    monkeypatch.setattr(world.writer, "publish", publish)
    path = "/v1/dead-letters/replay"
    tried = await ask(world, "POST", path, json={"dry_run": True})
    assert (tried["replayed"], published) == (["good"], [])
    result = await ask(world, "POST", path, json={"ids": ["good", "short", "unknown"]})
    assert (result["replayed"], result["unknown"]) == (["good"], ["unknown"])
    assert [refused["id"] for refused in result["refused"]] == ["short"]
    assert SAID not in str(result)
    assert published == [("conversations", [event])]
    waiting = await ask(world, "GET", "/v1/dead-letters")
    assert {found["id"] for found in waiting["letters"]} == {"short", "lost"}
    (replayed,) = await world.dead_letters.list(state=DeadLetterState.REPLAYED)
    assert replayed.id == "good"


async def test_what_waits_for_extraction_is_counted() -> None:
    world = World()
    requests = [window("I moved", session=name, name=name) for name in ("a", "b", "c")]
    await world.ledger.write_down(requests, now=world.clock())
    found = await ask(world, "GET", "/v1/backlog")
    assert found["waiting_extractions"] == 3
    assert found["oldest_extraction_at"] == world.clock().isoformat().replace("+00:00", "Z")


def test_stages_tell_how_much_waits_and_for_how_long() -> None:
    registry = CollectorRegistry()
    assert read_stage_backlogs(registry) == []
    ingest, extractor = StageMetrics(registry, "ingest"), StageMetrics(registry, "extractor")
    ingest.lag("conversations", 4)
    ingest.oldest_pending("conversations", lambda: 2.5)
    extractor.lag("windows", 0)
    fields = ("stage", "topic", "lag_records", "oldest_pending_seconds")
    assert read_stage_backlogs(registry) == [
        StageBacklog(**dict(zip(fields, row, strict=True)))
        for row in (("extractor", "windows", 0, 0.0), ("ingest", "conversations", 4, 2.5))
    ]

"""After everything was forgotten and every topic replayed, a canary sings nowhere."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from palimpsest.client import PalimpsestClient
from palimpsest.events.commands import EditMemory
from palimpsest.events.conversations import MessageAdded, SessionEnded, SessionStarted
from palimpsest.events.topics import CONVERSATIONS, USER_COMMANDS
from palimpsest.model.memory import Status
from palimpsest.model.memory_edits import MemoryEdits
from palimpsest.model.turn import Role
from palimpsest_server.delivery.kafka_publisher import encode_event
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.journeys.erasing import points_in, until_obeyed
from tests.support.journeys.republishing import TOPICS, Topics
from tests.support.journeys.running import RunningPalimpsest
from tests.support.journeys.waiting import until_listed, until_recalled

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]

USER = "canary-keeper"
CANARY = "Zwitscherfink"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def said(text: str, number: int, user_id: str = USER) -> MessageAdded:
    return MessageAdded(
        occurred_at=NOON,
        user_id=user_id,
        session_id=f"of {user_id}",
        message_id=f"m{number}",
        role=Role.USER,
        text=text,
    )


async def planted(client: PalimpsestClient, topics: Topics, http: httpx.AsyncClient) -> None:
    """In messages over HTTP and Kafka, memories, commands, history, a todo and a dead letter."""
    await client.publish(
        [
            SessionStarted(occurred_at=NOON, user_id=USER, session_id=f"of {USER}", topic=CANARY),
            said(f"I like the {CANARY}.", 1),
            said(f"I need to feed the {CANARY} tomorrow.", 2),
            SessionEnded(occurred_at=NOON, user_id=USER, session_id=f"of {USER}"),
        ]
    )
    # As a chat service does that knows no epochs: what comes again says nothing of one.
    raw = said(f"The {CANARY} sings at night.", 3)
    await topics.publish(CONVERSATIONS, USER.encode(), encode_event(raw))
    poison = f'{{"type": "MessageAdded", "user_id": "{USER}", "text": "{CANARY}"}}'
    await topics.publish(CONVERSATIONS, USER.encode(), poison.encode())
    await client.remember(f"The {CANARY} is yellow", user_id=USER)
    memories = await until_listed(client, USER, {f"The {CANARY} is yellow"}, Status.ACTIVE)
    memory = memories[f"The {CANARY} is yellow"]
    answer = await http.patch(
        f"/v1/memories/{memory.id}",
        params={"user_id": USER},
        json={"content": f"The {CANARY} is green"},
    )
    assert answer.status_code == 200, answer.text
    # Given over Kafka, which brings it again as well.
    edit = EditMemory(
        event_id="painted",
        occurred_at=NOON,
        user_id=USER,
        memory_id=memory.id,
        edits=MemoryEdits(content=f"The {CANARY} is red"),
    )
    await topics.publish(USER_COMMANDS, USER.encode(), encode_event(edit))
    await until_listed(client, USER, {f"The {CANARY} is red"}, Status.ACTIVE)
    await client.recall(f"What colour has the {CANARY}?", user_id=USER)
    await until_recalled(client, f"When does the {CANARY} sing?", USER, "m3")


async def until_extracted(client: PalimpsestClient) -> None:
    async with asyncio.timeout(60):
        while True:
            if len((await client.list(user_id=USER)).memories) >= 3:
                return
            await asyncio.sleep(0.1)


async def singing_in(database: MongoDatabase) -> list[str]:
    names = await database._database.list_collection_names()
    return [
        f"{name}: {document}"
        for name in names
        async for document in database.named(name).find({})
        if CANARY.lower() in str(document).lower()
    ]


def singing_in_files(directory: Path) -> list[str]:
    return [
        str(path.relative_to(directory))
        for path in sorted(directory.rglob("*"))
        if path.is_file() and CANARY.encode() in path.read_bytes()
    ]


async def forgotten(http: httpx.AsyncClient) -> dict[str, Any]:
    params, confirmed = {"user_id": USER}, {"confirm_user_id": USER}
    dry = (await http.post("/v1/forget-everything", params=params, json={"dry_run": True})).json()
    assert dry["kept"]["counts"]["memories"] >= 3
    assert dry["kept"]["counts"]["turns"] == 3
    refused = await http.post("/v1/forget-everything", params=params, json={})
    assert refused.status_code == 422
    headers = {"Idempotency-Key": "once"}
    path = "/v1/forget-everything"
    first = await http.post(path, params=params, json=confirmed, headers=headers)
    assert first.status_code == 200, first.text
    again = await http.post(path, params=params, json=confirmed, headers=headers)
    assert again.json() == first.json()
    result: dict[str, Any] = first.json()["result"]
    return result


async def test_a_canary_is_nowhere_once_everything_was_forgotten_and_all_topics_replayed(
    own_palimpsest: RunningPalimpsest,
) -> None:
    running = await own_palimpsest.start()
    instance = running.instance
    async with (
        running.client() as client,
        httpx.AsyncClient(base_url=instance.http_url, trust_env=False, timeout=30) as http,
        Topics.at(instance.kafka_bootstrap_servers) as topics,
    ):
        database = MongoDatabase(instance.mongodb_url, "palimpsest")
        await planted(client, topics, http)
        await until_extracted(client)
        assert await singing_in(database)

        result = await forgotten(http)
        assert result["applied"]
        assert (await client.recall(f"the {CANARY}", user_id=USER, preview=True)).results == ()
        assert (await client.list(user_id=USER)).memories == ()
        await until_obeyed(running.instance, USER)
        assert await singing_in(database) == []

        for topic in TOPICS:
            await topics.publish_again(topic)
        await topics.at_rest(database)
        assert await singing_in(database) == []
        assert (await client.recall(f"the {CANARY}", user_id=USER, preview=True)).results == ()

        # Life goes on, in the new epoch.
        await client.remember("I keep no birds", user_id=USER)
        (new,) = (await until_listed(client, USER, {"I keep no birds"}, Status.ACTIVE)).values()
        database.close()
    assert await running.interrupt() == 0
    assert CANARY not in running.output
    projected = points_in(running.directory)
    assert not any(CANARY in str(payload) for payload in projected.values())
    assert projected.keys() <= {new.id}
    # The database's own journal and operation log let go of it later, by themselves.
    assert {path.split("/")[0] for path in singing_in_files(running.directory)} <= {"database"}

"""Commands beside a running instance."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from palimpsest.client import Subscription
from palimpsest.events.commands import ForgetMemory, RestoreMemory
from palimpsest.events.topics import CONVERSATIONS, TOPICS
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.memory import Status
from tests.support.journeys.republishing import Topics
from tests.support.journeys.running import RunningPalimpsest, command
from tests.support.journeys.waiting import until_listed

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(300)]


async def test_the_doctor_finds_a_running_instance_well(palimpsest: RunningPalimpsest) -> None:
    code, output = await command(palimpsest, "doctor", "--json")
    findings: list[dict[str, Any]] = json.loads(output)
    assert code == 0, output
    words = {finding["subject"]: finding["words"] for finding in findings}
    assert f"has all {len(TOPICS)} topics" in words["Kafka"]
    assert "consolidator, embedder, extractor, ingest, recall" in words["services"]


async def test_a_dead_letter_is_listed_and_replayed(palimpsest: RunningPalimpsest) -> None:
    poison = b'{"type": "MessageAdded", "user_id": "poisoner"}'
    async with Topics.at(palimpsest.instance.kafka_bootstrap_servers) as topics:
        await topics.publish(CONVERSATIONS, b"poisoner", poison)

    async def listed() -> list[dict[str, Any]]:
        code, output = await command(palimpsest, "dead-letters", "list", "--stage=ingest", "--json")
        assert code == 0, output
        letters: list[dict[str, Any]] = json.loads(output)
        return [letter for letter in letters if letter["user_id"] == "poisoner"]

    async with asyncio.timeout(30):
        while not (letters := await listed()):
            pass
    assert letters[0]["reason"] == "invalid_event"
    code, output = await command(palimpsest, "dead-letters", "replay", letters[0]["id"])
    assert (code, output.strip()) == (0, "1 replayed")
    code, output = await command(palimpsest, "dead-letters", "replay", "nobody", "--json")
    assert (code, json.loads(output)["unknown"]) == (1, ["nobody"])
    # Nothing was put right: it comes back.
    async with asyncio.timeout(30):
        while not (again := await listed()):
            pass
    assert again[0]["id"] == letters[0]["id"]
    # As times: of two in text, the one without a fraction of a second comes last.
    failed_at, failed_again_at = (
        datetime.fromisoformat(each[0]["failed_at"]) for each in (letters, again)
    )
    assert failed_again_at > failed_at


async def announced(changes: Subscription, event_id: str) -> ChangeSet:
    async with asyncio.timeout(60):
        async for change in changes:
            if change.change_set.cause.event_id == event_id:
                return change.change_set
    raise AssertionError("the subscription ended")


async def test_a_command_over_kafka_is_announced_as_the_change_that_it_caused(
    palimpsest: RunningPalimpsest,
) -> None:
    user, now = "commands-over-kafka", datetime.now(UTC)
    async with palimpsest.client(kafka=True) as client:
        await client.remember("I like rain", user_id=user)
        (memory,) = (await until_listed(client, user, {"I like rain"}, Status.ACTIVE)).values()
        async with client.subscribe() as changes:
            forget = ForgetMemory(
                occurred_at=now, user_id=user, memory_id=memory.id, reason="no longer"
            )
            done = await announced(changes, await client.command(forget))
            (change,) = done.memory_changes
            assert (change.after.status, done.reason) == (Status.FORGOTTEN, "no longer")
            unknown = RestoreMemory(occurred_at=now, user_id=user, memory_id="unknown")
            refused = await announced(changes, await client.command(unknown))
            assert refused.refusal is not None
            assert refused.refusal.reason == "not_found"

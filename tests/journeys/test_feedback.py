"""What becomes of what was recalled: verdicts and runs of skills, on a whole Palimpsest."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from palimpsest.api.recall import RecallResponse
from palimpsest.client import PalimpsestClient
from palimpsest.events.skills import SkillFailed, SkillSucceeded
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest_server.domain.ranking.weight_fitting import RecallOutcome
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.recall_traces import MongoRankingTraces
from tests.support.journeys.running import RunningPalimpsest, command
from tests.support.journeys.waiting import until_listed, until_told

pytestmark = pytest.mark.embedded

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
ASKED = "What does Fay drink in the morning?"
STEPS = ({"tool": "web_search"}, {"tool": "read_url"}, {"tool": "summarize"})


async def until(client: PalimpsestClient, memory_id: str, user_id: str, version: int) -> Memory:
    async with asyncio.timeout(60):
        while True:
            memory = (await client.get(memory_id, user_id=user_id, agent_id="coder")).memory
            if memory.version >= version:
                return memory
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("way", ["http", "kafka"])
async def test_what_was_helpful_counts_more_and_what_was_wrong_is_not_recalled(
    palimpsest: RunningPalimpsest, way: str
) -> None:
    user_id = f"fay-{way}"
    async with palimpsest.client(kafka=way == "kafka") as client:
        await client.remember("Fay drinks cocoa in the morning", user_id=user_id, importance=0.5)
        active = await until_listed(
            client, user_id, {"Fay drinks cocoa in the morning"}, Status.ACTIVE
        )
        (memory,) = active.values()
        answer = await until_told(client, ASKED, user_id, memory.content)
        await client.feedback("helpful", recall=answer, user_id=user_id)
        assert (await until(client, memory.id, user_id, 2)).importance == 0.55
        await client.feedback("wrong", memory_ids=[memory.id], user_id=user_id)
        wrong = await until(client, memory.id, user_id, 3)
        assert (wrong.status, wrong.confidence) == (Status.PENDING, 0.5)
        answer = await client.recall(ASKED, user_id=user_id)
        assert memory.id not in {result.id for result in answer.results}


async def test_what_was_used_of_a_recall_can_be_tuned_on(palimpsest: RunningPalimpsest) -> None:
    async with palimpsest.client() as client:
        said = "Hal keeps a canoe in the garage"
        await client.remember(said, user_id="hal")
        await client.remember("Hal keeps a bicycle in the garage", user_id="hal")
        await until_listed(client, "hal", {said}, Status.ACTIVE)
        async with asyncio.timeout(60):
            while len((answer := await asked_where(client)).results) < 2:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)
        await client.used(answer, [answer.results[0].id], user_id="hal")
    database = MongoDatabase(palimpsest.instance.mongodb_url, "palimpsest")
    try:
        async with asyncio.timeout(60):
            while not (traces := await traces_of(database, answer.recall_id)):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.1)
    finally:
        database.close()
    (trace,) = traces
    assert trace.tells
    assert set(trace.returned) == {result.id for result in answer.results}
    assert trace.used == {answer.results[0].id}
    tuning = await tuned_by_command(palimpsest)
    assert tuning["recalls"] >= 1
    assert (tuning["adopted"], tuning["written_to"]) == (False, None)
    assert not (palimpsest.directory / "ranking-policy.json").exists()


async def tuned_by_command(palimpsest: RunningPalimpsest) -> dict[str, Any]:
    code, printed = await command(palimpsest, "tune", "--from-feedback", "--adopt", "--json")
    assert code == 0, printed
    tuning: dict[str, Any] = json.loads(printed)
    return tuning


async def asked_where(client: PalimpsestClient) -> RecallResponse:
    return await client.recall("What does Hal keep in the garage?", user_id="hal")


async def traces_of(database: MongoDatabase, recall_id: str) -> list[RecallOutcome]:
    return [one for one in await MongoRankingTraces(database).all() if one.recall_id == recall_id]


async def test_what_is_outdated_is_history_and_a_verdict_over_http_is_counted(
    palimpsest: RunningPalimpsest,
) -> None:
    async with (
        palimpsest.client() as client,
        httpx.AsyncClient(
            base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
        ) as http,
    ):
        said = "Gus keeps bees behind the house"
        await client.remember(said, user_id="gus", occurred_at=NOON - timedelta(days=9))
        (memory,) = (await until_listed(client, "gus", {said}, Status.ACTIVE)).values()
        verdict = {
            "user_id": "gus",
            "verdict": "outdated",
            "memory_id": memory.id,
            "occurred_at": NOON.isoformat(),
        }
        assert (await http.post("/v1/feedback", json=verdict)).status_code == 202
        over = await until(client, memory.id, "gus", 2)
        assert (over.status, over.valid_until) == (Status.SUPERSEDED, NOON)
        then = await client.list(user_id="gus", as_of=NOON - timedelta(days=1))
        assert [memory.id for memory in then.memories] == [memory.id]
        counted = 'palimpsest_consolidator_feedback_total{verdict="outdated"}'
        async with asyncio.timeout(60):
            while counted not in (await http.get("/metrics")).text:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.05)


async def test_a_skill_is_learned_from_its_runs_and_found_again(
    palimpsest: RunningPalimpsest,
) -> None:
    def run(number: int) -> SkillSucceeded | SkillFailed:
        fields = {
            "user_id": "hal",
            "agent_id": "coder",
            "occurred_at": NOON + timedelta(minutes=number),
            "skill_name": "deep_research",
            "workflow": STEPS,
        }
        if number == 2:
            return SkillFailed.model_validate({**fields, "error": "the search quota was used up"})
        return SkillSucceeded.model_validate(fields)

    async with palimpsest.client() as client:
        await client.publish([run(1), run(2), run(3)])
        async with asyncio.timeout(60):
            while True:
                found = await client.list(user_id="hal", agent_id="coder", kind=[Kind.SKILL])
                if found.memories and found.memories[0].version == 3:
                    break
                await asyncio.sleep(0.05)
        (memory,) = found.memories
        assert (memory.data["successes"], memory.data["failures"]) == (2, 1)
        assert memory.data["workflow"] == list(STEPS)
        async with asyncio.timeout(60):
            while True:
                answer = await client.recall(
                    "deep_research search quota", user_id="hal", agent_id="coder"
                )
                if memory.id in {result.id for result in answer.results}:
                    break
                await asyncio.sleep(0.05)
        assert "web_search → read_url → summarize" in memory.content

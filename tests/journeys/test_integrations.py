"""Programs written for other frameworks keep their memory here."""

import asyncio

import pytest

from palimpsest.integrations.mem0 import AsyncMemory, Memory
from tests.support.journeys.running import RunningPalimpsest

pytestmark = pytest.mark.embedded

SAID = [
    {"role": "system", "content": "You are a cook."},
    {"role": "user", "content": "I am allergic to peanuts."},
    {"role": "assistant", "content": "Noted."},
]


def run_program_for_mem0(memory: Memory) -> None:
    added = memory.add(SAID, user_id="mona", run_id="lunch", metadata={"topic": "food"})
    (event,) = added["results"]
    assert event["event"] == "ADD"
    assert "peanuts" in event["memory"]
    memory.add("The user keeps bees", user_id="mona", infer=False)
    memory.add("The user keeps bees", user_id="mona", infer=False, metadata={"from": "web"})
    (again,) = memory.get_all(filters={"user_id": "mona", "from": "web"})["results"]
    assert again["memory"] == "The user keeps bees"

    (found,) = memory.search("What am I allergic to?", filters={"user_id": "mona"}, top_k=1)[
        "results"
    ]
    assert (found["id"], found["metadata"], found["run_id"]) == (
        event["id"],
        {"topic": "food"},
        "lunch",
    )
    assert 0 < found["score"] <= 1
    assert len(memory.get_all(user_id="mona")["results"]) == 2
    (of_food,) = memory.get_all(filters={"user_id": "mona", "topic": "food"})["results"]
    assert of_food["id"] == event["id"]

    memory.update(event["id"], data="The user is allergic to cashews")
    updated = memory.get(event["id"])
    assert updated is not None
    assert updated["memory"] == "The user is allergic to cashews"
    assert updated["updated_at"] is not None
    memory.delete(event["id"])
    assert memory.get(event["id"]) is None
    assert [each["event"] for each in memory.history(event["id"])] == ["ADD", "UPDATE", "DELETE"]

    memory.delete_all(user_id="mona")
    assert memory.get_all(user_id="mona") == {"results": []}
    memory.close()


async def test_a_program_for_mem0_runs_as_it_is(palimpsest: RunningPalimpsest) -> None:
    memory = Memory.from_config({"version": "v1.1"}, http_url=palimpsest.instance.http_url)
    await asyncio.to_thread(run_program_for_mem0, memory)


async def test_an_agent_of_mem0_without_a_user_has_memories_of_its_own(
    palimpsest: RunningPalimpsest,
) -> None:
    memory = AsyncMemory(http_url=palimpsest.instance.http_url)
    await memory.add("Guests are greeted by name", agent_id="host", infer=False)
    (kept,) = (await memory.get_all(agent_id="host"))["results"]
    assert (kept["memory"], kept["agent_id"]) == ("Guests are greeted by name", "host")
    with pytest.raises(ValueError, match="user_id"):
        await memory.get_all()
    with pytest.raises(ValueError, match="no id"):
        await memory.get("unknown")
    await memory.close()


def search_a_small_run_of_mem0(memory: Memory) -> None:
    for place in range(110):
        text = f"The user loves pizza with olives, as told on day {place}"
        memory.add(text, user_id="nils", infer=False)
    liked, asked = "The user likes anchovies on pizza", "Which pizza does the user love?"
    memory.add(liked, user_id="nils", run_id="diner", infer=False, metadata={"topic": "food"})
    assert memory.search(asked * 1_000, user_id="nils")["results"]
    by_run = memory.search(asked, user_id="nils", run_id="diner")
    by_topic = memory.search(asked, filters={"user_id": "nils", "topic": "food"})
    assert [[item["memory"] for item in found["results"]] for found in (by_run, by_topic)] == [
        [liked],
        [liked],
    ]
    memory.close()


async def test_a_run_of_mem0_is_searched_beside_many_other_memories(
    palimpsest: RunningPalimpsest,
) -> None:
    memory = Memory(http_url=palimpsest.instance.http_url)
    await asyncio.to_thread(search_a_small_run_of_mem0, memory)

"""Words of one place are read from there alone, by every read: of a user, an agent, a project.

Each place has a word of its own. All that a reader is shown may contain the words of the places that
it sees, and those of no other.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio

from palimpsest.client import Message
from palimpsest.model.context_format import FormatName
from palimpsest.model.ranking_policy import PolicyName
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role
from tests.support.journeys.running import RunningPalimpsest

pytestmark = [pytest.mark.embedded, pytest.mark.asyncio(loop_scope="module")]

MORNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
OWNER = "places-owner"


def place(agent: str | None = None, project: str | None = None, user: str = OWNER) -> Scope:
    return Scope(user_id=user, agent_id=agent, project_id=project)


WORDS = {
    place(): "heronbird",
    place("mike"): "ospreybird",
    place("elena"): "plovertern",
    place("mike", "alpha"): "kestrelhawk",
    place("mike", "beta"): "gannetgull",
    place(user="places-other"): "siskinfinch",
    place("mike", user="places-other"): "wigeonduck",
}
"""One word for each place, which is said there and nowhere else."""

READERS = [*WORDS, place("elena", "alpha"), place(None, "alpha"), place("nobody")]


def seen_from(reader: Scope) -> set[str]:
    return {word for scope, word in WORDS.items() if scope in reader.visible()}


def talk(scope: Scope, word: str) -> list[Message]:
    said = (
        f"The {word} has its own shelf in the depot.",
        f"Noted: the {word} has its own shelf.",
        f"Remind me to order a crate for the {word} on Friday.",
        f"I will remind you of the crate for the {word}.",
        f"The {word} must be shipped by ferry.",
    )
    return [
        Message(
            message_id=f"m{number}",
            role=Role.AGENT if number % 2 else Role.USER,
            agent_id=scope.agent_id,
            text=text,
            occurred_at=MORNING + timedelta(minutes=number),
        )
        for number, text in enumerate(said)
    ]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def http(palimpsest: RunningPalimpsest) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        palimpsest.client() as client,
        httpx.AsyncClient(
            base_url=palimpsest.instance.http_url, trust_env=False, timeout=60
        ) as http,
    ):
        for number, (scope, word) in enumerate(WORDS.items()):
            await client.save_conversation(
                talk(scope, word),
                user_id=scope.user_id,
                project_id=scope.project_id,
                session_id=f"talk-{number}",
                ended=True,
            )
            await client.remember(
                f"The {word} is worth a fortune", **scope.model_dump(), entities=[word]
            )
        async with asyncio.timeout(90):
            for scope, word in WORDS.items():
                await until_known(http, scope, word)
        yield http


async def until_known(http: httpx.AsyncClient, scope: Scope, word: str) -> None:
    """Return once a place is told of by its memories, its summary and the profile of its layer."""
    own = scope.model_dump(exclude_none=True)
    while True:
        memories = await get(http, "/v1/memories", own)
        summaries = await summaries_of(http, scope.user_id)
        profile = await get(http, "/v1/profile", without_project(scope))
        if (
            word in memories
            and word in summaries
            and (scope.project_id is not None or word in profile)
        ):
            return
        await asyncio.sleep(0.2)


async def summaries_of(http: httpx.AsyncClient, user_id: str) -> str:
    lines = (await get(http, "/v1/export", {"user_id": user_id})).splitlines()
    return "\n".join(line for line in lines if json.loads(line)["record"] == "summary")


def without_project(scope: Scope) -> dict[str, str]:
    return scope.model_dump(exclude_none=True, exclude={"project_id"})


async def get(http: httpx.AsyncClient, path: str, query: dict[str, Any]) -> str:
    return (await http.get(path, params=query)).raise_for_status().text


async def recall(http: httpx.AsyncClient, reader: Scope, word: str, **fields: Any) -> str:
    asked = {"query": f"What is known of the {word}?", "limit": 50, "preview": True}
    request = {**reader.model_dump(exclude_none=True), **asked, **fields}
    return (await http.post("/v1/recall", json=request)).raise_for_status().text


async def read_everything(http: httpx.AsyncClient, reader: Scope) -> dict[str, str]:
    """All that a reader is shown, by the way in which it is read; questions are taken out."""
    own = reader.model_dump(exclude_none=True)
    found = {
        "list": await get(http, "/v1/memories", {**own, "limit": 500}),
        "todos": await get(http, "/v1/todos", own),
        "profile": await get(http, "/v1/profile", without_project(reader)),
        "profile versions": await get(http, "/v1/profile/versions", without_project(reader)),
        "reports": await get(http, "/v1/reports", {"user_id": reader.user_id}),
    }
    for policy in PolicyName:
        for word in WORDS.values():
            found[f"recall {policy} {word}"] = await recall(http, reader, word, policy=policy)
    for word in WORDS.values():
        found[f"details of {word}"] = await recall(
            http, reader, word, include=["history", "graph", "explanation"]
        )
    for name in FormatName:
        request = {**own, "format": name, "token_budget": 4000}
        for question in (None, "What about the shelf in the depot and the ferry?"):
            asked = request if question is None else {**request, "query": question}
            answer = await http.post("/v1/context", json=asked)
            found[f"context {name} {question}"] = answer.raise_for_status().text
    return found


@pytest.mark.parametrize(
    "reader", READERS, ids=lambda scope: "/".join(map(str, scope.model_dump().values()))
)
async def test_a_reader_is_shown_what_lies_in_its_places(
    http: httpx.AsyncClient, reader: Scope
) -> None:
    others = set(WORDS.values()) - seen_from(reader)
    shown = await read_everything(http, reader)
    leaks = {way: [word for word in others if word in text] for way, text in shown.items()}
    assert {way: words for way, words in leaks.items() if words} == {}
    for word in seen_from(reader):
        assert word in shown["list"]
        assert word in shown[f"recall default {word}"]


async def test_no_id_opens_what_lies_elsewhere(
    palimpsest: RunningPalimpsest, http: httpx.AsyncClient
) -> None:
    for scope, word in WORDS.items():
        own = scope.model_dump(exclude_none=True)
        listed = json.loads(await get(http, "/v1/memories", {**own, "limit": 500}))["memories"]
        ids = [one["id"] for one in listed if word in one["content"]]
        assert ids
        for reader in READERS:
            status = 200 if scope in reader.visible() else 404
            query = reader.model_dump(exclude_none=True)
            answer = await http.get(f"/v1/memories/{ids[0]}", params=query)
            assert answer.status_code == status, (scope, reader)


async def test_an_export_is_one_users(http: httpx.AsyncClient) -> None:
    for user in {scope.user_id for scope in WORDS}:
        text = await get(http, "/v1/export", {"user_id": user})
        for scope, word in WORDS.items():
            assert (word in text) is (scope.user_id == user)


async def test_a_project_ends_with_all_that_was_said_in_it(
    palimpsest: RunningPalimpsest, http: httpx.AsyncClient
) -> None:
    inside, word = place("mike", "beta"), WORDS[place("mike", "beta")]
    async with palimpsest.client() as client:
        await client.delete_project("beta", user_id=OWNER)
        shown = await read_everything(http, inside)
        assert [way for way, text in shown.items() if word in text] == []
        async with asyncio.timeout(60):
            while True:
                # Only an export tells of all scopes.
                if word not in await get(http, "/v1/export", {"user_id": OWNER}):
                    return
                await asyncio.sleep(0.2)

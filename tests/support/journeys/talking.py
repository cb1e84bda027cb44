"""Playing the talk over HTTP, and reading what came of it."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import httpx

from palimpsest.client import Message, PalimpsestClient
from palimpsest.events.conversations import MessageAdded, SessionEnded
from palimpsest.model.memory import Memory, Status
from palimpsest.model.turn import Role
from tests.support.journeys import talk

PATIENCE_SECONDS = 90.0
POLL_SECONDS = 0.5
"""Reading everything keeps the process from its work, so not at once again."""

Shape = tuple[object, ...]
Remembered = Counter[Shape]


class Talkers:
    """Everybody talks at once, each one in order: nobody goes on before an answer."""

    def __init__(self, users: int = talk.USERS) -> None:
        self._users = users
        self.acknowledged: set[tuple[str, str]] = set()
        self.enough = asyncio.Event()
        self._enough_at = users * talk.MESSAGES_EACH // 2

    async def talk(self, url: str) -> None:
        """Say what was not acknowledged yet; stop where the server is gone."""
        async with httpx.AsyncClient(base_url=url, timeout=30, trust_env=False) as http:
            await asyncio.gather(*(self._one(http, number) for number in range(self._users)))

    async def _one(self, http: httpx.AsyncClient, number: int) -> None:
        events: Sequence[MessageAdded | SessionEnded] = [*talk.messages(number), talk.end(number)]
        for event in events:
            name = event.message_id if isinstance(event, MessageAdded) else "end"
            if (event.user_id, name) in self.acknowledged:
                continue
            try:
                answer = await http.post("/v1/events", json=talk.body(event))
            except httpx.HTTPError:
                return
            assert answer.status_code == 202, answer.text
            self.acknowledged.add((event.user_id, name))
            if len(self.acknowledged) >= self._enough_at:
                self.enough.set()


def shape(memory: Memory, contents: Mapping[str, str]) -> Shape:
    """What two runs must agree on: ids follow from where a window was cut, which need not agree."""
    return (
        memory.scope,
        memory.kind,
        memory.content,
        memory.attribute,
        memory.value,
        memory.status,
        memory.valid_from,
        memory.valid_until,
        tuple(contents[superseded] for superseded in memory.supersedes),
        memory.version,
        tuple(evidence.message_id for evidence in memory.evidence),
    )


async def memories(client: PalimpsestClient) -> Remembered:
    """Everything remembered of everybody, in every state, in the agent's layer and the user's."""
    pages = await asyncio.gather(
        *(
            client.list(
                user_id=talk.user(number), agent_id=agent_id, status=tuple(Status), limit=500
            )
            for number in range(talk.USERS)
            for agent_id in (None, "companion")
        )
    )
    found = list({memory.id: memory for page in pages for memory in page.memories}.values())
    contents = {memory.id: memory.content for memory in found}
    return Counter(shape(memory, contents) for memory in found)


async def settled(client: PalimpsestClient) -> Remembered:
    """Wait until all that must be remembered is, and answer it."""
    found: Remembered = Counter()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not _complete(found):
            await asyncio.sleep(POLL_SECONDS)
            found = await memories(client)
    return found


def _complete(found: Remembered) -> bool:
    superseded = [one for one in found.elements() if Status.SUPERSEDED in one]
    return (found.total(), len(superseded)) == (
        talk.USERS * talk.MEMORIES_EACH,
        talk.USERS * talk.SUPERSEDED_EACH,
    )


async def until_equal(client: PalimpsestClient, expected: Remembered) -> None:
    found: Remembered = Counter()
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while found != expected:
                await asyncio.sleep(POLL_SECONDS)
                found = await memories(client)
    except TimeoutError:
        # With what differs, which the time-out does not tell.
        lacking, surplus = expected - found, found - expected
        raise AssertionError(f"lacking: {list(lacking)}\nsurplus: {list(surplus)}") from None


MORNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def spoken(*texts: str, first: int = 0) -> list[Message]:
    return [
        Message(
            message_id=f"m{number}",
            role=Role.AGENT if number % 2 else Role.USER,
            text=text,
            occurred_at=MORNING + timedelta(minutes=number),
        )
        for number, text in enumerate(texts, start=first)
    ]

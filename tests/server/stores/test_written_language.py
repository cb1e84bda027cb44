"""By what somebody's language is known, where they settled none."""

import pytest

from palimpsest.model.change_set import MemoryChange
from palimpsest.model.scope import Scope
from palimpsest.model.user import Language
from palimpsest_server.stores.sessions import SessionKey, SessionProgress
from palimpsest_server.stores.turns import TurnPlacement
from palimpsest_server.stores.written_language import StoredWrittenLanguages
from tests.support.server.stores.memories import memory
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.sessions import InMemorySessions
from tests.support.stores.turns import InMemoryTurns
from tests.support.turns import MORNING, turn


class Known:
    """What is stored of users."""

    def __init__(self) -> None:
        self.sessions = InMemorySessions()
        self.turns = InMemoryTurns()
        self.memories = InMemoryMemories()
        self.languages = StoredWrittenLanguages(self.sessions, self.turns, self.memories)

    async def exchange(self, user_says: str, agent_says: str, user_id: str = "lin") -> None:
        said = [
            turn(1, user_id=user_id, text=user_says),
            turn(2, user_id=user_id, text=agent_says),
        ]
        placed = [TurnPlacement(each, accepted=False) for each in said]
        assert await self.turns.place(placed, now=MORNING)
        await self.sessions.advance([SessionProgress(key=SessionKey(user_id, "s"))])

    async def remember(self, content: str) -> None:
        known = memory(scope=Scope(user_id="lin"), content=content)
        await self.memories.apply([MemoryChange(after=known)])


@pytest.mark.parametrize(
    ("user", "agent", "language"),
    [
        (
            "我在上海工作。",
            "Noted: you work in Shanghai, and have done for years.",
            Language.CHINESE,
        ),
        ("I work there.", "记住了：您在上海工作，已经很多年了。", Language.ENGLISH),
    ],
)
async def test_it_is_that_of_what_a_user_says_whatever_the_agent_answers(
    user: str, agent: str, language: Language
) -> None:
    known = Known()
    await known.exchange(user, agent)
    assert await known.languages.of("lin") is language


async def test_where_nothing_was_said_it_is_that_of_what_is_remembered() -> None:
    known = Known()
    await known.remember("用户在上海工作")
    assert await known.languages.of("lin") is Language.CHINESE
    await known.exchange("Let us speak English from now on.", "好的")
    assert await known.languages.of("lin") is Language.ENGLISH


async def test_what_others_say_tells_nothing() -> None:
    known = Known()
    await known.exchange("我在上海工作。", "好的", user_id="bo")
    assert await known.languages.of("lin") is None

"""Find messages that repeat an erased statement: extracted again, they would bring it back."""

from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from typing import Protocol

from palimpsest.api.resources import RepeatingMessage
from palimpsest.model.memory import Memory
from palimpsest.model.turn import Role, Turn
from palimpsest_language.repeated_statements import (
    StatementWords,
    extract_statement_words,
    repeats_statement,
)
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively

EXCERPT_CHARACTERS = 120


class TurnArchive(Protocol):
    def turns(self, user_id: str, /) -> AsyncIterator[Turn]: ...


class RepetitionFinder:
    """Searches all messages of a user, and changes nothing."""

    def __init__(self, archive: TurnArchive) -> None:
        self._archive = archive

    async def of(self, memory: Memory, turn_ids: Collection[str]) -> tuple[RepeatingMessage, ...]:
        """Return the messages that repeat a memory, without those that the memory rests on.

        Messages of agents and tools are erased with the memory. Those of people stay, and are
        reported.
        """
        turns = [turn async for turn in self._archive.turns(memory.scope.user_id)]
        found = await find_repeating_turns(memory, turns, turn_ids)
        return tuple(
            RepeatingMessage(
                id=turn.id,
                session_id=turn.session_id,
                message_id=turn.message_id,
                role=turn.role,
                beginning=" ".join(turn.full_text.split())[:EXCERPT_CHARACTERS],
                goes=turn.role is not Role.USER,
            )
            for turn in found
        )


async def find_repeating_turns(
    memory: Memory, turns: Sequence[Turn], resting_on: Collection[str]
) -> list[Turn]:
    """Return the turns that repeat a memory, without the turns `resting_on`."""
    statement = describe_statement(memory)
    if not statement.says_anything:
        return []
    talks = {turn.session_id for turn in turns if turn.id in resting_on}
    talks |= {piece.session_id for piece in memory.evidence if piece.session_id is not None}
    return [
        turn
        async for turn in iterate_cooperatively(turns)
        if turn.id not in resting_on
        and repeats_statement(turn.full_text, statement, same_talk=turn.session_id in talks)
    ]


def describe_statement(memory: Memory) -> StatementWords:
    quotes: Iterable[str] = (piece.quote for piece in memory.evidence)
    return extract_statement_words(
        [memory.content, *quotes], names=[memory.value, *memory.entities]
    )

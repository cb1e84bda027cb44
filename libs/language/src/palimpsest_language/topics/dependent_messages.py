"""Messages that depend on others of the conversation: they continue without naming the topic."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from palimpsest.model.turn import Role, Turn
from palimpsest_language.phrase_tables import read_phrases

_DEPENDS = read_phrases("topics/dependent_messages")["depends"]


class DependentTurns(NamedTuple):
    """Turns of one session that depend on others, by the way they do."""

    answering: frozenset[str]
    """Answers of agents and tools, and messages that say nothing without the one before."""
    following: frozenset[str]
    """The next message of the same speaker, if it may be about something else."""


def depends_on_message_before(text: str) -> bool:
    """Tell whether a message begins like one that continues what was just said."""
    return _DEPENDS.search(text.strip().lower()) is not None


def find_dependent_turns(turns: Sequence[Turn], of: Collection[str]) -> DependentTurns:
    """Find the turns that depend on some of these.

    Args:
        turns: the turns of one session, in order.
        of: the ids of the turns on a topic.
    """
    answering: set[str] = set()
    following: set[str] = set()
    is_open = False
    speaker: str | None = None
    for turn in turns:
        if turn.id in of:
            is_open = True
            speaker = turn.speaker if turn.role is Role.USER else speaker
        elif not is_open:
            continue
        elif turn.role is not Role.USER or (
            turn.speaker == speaker and depends_on_message_before(turn.said)
        ):
            answering.add(turn.id)
        else:
            following.add(turn.id)
            is_open = False
    return DependentTurns(frozenset(answering), frozenset(following))

"""Messages that hang on others of the same talk: they go on about a thing that they do not name."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from palimpsest.model.turn import Role, Turn
from palimpsest_language.phrase_tables import read_phrases

_DEPENDS = read_phrases("topics/dependent_messages")["depends"]


class DependentTurns(NamedTuple):
    """Turns of one session that stand behind others, by how they hang on those."""

    answering: frozenset[str]
    """Answers of agents and tools, and messages that say nothing without the one before."""
    following: frozenset[str]
    """The next message of the same speaker where it may be about something else as well."""


def depends_on_message_before(text: str) -> bool:
    """Tell whether a message begins as one does that goes on about what was said just before."""
    return _DEPENDS.search(text.strip().lower()) is not None


def find_dependent_turns(turns: Sequence[Turn], of: Collection[str]) -> DependentTurns:
    """Find the turns that hang on some of these.

    Args:
        turns: of one session, in order.
        of: the ids of those that are on a topic.
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

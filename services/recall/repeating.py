"""What a prompt says already, so that its block need not."""

from collections.abc import Iterable, Sequence

from palimpsest.contracts.recall import Recalled, Record
from palimpsest.domain.evolution.wording import normalised
from palimpsest.domain.turn import Turn


def not_said_already(
    results: Sequence[Recalled], messages: Iterable[Turn], asked: Iterable[str]
) -> list[Recalled]:
    """The results without messages that the prompt has anyway.

    These are the last ones of the conversation that goes on, which come along
    in full, and the question and those before it: stored a moment ago, they
    are nearest to themselves and tell nothing. What a memory says stays.
    """
    come_along = {turn.id for turn in messages}
    words = {normalised(text) for text in asked}
    return [
        one
        for one in results
        if one.record is not Record.TURN
        or not (one.id in come_along or normalised(one.content) in words)
    ]

"""Removes words for a time: 明天去体检，早上八点 leaves 去体检.

A day and its hour are one time, whatever is between them; those words stay.
"""

from datetime import UTC, datetime
from functools import lru_cache

from palimpsest_language.time_expressions.expression import TimeExpression
from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_time_words

_WHENEVER = UtteranceTime(datetime(2026, 1, 1, tzinfo=UTC), "UTC")
"""A fixed time of speech: it does not matter for finding the words."""


def remove_time_words(text: str, time: TimeExpression) -> str:
    for words in _parts(time.words):
        text = text.replace(words, " ")
    return text


@lru_cache(maxsize=4096)
def _parts(words: str) -> tuple[str, ...]:
    """The day and the hour, where something stands between them."""
    found = find_time_words(words, _WHENEVER)
    return found if len(found) > 1 else (words,)

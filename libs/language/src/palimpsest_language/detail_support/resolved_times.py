"""Numbers, months and weekdays of the resolved times of a message."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.detail_support.source_words import SourceText
from palimpsest_language.time_expressions.sentence_times import find_sentence_times

_LAST_MOMENT = timedelta(microseconds=1)


class ResolvedMoment(NamedTuple):
    moment: datetime
    """The moment in the speaker's time zone."""
    has_hour: bool


@lru_cache(maxsize=512)
def resolve_times(source: SourceText) -> tuple[ResolvedMoment, ...]:
    """Return the day of the message, and the first and last moment of each of its times."""
    zone = ZoneInfo(source.said.time_zone)
    return tuple(
        ResolvedMoment(time.moment.astimezone(zone), time.has_hour) for time in _list_times(source)
    )


def list_resolved_numbers(source: SourceText) -> frozenset[int]:
    """List year, month and day of each time; with an hour also its minutes, by either clock."""
    numbers: set[int] = set()
    for moment, has_hour in resolve_times(source):
        numbers |= {moment.year, moment.year % 100, moment.month, moment.day}
        if has_hour:
            numbers |= {moment.hour, moment.hour % 12 or 12, moment.minute}
    return frozenset(numbers)


def _list_times(source: SourceText) -> Iterator[ResolvedMoment]:
    yield ResolvedMoment(source.said.at, has_hour=False)
    for sentence in split_sentences(source.text):
        for time in find_sentence_times(sentence, source.said):
            has_hour = not time.all_day
            if time.starts_at is not None:
                yield ResolvedMoment(time.starts_at, has_hour)
            if time.ends_at is not None:
                last = time.ends_at if has_hour else time.ends_at - _LAST_MOMENT
                yield ResolvedMoment(last, has_hour)

"""Dates and times in figures, which are the same in every language."""

import re
from datetime import datetime

from palimpsest.domain.time_expressions import spans
from palimpsest.domain.time_expressions.clock import Clock
from palimpsest.domain.time_expressions.piece import Meaning, Phrase


def _date(match: re.Match[str]) -> Meaning | None:
    day = spans.day_of(int(match["year"]), int(match["month"]), int(match["day"]))
    if day is None:
        return None
    if match["hour"] is None:
        return Meaning(resolve=lambda _said: day)
    moment = datetime(  # noqa: DTZ001 - local until the zone of the speaker is put to it
        day.start.year, day.start.month, day.start.day, int(match["hour"]), int(match["minute"])
    )
    return Meaning(resolve=lambda _said: spans.instant(moment))


def _clock(match: re.Match[str]) -> Meaning:
    hour = int(match["hour"])
    written_out = match["hour"].startswith("0") or hour > 12
    return Meaning(clock=Clock(hour, int(match["minute"]), exact=written_out or hour == 0))


COMMON = (
    Phrase(
        re.compile(
            r"(?<![0-9./-])(?P<year>[12][0-9]{3})[-/.](?P<month>0?[1-9]|1[0-2])[-/.](?P<day>0?[1-9]|[12][0-9]|3[01])"
            r"(?:[T\s](?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9])(?::[0-5][0-9])?)?(?![0-9./-][0-9])(?![0-9])"
        ),
        _date,
    ),
    Phrase(
        re.compile(
            r"(?:\bat\s+)?(?<![0-9.:：/-])(?P<hour>[01]?[0-9]|2[0-3]):(?P<minute>[0-5][0-9])(?![0-9:：-]|\s?[ap]\.?m\b)"
        ),
        _clock,
    ),
)

"""Dates and times in figures, which are the same in every language."""

import re
from datetime import datetime

from palimpsest_language.time_expressions import spans
from palimpsest_language.time_expressions.clock_time import ClockTime
from palimpsest_language.time_expressions.phrases import PhraseMeaning, TimePhrase


def _date(match: re.Match[str]) -> PhraseMeaning | None:
    day = spans.find_date(int(match["year"]), int(match["month"]), int(match["day"]))
    if day is None:
        return None
    if match["hour"] is None:
        return PhraseMeaning(resolve=lambda _said: day)
    moment = datetime(  # noqa: DTZ001 - local until the zone of the speaker is put to it
        day.start.year, day.start.month, day.start.day, int(match["hour"]), int(match["minute"])
    )
    return PhraseMeaning(resolve=lambda _said: spans.instant_span(moment))


def _clock(match: re.Match[str]) -> PhraseMeaning:
    hour = int(match["hour"])
    written_out = match["hour"].startswith("0") or hour > 12
    return PhraseMeaning(
        clock=ClockTime(hour, int(match["minute"]), exact=written_out or hour == 0)
    )


COMMON = (
    TimePhrase(
        re.compile(
            r"(?<![0-9./-])(?P<year>[12][0-9]{3})[-/.](?P<month>0?[1-9]|1[0-2])[-/.]"
            r"(?P<day>0?[1-9]|[12][0-9]|3[01])"
            r"(?:[T\s](?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9])(?::[0-5][0-9])?)?"
            r"(?![0-9./-][0-9])(?![0-9])"
        ),
        _date,
    ),
    TimePhrase(
        re.compile(
            r"(?:\bat\s+)?(?<![0-9.:：/-])(?P<hour>[01]?[0-9]|2[0-3]):(?P<minute>[0-5][0-9])"
            r"(?![0-9:：-]|\s?[ap]\.?m\b)"
        ),
        _clock,
    ),
)

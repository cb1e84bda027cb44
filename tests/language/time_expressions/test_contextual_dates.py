"""Bare days within what was spoken of just before, and times said behind what they are of."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from palimpsest_language.time_expressions.sentence_times import UtteranceTime, find_sentence_times

ZONE = "Europe/London"
WEDNESDAY = datetime(2026, 3, 11, 10, 20, tzinfo=ZoneInfo(ZONE))


def starts(sentence: str) -> list[str]:
    expressions = find_sentence_times(sentence, UtteranceTime(WEDNESDAY, ZONE))
    moments = (expression.starts_at or expression.ends_at for expression in expressions)
    return [moment.astimezone(ZoneInfo(ZONE)).date().isoformat() for moment in moments if moment]


@pytest.mark.parametrize(
    ("sentence", "days"),
    [
        ("Lisbon in August, the flight is on the 6th", ["2026-08-01", "2026-08-06"]),
        ("last year we harvested in September", ["2025-09-01"]),
        ("at sea next week, back Thursday", ["2026-03-16", "2026-03-19"]),
        ("八月去里斯本，6号飞", ["2026-08-01", "2026-08-06"]),
        # A day behind the other one, or of a month that is over, is the next one.
        ("the fair is 4 June, and lunch is on the 20th", ["2026-06-04", "2026-03-20"]),
        ("we talked in January, the invoice is due on the 20th", ["2026-01-01", "2026-03-20"]),
    ],
)
def test_a_bare_day_is_within_what_was_spoken_of_before(sentence: str, days: list[str]) -> None:
    assert starts(sentence) == days

"""The meaning of a time expression: a span, a span open to one side, or a recurrence."""

from enum import StrEnum

from palimpsest.model.value_types import Instant, Value


class Granularity(StrEnum):
    """The exactness of the words."""

    INSTANT = "instant"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


class TimeExpression(Value):
    """Words of a sentence and the time that they speak of.

    "since March" has no end, "until June" no start; everything else has both.
    A plain instant ends where it starts.
    """

    words: str
    start: int
    """Position of the words in the sentence, in characters."""
    starts_at: Instant | None
    ends_at: Instant | None
    """The first moment after it; None if it is open to the future."""
    granularity: Granularity
    all_day: bool
    """True if no time of day is given."""
    recurrence: str | None = None
    """An RRULE of RFC 5545 without its DTSTART, which is `starts_at` in the user's zone."""

    @property
    def end(self) -> int:
        return self.start + len(self.words)

    @property
    def is_since(self) -> bool:
        return self.ends_at is None

    @property
    def is_until(self) -> bool:
        return self.starts_at is None

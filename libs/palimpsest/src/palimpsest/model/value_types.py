"""The base of every value: immutable, strict about fields, aware of time zones.

The bounds keep every value within the range of databases, time zones and date arithmetic.
"""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, TypeAlias

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
)

MAXIMUM_IDENTIFIER_CHARACTERS = 256

FIRST_YEAR, LAST_YEAR = 1000, 9998
"""Years that have four digits in every notation, with a year left for date arithmetic."""

STORED: Mapping[str, Any] = {"stored": True}
"""The validation context of stored values: older versions accepted values out of bounds."""


def _was_accepted_before(info: ValidationInfo) -> bool:
    return info.context is not None and info.context.get("stored") is True


class Value(BaseModel):
    """A base for values: immutable, without unknown fields."""

    # Only with a limit on length does pydantic refuse invalid Unicode.
    model_config = ConfigDict(frozen=True, extra="forbid", str_min_length=0)


def to_instant(moment: datetime) -> datetime:
    """Return the moment in UTC, cut to milliseconds, as MongoDB stores it.

    Raises:
        ValueError: the moment has no time zone, or is outside of the years 1 to 9999 in UTC.
    """
    if moment.tzinfo is None:
        raise ValueError("a timestamp needs a time zone")
    try:
        in_utc = moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("must be in the years 1 to 9999 of UTC") from None
    finer = in_utc.microsecond % 1000
    return in_utc.replace(microsecond=in_utc.microsecond - finer) if finer else in_utc


def _within_bounds(moment: datetime, info: ValidationInfo) -> datetime:
    instant = to_instant(moment)
    if not FIRST_YEAR <= instant.year <= LAST_YEAR and not _was_accepted_before(info):
        raise ValueError(f"must be in the years {FIRST_YEAR} to {LAST_YEAR} of UTC")
    return instant


Instant = Annotated[AwareDatetime, AfterValidator(_within_bounds)]
"""An aware moment in UTC with the precision of a millisecond, in the years 1000 to 9998."""


def _day_within_bounds(day: date) -> date:
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError(f"must be in the years {FIRST_YEAR} to {LAST_YEAR}")
    return day


Day = Annotated[date, AfterValidator(_day_within_bounds)]
"""A day in the years 1 to 9998, as it is requested."""

MAXIMUM_INTEGER = 2**63 - 1
"""The largest integer that databases store."""

Integer = Annotated[int, Field(ge=-MAXIMUM_INTEGER - 1, le=MAXIMUM_INTEGER)]
"""An integer of at most 64 bits."""

Count = Annotated[int, Field(ge=0, le=MAXIMUM_INTEGER)]
"""A number of things, or a position in a sequence: 0 or more, at most 63 bits."""


MAXIMUM_UTC_OFFSET_MINUTES = 14 * 60
"""The largest offset of any place, east or west of Greenwich."""

UtcOffsetMinutes = Annotated[
    int, Field(ge=-MAXIMUM_UTC_OFFSET_MINUTES, le=MAXIMUM_UTC_OFFSET_MINUTES)
]
"""Minutes east of Greenwich; below 0 west of it."""

_WRITTEN_OFFSET = re.compile(r"\d([+-])(\d\d):?(\d\d)$")


def parse_utc_offset(moment: Any) -> int | None:
    """Return the UTC offset of a written moment in minutes.

    None if the place is unknown: servers write all times with `Z` or `+00:00`.
    """
    if isinstance(moment, datetime):
        minutes = round((moment.utcoffset() or timedelta()).total_seconds() / 60)
    elif isinstance(moment, str) and (match := _WRITTEN_OFFSET.search(moment.strip())):
        minutes = int(match[2]) * 60 + int(match[3])
        minutes = -minutes if match[1] == "-" else minutes
    else:
        return None
    return minutes if 0 < abs(minutes) <= MAXIMUM_UTC_OFFSET_MINUTES else None


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def _printable(text: str, info: ValidationInfo) -> str:
    if text.isspace() and not _was_accepted_before(info):
        raise ValueError("must not be blank")
    if _CONTROL.search(text):
        raise ValueError("must not contain control characters")
    if _SURROGATE.search(text):
        raise ValueError("must be valid Unicode")
    return text


Identifier = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAXIMUM_IDENTIFIER_CHARACTERS),
    AfterValidator(_printable),
]
"""An id given by clients: 1 to 256 characters, no control characters, and not all blank."""

UnitInterval = Annotated[float, Field(ge=0.0, le=1.0)]
"""Importance, confidence and strength: 0 to 1."""

_SCALES = ("5", "10")


def parse_importance(given: Any) -> Any:
    """Return "4/5" and "8/10" as .8, and anything else as it is.

    Raises:
        ValueError: a fraction of another scale than 5 and 10, or one that is below 1 or above it.
    """
    if not isinstance(given, str) or "/" not in given:
        return given
    level, scale = (part.strip() for part in given.split("/", 1))
    if scale not in _SCALES or not level.isdecimal() or not 1 <= int(level) <= int(scale):
        raise ValueError('must be 0 to 1, or a level of a scale: "1/5" to "5/5", "1/10" to "10/10"')
    return int(level) / int(scale)


def importance_level(importance: float) -> int:
    """Return the level of an importance on a scale of 1 to 10: .8 is level 8.

    Half of it, rounded up, is the level on a scale of 1 to 5.
    """
    return max(1, round(importance * 10))


Importance: TypeAlias = Annotated[
    UnitInterval,
    BeforeValidator(parse_importance),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": 1},
                {"type": "string", "pattern": r"^\s*([1-5]\s*/\s*5|([1-9]|10)\s*/\s*10)\s*$"},
            ]
        },
        mode="validation",
    ),
]
"""An importance as it comes from outside: 0 to 1, or a level of a scale such as "4/5" or "8/10"."""

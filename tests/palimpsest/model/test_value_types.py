from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from palimpsest.model.value_types import (
    MAXIMUM_INTEGER,
    STORED,
    Count,
    Day,
    Identifier,
    Instant,
    Integer,
    UnitInterval,
    Value,
    to_instant,
)


class Sample(Value):
    at: Instant = datetime(2026, 3, 2, tzinfo=UTC)
    name: Identifier = "x"
    weight: UnitInterval = 0.5
    day: Day = date(2026, 3, 2)
    number: Integer = 0
    count: Count = 0
    words: str | None = None
    tags: tuple[str, ...] = ()


AWARE = st.datetimes(
    min_value=datetime(1970, 1, 2),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(2200, 1, 1),  # noqa: DTZ001
    timezones=st.timezones(),
)


@given(AWARE)
def test_an_instant_is_the_same_moment_in_utc_to_the_millisecond(moment: datetime) -> None:
    instant = to_instant(moment)
    assert instant.tzinfo is UTC
    assert instant.microsecond % 1000 == 0
    assert timedelta(0) <= moment - instant < timedelta(milliseconds=1)
    assert to_instant(instant) == instant


def test_a_moment_without_a_zone_is_refused() -> None:
    naive = datetime(2026, 3, 2, 9, 30)  # noqa: DTZ001 - that is the point
    with pytest.raises(ValueError, match="time zone"):
        to_instant(naive)
    with pytest.raises(ValidationError, match="timezone"):
        Sample(at=naive)
    with pytest.raises(ValidationError, match="timezone"):
        Sample.model_validate({"at": "2026-03-02T09:30:00"})


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_moment_that_utc_has_no_year_for_is_refused(moment: str) -> None:
    with pytest.raises(ValidationError, match="years 1 to 9999"):
        Sample.model_validate({"at": moment})


@pytest.mark.parametrize(
    "field",
    [
        {"at": "0001-01-01T00:00:00Z"},
        {"at": "0999-12-31T23:59:59.999Z"},
        {"at": "1000-01-01T00:30:00+01:00"},
        {"at": "9999-01-01T00:00:00Z"},
        {"at": datetime.max.replace(tzinfo=UTC)},
        {"day": "0001-01-01"},
        {"day": "9999-12-31"},
        {"number": 2**63},
        {"number": -(2**63) - 1},
        {"count": str(2**64)},
        {"count": -1},
        {"name": " "},
        {"name": "　 "},
        {"words": "a\ud800"},
        {"tags": ["fine", "\udfff"]},
    ],
)
def test_a_value_that_no_store_or_calendar_can_take_is_refused(field: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Sample.model_validate(field)


@pytest.mark.parametrize(
    "field",
    [
        {"at": "1000-01-01T00:00:00Z"},
        {"at": "1931-05-04T00:00:00Z"},
        {"at": "9998-12-31T23:59:59Z"},
        {"day": "1000-01-01"},
        {"number": MAXIMUM_INTEGER},
        {"number": -MAXIMUM_INTEGER - 1},
        {"count": MAXIMUM_INTEGER},
        {"name": " a "},
        {"name": "小 明"},
        {"words": ""},
        {"words": "\x00 🦊"},
    ],
)
def test_a_value_at_the_bounds_is_taken(field: dict[str, object]) -> None:
    assert Sample.model_validate(field).model_fields_set == field.keys()


@pytest.mark.parametrize("field", [{"at": "0500-01-01T00:00:00Z"}, {"name": "  "}])
def test_what_an_older_version_accepted_is_still_read(field: dict[str, object]) -> None:
    assert Sample.model_validate(field, context=dict(STORED)).model_fields_set == field.keys()


def test_any_zone_is_understood_in_writing() -> None:
    east = Sample.model_validate({"at": "2026-03-02T17:30:00.123456+08:00"})
    assert east.at == datetime(2026, 3, 2, 9, 30, 0, 123_000, tzinfo=UTC)
    assert east.at.utcoffset() == timedelta(0)
    beijing = timezone(timedelta(hours=8))
    assert Sample(at=datetime(2026, 3, 2, 17, 30, 0, 123_456, tzinfo=beijing)) == east


@pytest.mark.parametrize("name", ["x", "小明", "🦊", "a b/c.d", "x" * 256, "é", "\u202e"])
def test_ids_may_be_anything_printable(name: str) -> None:
    assert Sample(name=name).name == name


@pytest.mark.parametrize("name", ["", "x" * 257, "a\tb", "a\nb", "\x00", "\x7f", "\x9f", "\ud83d"])
def test_ids_are_refused_where_they_could_break_something(name: str) -> None:
    with pytest.raises(ValidationError):
        Sample(name=name)


@pytest.mark.parametrize("weight", [-0.01, 1.01, float("nan"), float("inf")])
def test_a_weight_is_from_nothing_to_one(weight: float) -> None:
    with pytest.raises(ValidationError):
        Sample(weight=weight)


def test_a_field_nobody_knows_is_refused() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        Sample.model_validate({"nmae": "x"})

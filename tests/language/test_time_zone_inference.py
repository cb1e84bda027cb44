from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from palimpsest.model.turn import Role, Turn
from palimpsest.model.user import UserSettings
from palimpsest.model.value_types import parse_utc_offset
from palimpsest_language.time_zone_inference import (
    apply_inferred_time_zone,
    infer_time_zone,
    is_chosen_time_zone,
    zone_with_offset,
)
from tests.support.turns import turn

WINTER = datetime(2026, 11, 16, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "minutes"),
    [
        ("2026-11-16T07:30:00+08:00", 480),
        ("2026-11-16T07:30:00.123+0530", 330),
        ("2026-11-16 07:30:00-03:30", -210),
        (datetime(2026, 11, 16, tzinfo=timezone(timedelta(hours=-5))), -300),
        (datetime(2026, 7, 1, tzinfo=ZoneInfo("Europe/London")), 60),
        # Servers write all times like this, wherever the user is.
        ("2026-11-16T07:30:00Z", None),
        ("2026-11-16T07:30:00+00:00", None),
        (datetime(2026, 11, 16, tzinfo=UTC), None),
        # Nowhere.
        ("2026-11-16T07:30:00+23:59", None),
        ("2026-11-16", None),
        (1_763_000_000, None),
        (None, None),
    ],
)
def test_the_offset_of_a_time_is_read_where_it_says_something(
    written: object, minutes: int | None
) -> None:
    assert parse_utc_offset(written) == minutes


@pytest.mark.parametrize("minutes", [480, -300, 330, 345, -570, 840, -720])
def test_a_zone_of_an_offset_has_that_offset(minutes: int) -> None:
    zone = zone_with_offset(minutes)
    assert zone is not None
    assert WINTER.astimezone(ZoneInfo(zone)).utcoffset() == timedelta(minutes=minutes)


def test_of_an_offset_that_no_place_has_no_zone_is_made() -> None:
    assert zone_with_offset(7) is None


def said(offset: int | None, role: Role = Role.USER) -> Turn:
    return turn(1, role=role, utc_offset_minutes=offset)


@pytest.mark.parametrize(
    ("turns", "heard"),
    [
        ([], None),
        ([said(None)], None),
        ([said(480)], "Etc/GMT-8"),
        ([said(480), said(-300)], "Etc/GMT+5"),
        ([said(480), said(None)], "Etc/GMT-8"),
        # The agent may be anywhere.
        ([said(480), said(-300, Role.AGENT)], "Etc/GMT-8"),
        ([said(480), said(7)], "Etc/GMT-8"),
    ],
)
def test_the_user_is_where_they_last_said_they_were(turns: list[Turn], heard: str | None) -> None:
    assert infer_time_zone(turns) == heard


@pytest.mark.parametrize(
    ("before", "heard", "after"),
    [
        ("UTC", "Etc/GMT-8", "Etc/GMT-8"),
        ("Etc/GMT-1", "Etc/GMT-8", "Etc/GMT-8"),
        ("UTC", None, "UTC"),
        ("Etc/GMT-8", None, "Etc/GMT-8"),
        ("Europe/London", "Etc/GMT-8", "Europe/London"),
        ("Etc/UTC", "Etc/GMT-8", "Etc/UTC"),
    ],
)
def test_what_was_heard_gives_way_to_what_is_settled(
    before: str, heard: str | None, after: str
) -> None:
    assert apply_inferred_time_zone(UserSettings(time_zone=before), heard).time_zone == after
    assert is_chosen_time_zone("Asia/Kolkata")

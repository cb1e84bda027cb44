"""The time zone of who has settled none, by the offsets that their messages are written with. Pure.

"2026-11-16T07:30:00+08:00" says where it is half past seven. An offset is no zone, for it knows
nothing of summer time: so what was heard gives way to another offset that is heard later, and
for good to what somebody settles. `Z` and `+00:00` say nothing: so servers write all times.
"""

import re
from collections.abc import Mapping, Sequence

from palimpsest.model.turn import Role, Turn
from palimpsest.model.user import UserSettings

DEFAULT_TIME_ZONE = "UTC"
"""The default zone. A user who means it chooses `Etc/UTC`."""

_HEARD = re.compile(r"Etc/GMT[+-]\d{1,2}")
_HOUR = 60
_EASTERNMOST, _WESTERNMOST = 14 * _HOUR, -12 * _HOUR

_BETWEEN_HOURS: Mapping[int, str] = {
    -570: "Pacific/Marquesas",
    -210: "America/St_Johns",
    -150: "America/St_Johns",
    210: "Asia/Tehran",
    270: "Asia/Kabul",
    330: "Asia/Kolkata",
    345: "Asia/Kathmandu",
    390: "Asia/Yangon",
    525: "Australia/Eucla",
    570: "Australia/Darwin",
    630: "Australia/Adelaide",
    765: "Pacific/Chatham",
    825: "Pacific/Chatham",
}
"""Zones by offset in minutes that no zone is named after."""


def zone_with_offset(offset: int) -> str | None:
    """Return the name of a zone with this offset; None if there is none."""
    if offset % _HOUR or not _WESTERNMOST <= offset <= _EASTERNMOST:
        return _BETWEEN_HOURS.get(offset)
    # In these names, east of Greenwich is minus.
    return f"Etc/GMT{-offset // _HOUR:+d}"


def is_chosen_time_zone(time_zone: str) -> bool:
    """Tell whether a user chose the zone, as far as its name shows."""
    return time_zone != DEFAULT_TIME_ZONE and not _HEARD.fullmatch(time_zone)


def infer_time_zone(turns: Sequence[Turn]) -> str | None:
    """Return the zone of the last message with an offset; None without one."""
    offsets = (
        turn.utc_offset_minutes
        for turn in reversed(turns)
        if turn.role is Role.USER and turn.utc_offset_minutes
    )
    return next(
        (zone for offset in offsets if (zone := zone_with_offset(offset)) is not None), None
    )


def apply_inferred_time_zone(settings: UserSettings, heard: str | None) -> UserSettings:
    """Return the settings with the inferred zone, if the user chose none."""
    if heard is None or heard == settings.time_zone or is_chosen_time_zone(settings.time_zone):
        return settings
    return settings.model_copy(update={"time_zone": heard})

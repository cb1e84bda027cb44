"""Settings of a user as people change them: which control each has, and how its form is read."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from palimpsest.model.user import (
    CompressionPolicy,
    ForgettingPolicy,
    Language,
    QuietHours,
    ReviewPolicy,
    SensitiveTopic,
    SharingPolicy,
    UserSettings,
)


class SettingControl(StrEnum):
    """Controls of a setting."""

    SWITCH = "switch"
    CHOICE = "choice"
    SEVERAL = "several"
    TIME_ZONE = "time_zone"
    HOURS = "hours"


class SettingField(NamedTuple):
    """One setting, as it is shown."""

    name: str
    """Its name in `UserSettings`, and the beginning of its words."""
    control: SettingControl
    choices: tuple[str, ...] = ()
    """The values to choose from; an empty one resets the setting."""

    def read(self, settings: UserSettings) -> Any:
        return getattr(settings, self.name)

    def parse(self, values: Sequence[str]) -> Any:
        """Return the value that a form says: no value is off, or nothing."""
        if self.control is SettingControl.SWITCH:
            return bool(values)
        if self.control is SettingControl.SEVERAL:
            return tuple(values)
        if self.control is SettingControl.HOURS:
            return _parse_hours(values)
        return values[0] if values and values[0] else None


def _parse_hours(values: Sequence[str]) -> dict[str, str] | None:
    """Return both times; None if both are empty. A missing one is left for the API to refuse."""
    if not any(values):
        return None
    begins, ends = (*values, "", "")[:2]
    return {"begins": begins[:5], "ends": ends[:5]}


def _choices(values: type[StrEnum], *, resets: bool = False) -> tuple[str, ...]:
    return (*([""] if resets else []), *(value.value for value in values))


_TOPICS = _choices(SensitiveTopic)

SETTING_GROUPS: tuple[tuple[str, tuple[SettingField, ...]], ...] = (
    (
        "privacy",
        (
            SettingField("memory_enabled", SettingControl.SWITCH),
            SettingField("automatic_extraction", SettingControl.SWITCH),
            SettingField("withheld_topics", SettingControl.SEVERAL, _TOPICS),
            SettingField("review", SettingControl.CHOICE, _choices(ReviewPolicy)),
            SettingField("sensitive_topics", SettingControl.SEVERAL, _TOPICS),
            SettingField("sharing_policy", SettingControl.CHOICE, _choices(SharingPolicy)),
        ),
    ),
    (
        "answers",
        (
            SettingField("language", SettingControl.CHOICE, _choices(Language, resets=True)),
            SettingField("citations", SettingControl.SWITCH),
        ),
    ),
    (
        "time",
        (
            SettingField("time_zone", SettingControl.TIME_ZONE),
            SettingField("quiet_hours", SettingControl.HOURS),
        ),
    ),
    (
        "keeping",
        (
            SettingField("forgetting_policy", SettingControl.CHOICE, _choices(ForgettingPolicy)),
            SettingField(
                "compression", SettingControl.CHOICE, _choices(CompressionPolicy, resets=True)
            ),
        ),
    ),
)
"""Settings by group, in the order in which they are shown."""

SETTING_FIELDS = {field.name: field for _, fields in SETTING_GROUPS for field in fields}

BEYOND_USERS = frozenset({"tier"})
"""Settings that a user cannot change."""


def describe_hours(hours: QuietHours | None) -> tuple[str, str]:
    return (hours.begins, hours.ends) if hours else ("", "")

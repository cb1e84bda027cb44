"""Moments as people read them, in the language and time zone of the visitor."""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from palimpsest.model.user import Language
from services.page.translations import load_words

_STEPS = (
    ("years", 365 * 86_400),
    ("months", 30 * 86_400),
    ("weeks", 7 * 86_400),
    ("days", 86_400),
    ("hours", 3_600),
    ("minutes", 60),
)
"""Units of an age with their seconds, the longest first."""

_ENGLISH_MONTHS = (
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "May",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Oct",
    "Nov",
    "Dec",
)


@dataclass(frozen=True)
class WrittenTimes:
    """Writes moments; all are read by the same clock."""

    language: Language
    time_zone: str
    now: datetime

    def day(self, moment: datetime) -> str:
        """Return the day: 3 Mar 2026, or 2026年3月3日."""
        return self.date(self._local(moment))

    def date(self, local: date) -> str:
        """Return a day of the calendar in the same way."""
        if self.language is Language.CHINESE:
            return f"{local.year}年{local.month}月{local.day}日"
        return f"{local.day} {_ENGLISH_MONTHS[local.month - 1]} {local.year}"

    def moment(self, moment: datetime) -> str:
        """Return day and time to the minute."""
        return f"{self.day(moment)} {self._local(moment):%H:%M}"

    def age(self, moment: datetime) -> str:
        """Return how long ago a moment was, or how far ahead it is, in its largest unit, rounded."""
        seconds = (self.now - moment).total_seconds()
        direction = "ago" if seconds >= 0 else "ahead"
        # What is nearly a unit counts as one: neither 24 hours nor 60 minutes are ever told.
        for (unit, length), (_, shorter) in zip(_STEPS, (*_STEPS[1:], ("", 1)), strict=True):
            if max(abs(seconds), round(abs(seconds) / shorter) * shorter) >= length:
                count = max(round(abs(seconds) / length), 1)
                key = f"{unit}_{direction}" if count > 1 else f"{unit}_{direction}_one"
                return load_words(self.language)[f"times.{key}"].format(count=count)
        return load_words(self.language)["times.now"]

    def machine(self, moment: datetime) -> str:
        """Return the value of an attribute `datetime`."""
        return moment.isoformat(timespec="seconds")

    def field(self, moment: datetime) -> str:
        """Return the value of an input of type datetime-local."""
        return f"{self._local(moment):%Y-%m-%dT%H:%M}"

    def parse_field(self, written: str) -> datetime:
        """Parse the value of an input of type date or datetime-local; raises ValueError."""
        local = datetime.fromisoformat(written)
        return local if local.tzinfo else local.replace(tzinfo=ZoneInfo(self.time_zone))

    def _local(self, moment: datetime) -> datetime:
        return moment.astimezone(ZoneInfo(self.time_zone))

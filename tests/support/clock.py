"""A clock that tests set."""

from datetime import UTC, datetime, timedelta

from palimpsest.model.value_types import to_instant


class SettableClock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return to_instant(self.now)

    def advance(self, by: timedelta) -> None:
        self.now += by

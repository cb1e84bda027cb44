"""Clocks: time is passed in and never read directly, so that a test or simulation controls it."""

from collections.abc import Callable
from datetime import UTC, datetime

from palimpsest.model.value_types import to_instant

Clock = Callable[[], datetime]
"""Returns an aware moment in UTC."""


def system_clock() -> datetime:
    """Return the current time in UTC, to the millisecond. Only wiring may pass this function on."""
    return to_instant(datetime.now(UTC))

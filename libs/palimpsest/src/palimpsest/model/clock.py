"""Time is handed in, never asked for, so that a test or a simulation can own it."""

from collections.abc import Callable
from datetime import UTC, datetime

from palimpsest.model.value_types import to_instant

Clock = Callable[[], datetime]
"""Answers an aware UTC moment."""


def system_clock() -> datetime:
    """Now, in UTC, to the millisecond. Only wiring may pass this on."""
    return to_instant(datetime.now(UTC))

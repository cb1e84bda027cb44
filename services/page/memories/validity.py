"""The bar of a memory: since when it holds, until when, and where now is."""

from datetime import datetime
from typing import NamedTuple

from palimpsest.model.memory import Memory

_LENGTH = 100.0
_LEAST = 3.0
"""The shortest stretch that is still seen."""


class ValidityBar(NamedTuple):
    """Stretches of the bar in hundredths of its length."""

    held: float
    """The length of the time in which the memory holds, from the left."""
    now: float
    """The place of now."""


def measure_validity(memory: Memory, now: datetime) -> ValidityBar:
    """Measure the bar. It reaches from the beginning of the memory to its end or now, the later one."""
    begin, end = memory.valid_from, memory.valid_until
    last = max(now, end or now, begin)
    whole = (last - begin).total_seconds()
    if whole <= 0:
        return ValidityBar(_LENGTH, _LENGTH)
    held = ((end or last) - begin).total_seconds() / whole * _LENGTH
    place = (now - begin).total_seconds() / whole * _LENGTH
    return ValidityBar(min(max(held, _LEAST), _LENGTH), min(max(place, 0.0), _LENGTH))

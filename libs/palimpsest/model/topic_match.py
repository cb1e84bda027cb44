"""How sure it is that a memory or a message is about a topic."""

from enum import StrEnum

from palimpsest.domain.model import UnitInterval, Value


class Because(StrEnum):
    NAMED = "named"
    """It is about it: an entity, a tag, a subject or a value of that name."""
    SAID = "said"
    """The topic's words stand in it."""
    MEANT = "meant"
    """It means something near, as the embedding model sees it."""
    EVIDENCE = "evidence"
    """Something on the topic rests on it."""


SHOWN_FROM = 0.6
"""What is less sure is not even shown: strangers come as near."""


class Sureness(Value):
    sure: UnitInterval
    because: Because

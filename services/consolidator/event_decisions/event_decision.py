"""The decision on one event before it is stored, and its context."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.change_set import Change, ChangeRefusal
from palimpsest.model.user import UserSettings
from palimpsest_server.domain.consolidation.overlay import Overlay


@dataclass(frozen=True)
class DecisionContext:
    known: Overlay
    """Memories as read and as decided since. Decisions put changed memories into it."""
    settings: UserSettings
    """Settings of the event's user."""
    model: str | None
    """The slug of the embedding model; None without vectors."""
    now: datetime


@dataclass(frozen=True, kw_only=True)
class EventDecision:
    """The parts of a change set other than its memories."""

    actor: str
    reason: str
    outcomes: Sequence[StrEnum] = ()
    vectors: Mapping[str, TextVectors] = field(default_factory=dict)
    """Vectors by embedded text."""
    others: tuple[Change, ...] = ()
    """Changes of records that are not memories."""
    refusal: ChangeRefusal | None = None
    unread_characters: int = 0

"""The decision on one event before it is written down, and its grounds."""

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
    """What was read, and what was decided since. What becomes of memories is put into it."""
    settings: UserSettings
    """Of the user whom the event is about."""
    model: str | None
    """The slug of the one that makes vectors; None: there are none."""
    now: datetime


@dataclass(frozen=True, kw_only=True)
class EventDecision:
    """The parts of a change set beside its memories."""

    actor: str
    reason: str
    outcomes: Sequence[StrEnum] = ()
    vectors: Mapping[str, TextVectors] = field(default_factory=dict)
    """By the text that they are of."""
    others: tuple[Change, ...] = ()
    """Changes of what is no memory."""
    refusal: ChangeRefusal | None = None
    unread_characters: int = 0

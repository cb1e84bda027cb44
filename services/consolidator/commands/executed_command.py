"""The result of one command."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.change_set import ChangeRefusal, SettingsChange, TodoChange
from palimpsest.model.erasure import Erasure


@dataclass(frozen=True, kw_only=True)
class ExecutedCommand:
    outcome: StrEnum | None
    """The outcome to count; None for a command about no memory and no todo."""
    refusal: ChangeRefusal | None = None
    others: tuple[SettingsChange | TodoChange | Erasure, ...] = ()
    vectors: Mapping[str, TextVectors] = field(default_factory=dict)
    reason: str | None = None

    @property
    def words(self) -> str:
        if self.refusal is not None:
            return f"refused: {self.refusal.message}"
        return self.reason or ("" if self.outcome is None else self.outcome.value)

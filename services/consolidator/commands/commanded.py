"""What came of one command."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from palimpsest.contracts.vectors import TextVectors
from palimpsest.domain.change_set import Refusal, SettingsChange
from palimpsest.domain.erasure import Erasure
from palimpsest.domain.evolution.editing import Done


@dataclass(frozen=True, kw_only=True)
class Commanded:
    outcome: Done
    refusal: Refusal | None = None
    others: tuple[SettingsChange | Erasure, ...] = ()
    vectors: Mapping[str, TextVectors] = field(default_factory=dict)
    reason: str | None = None

    @property
    def words(self) -> str:
        if self.refusal is not None:
            return f"refused: {self.refusal.message}"
        return self.reason or self.outcome.value

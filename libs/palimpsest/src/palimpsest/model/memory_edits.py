"""The edits of a memory that a person asks for."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from palimpsest.model.bilingual_text import detect_language, shorten_to_summary
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import embedded_text
from palimpsest.model.value_types import Instant, UnitInterval, Value

ShortText = Annotated[str, StringConstraints(min_length=1, max_length=2000)]


ClearableField = Literal["subject", "attribute", "value", "valid_until", "expires_at"]


class MemoryEdits(Value):
    """Fields to change in a memory. None leaves a field unchanged, unless `cleared` names it."""

    content: Annotated[str, StringConstraints(min_length=1)] | None = None
    summary: ShortText | None = None
    """The new summary; None with new content means its first line."""
    kind: Kind | None = None
    subject: ShortText | None = None
    attribute: ShortText | None = None
    value: ShortText | None = None
    data: dict[str, Any] | None = None
    importance: UnitInterval | None = None
    tags: tuple[ShortText, ...] | None = Field(default=None, max_length=100)
    entities: tuple[ShortText, ...] | None = Field(default=None, max_length=100)
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    expires_at: Instant | None = None
    cleared: frozenset[ClearableField] = frozenset()

    def changes(self) -> dict[str, Any]:
        """The changed fields with their new values."""
        chosen = {name: getattr(self, name) for name in type(self).model_fields}
        changes = {name: value for name, value in chosen.items() if value is not None}
        del changes["cleared"]
        if self.content is not None:
            changes |= {"summary": self.new_summary(), "language": detect_language(self.content)}
        return changes | dict.fromkeys(self.cleared)

    def new_summary(self) -> str:
        return self.summary or shorten_to_summary(self.content or "")

    def new_text(self) -> str:
        """The text to embed after an edit with new content."""
        return embedded_text(self.new_summary(), self.content or "")

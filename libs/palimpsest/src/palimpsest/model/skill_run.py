"""One run of a skill."""

from typing import Any

from palimpsest.model.skill_text import write_skill_text
from palimpsest.model.value_types import Instant, Value


class SkillExecution(Value):
    """One time that a skill was carried out."""

    skill_name: str
    workflow: tuple[dict[str, Any], ...]
    error: str | None
    """The error in words; None if the run succeeded."""
    at: Instant
    session_id: str | None = None

    @property
    def words(self) -> str:
        """The text that this run alone gives a memory of the skill."""
        return write_skill_text(
            self.skill_name, self.workflow if self.error is None else None, self.error
        )

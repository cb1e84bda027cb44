"""One run of a skill."""

from typing import Any

from palimpsest.model.skill_text import write_skill_text
from palimpsest.model.value_types import Instant, Value


class SkillExecution(Value):
    """One execution of a skill."""

    skill_name: str
    workflow: tuple[dict[str, Any], ...]
    error: str | None
    """The error in words; None if the run succeeded."""
    at: Instant
    session_id: str | None = None

    @property
    def words(self) -> str:
        """The text that a memory of the skill has from this run alone."""
        return write_skill_text(
            self.skill_name, self.workflow if self.error is None else None, self.error
        )

"""A window: the stretch of a session that is extracted at once."""

from enum import StrEnum

from palimpsest.model.value_types import Identifier, Value


class WindowTrigger(StrEnum):
    """Reasons why a window ends."""

    ROUNDS = "rounds"
    SESSION_END = "session_end"
    IDLE = "idle"
    REQUESTED = "requested"
    SKILL = "skill"
    """An agent carried out a skill: the steps to it are extracted while they are recent."""
    SUMMARY = "summary"
    """The chat service summarised the session so far."""

    @property
    def ends_session(self) -> bool:
        """Tell whether the session counts as over, so that its summary is due at once."""
        match self:
            case WindowTrigger.SESSION_END | WindowTrigger.IDLE | WindowTrigger.REQUESTED:
                return True
            case WindowTrigger.ROUNDS | WindowTrigger.SKILL | WindowTrigger.SUMMARY:
                return False


class Window(Value):
    """A stretch of a session, first and last included, by sequence number."""

    id: str
    user_id: Identifier
    session_id: Identifier
    first_sequence: int
    last_sequence: int
    trigger: WindowTrigger

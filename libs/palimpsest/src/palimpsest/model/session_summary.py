"""The summary of one whole session."""

from datetime import timedelta

from palimpsest.model.identifiers import derive_id
from palimpsest.model.scope import Scope
from palimpsest.model.user import Language
from palimpsest.model.value_types import Identifier, Instant, Value

LIFE = timedelta(days=180)
"""How long a summary is kept after it was last made: what lasts is in memories and in the profile.
"""

CHAT_SERVICE = "chat_service"
"""The author of a summary that a chat service published."""


class SessionSummary(Value):
    id: str
    """The id, one for each session: see `summary_id`."""
    scope: Scope
    session_id: Identifier
    text: str
    """The summary in two or three sentences."""
    topics: tuple[str, ...] = ()
    user_intent: str | None = None
    emotional_tone: str | None = None
    key_facts: tuple[str, ...] = ()
    unresolved: str | None = None
    language: Language | None = None
    made_by: str
    """The author: `local`, a model by vendor and name, or `chat_service`."""
    failed: bool = False
    """True for a placeholder that stands until a summary can be made; it is not shown."""
    message_count: int
    """The number of messages that it covers; 0 if unknown."""
    through: int
    """The number of the last message that it covers; 0 if unknown."""
    started_at: Instant
    """When the first of its messages was said, in UTC."""
    ended_at: Instant
    """When the last of its messages was said, in UTC."""
    made_at: Instant
    expires_at: Instant
    left_out: tuple[str, ...] = ()
    """Ids of messages that it leaves out, because memories of them were forgotten or corrected."""
    epoch: int
    version: int = 1
    """The version, which rises by one with every change."""

    @property
    def embedded_text(self) -> str:
        return f"{self.text}\n{', '.join(self.topics)}" if self.topics else self.text

    def counts(self, now: Instant) -> bool:
        """True if it is shown and read."""
        return not self.failed and now < self.expires_at


def summary_id(user_id: str, session_id: str) -> str:
    return derive_id("summary", user_id, session_id)

"""One version of a user's profile: of the user layer, or of one agent's own layer."""

from datetime import datetime

from palimpsest.model.identifiers import derive_id
from palimpsest.model.user import Language
from palimpsest.model.value_types import Identifier, Instant, Value

COLD_START = {
    Language.CHINESE: "新用户，尚无信息",
    Language.ENGLISH: "New user, nothing is known yet",
}
"""The text of a profile that says nothing yet."""

BASIC = ("name", "job", "employer", "city", "country", "birthday")
"""Attributes of the user in the basic info, by their canonical names."""


class Profile(Value):
    id: str
    user_id: Identifier
    agent_id: Identifier | None = None
    """The agent whose own memories it covers; null for the user layer alone."""
    isolated: bool = False
    """True if nothing of another layer is in it. Other profiles predate the separation of layers,
    and are not shown.
    """
    version: int
    """The version of the profile, from 1; the latest 50 are kept. 0 if there is none yet."""
    narrative: str
    """Three to five paragraphs of prose, or fewer if little is known."""
    basic_info: dict[str, str]
    last_summary_id: str | None = None
    """The id of the latest session summary that it includes."""
    summaries_through: Instant
    """The moment up to which session summaries were read, in UTC."""
    revision: int
    """The user's revision that the profile covers."""
    language: Language
    made_by: str
    """The author: `local` for sentences taken from memories, or a model by vendor and name."""
    made_at: Instant
    epoch: int

    @property
    def says_nothing(self) -> bool:
        """True if nothing is known yet."""
        return self.narrative in COLD_START.values() and not self.basic_info


def profile_id(user_id: str, epoch: int, version: int, agent_id: str | None = None) -> str:
    if agent_id is not None:
        return derive_id("agent_profile", user_id, agent_id, str(epoch), str(version))
    return derive_id("profile", user_id, str(epoch), str(version))


def build_empty_profile(
    user_id: str,
    language: Language,
    *,
    epoch: int,
    now: datetime,
    agent_id: str | None = None,
) -> Profile:
    """Build the profile of a user about whom nothing is known yet."""
    return Profile(
        id=profile_id(user_id, epoch, 0, agent_id),
        user_id=user_id,
        agent_id=agent_id,
        isolated=True,
        version=0,
        narrative=COLD_START[language],
        basic_info={},
        last_summary_id=None,
        summaries_through=datetime.fromtimestamp(0, tz=now.tzinfo),
        revision=0,
        language=language,
        made_by="local",
        made_at=now,
        epoch=epoch,
    )

"""What a user has settled for themselves, and what every stage must know about a user."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field

from palimpsest.model.erasure import PendingErasure
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Value


class SharingPolicy(StrEnum):
    """Where a memory goes."""

    LAYERED = "layered"
    """To the agent it concerns; what is general to the user goes to the user layer."""
    USER_LEVEL = "user_level"
    """All of it to the user layer."""


class ForgettingPolicy(StrEnum):
    """What is taken out of sight when it is no longer used; see `domain.forgetting`."""

    LAYERED = "layered"
    GATED = "gated"
    COMPANION = "companion"
    BLENDED = "blended"


class CompressionPolicy(StrEnum):
    """What becomes of groups of memories that nobody asked for in a long time."""

    NONE = "none"
    BLENDED = "blended"
    """After 90 days three or more become one to three."""
    STAGED = "staged"
    """After 30 days at most three are left of them, after 90 days one pattern."""


class Tier(StrEnum):
    """How much is kept for each of a user's agents; see `domain.quotas`."""

    SEED = "seed"
    GROWTH = "growth"
    SCALE = "scale"
    ENTERPRISE = "enterprise"


class ReviewPolicy(StrEnum):
    """What of the extracted waits for its user's yes; see `domain.evolution.reviewing`."""

    NONE = "none"
    KEY = "key"
    """What is weightier than its kind is by itself, and what is doubtful."""
    ALL = "all"


class Language(StrEnum):
    CHINESE = "zh"
    ENGLISH = "en"


def _known_time_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("not an IANA time zone, such as Asia/Shanghai") from None
    return name


TimeZoneName = Annotated[str, AfterValidator(_known_time_zone)]


class UserSettings(Value):
    memory_enabled: bool = True
    automatic_extraction: bool = True
    """Without it only what is asked for is extracted, and all of that waits for a yes."""
    review: ReviewPolicy = ReviewPolicy.NONE
    time_zone: TimeZoneName = "UTC"
    language: Language | None = None
    """The language to answer in; None follows the conversation."""
    citations: bool = False
    """Whether what is recalled for a prompt is cited by numbers, unless the request says."""
    sharing_policy: SharingPolicy = SharingPolicy.LAYERED
    forgetting_policy: ForgettingPolicy = ForgettingPolicy.GATED
    compression: CompressionPolicy | None = None
    """None follows the forgetting policy: `blended` compresses, the others do not."""
    tier: Tier | None = None
    """None: what the deployment gives to everybody. Not for its user to set."""


class UserState(Value):
    """Settings, and the epoch that rises when a user has everything forgotten."""

    settings: UserSettings = UserSettings()
    epoch: int = 0
    going: tuple[PendingErasure, ...] = ()
    """What is erased, and may still be kept by somebody."""
    withheld: frozenset[str] = frozenset()
    """Turns that are not shown, for what is remembered of them was forgotten by hand."""
    forgotten_at: int = 0
    """The revision at which what they had forgotten by hand, and is so still, was forgotten last."""
    not_told: Mapping[str, frozenset[str]] = Field(default_factory=dict)
    """By the id of a summary, the turns that it may not rest on: see `domain.summaries.telling`."""

    def is_going(self, identity: str, scope: Scope) -> bool:
        """Whether this turn or summary is erased, though it may still be there."""
        return any(one.erasure.takes(identity, scope) for one in self.going)

    def is_told_anew(self, revision: int) -> bool:
        """Whether what was told of them at this revision may tell of what was taken back since."""
        return revision < self.forgotten_at or any(revision < one.revision for one in self.going)

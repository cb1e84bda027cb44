"""Settings of a user, and the state of a user that every stage needs."""

from collections.abc import Mapping
from datetime import time
from enum import StrEnum
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field

from palimpsest.model.erasure import PendingErasure
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Value


class SharingPolicy(StrEnum):
    """Policies for the layer that a memory goes to."""

    LAYERED = "layered"
    """A memory goes to the agent it concerns; what is general to the user goes to the user layer.

    What is said in a project stays in it, but for preferences and attributes of the person."""
    USER_LEVEL = "user_level"
    """Every memory goes to the user layer, or to the project that it was said in."""


class ForgettingPolicy(StrEnum):
    """Policies for the memories that are forgotten when they are no longer used."""

    LAYERED = "layered"
    GATED = "gated"
    COMPANION = "companion"
    BLENDED = "blended"


class CompressionPolicy(StrEnum):
    """Policies for groups of memories that nobody asked for in a long time."""

    NONE = "none"
    BLENDED = "blended"
    """After 90 days three or more become one to three."""
    STAGED = "staged"
    """After 30 days at most three are left of them, after 90 days one pattern."""


class Tier(StrEnum):
    """Tiers: how many memories are kept for each of a user's agents."""

    SEED = "seed"
    GROWTH = "growth"
    SCALE = "scale"
    ENTERPRISE = "enterprise"


class ReviewPolicy(StrEnum):
    """Policies for the extracted memories that wait for the user's confirmation."""

    NONE = "none"
    KEY = "key"
    """Memories with more than their kind's usual importance, doubtful ones, and those of health and of
    changes of a life, such as an allergy or a resignation."""
    SENSITIVE = "sensitive"
    """Memories on the user's sensitive topics alone."""
    ALL = "all"


class SensitiveTopic(StrEnum):
    """Topics that people may want to have treated with care."""

    HEALTH = "health"
    FINANCE = "finance"
    """Income, debts, property."""
    BELIEFS = "beliefs"
    """Religion and politics."""
    INTIMACY = "intimacy"
    """Sexuality, gender, affairs."""
    LAW = "law"
    """Crime, courts, the right to stay."""


class Language(StrEnum):
    CHINESE = "zh"
    ENGLISH = "en"


def _known_time_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("not an IANA time zone, such as Asia/Shanghai") from None
    return name


ClockTime = Annotated[str, Field(pattern=r"^(?:[01]\d|2[0-3]):[0-5]\d$")]
"""A time of day, such as 22:00."""

TimeZoneName = Annotated[str, AfterValidator(_known_time_zone)]


class QuietHours(Value):
    """Hours of each day in which nobody is reminded, in the user's time zone."""

    begins: ClockTime
    """When they begin, such as 22:00."""
    ends: ClockTime
    """When they end, such as 07:00; earlier than the beginning if that is on the next day."""

    @property
    def bounds(self) -> tuple[time, time]:
        return time.fromisoformat(self.begins), time.fromisoformat(self.ends)


class UserSettings(Value):
    memory_enabled: bool = True
    automatic_extraction: bool = True
    """False to extract only what is asked for; all of that waits for confirmation, and of earlier
    messages nothing is told that was not confirmed."""
    review: ReviewPolicy = ReviewPolicy.NONE
    sensitive_topics: tuple[SensitiveTopic, ...] = (SensitiveTopic.HEALTH,)
    """The topics whose memories wait where `review` is `sensitive`."""
    withheld_topics: tuple[SensitiveTopic, ...] = ()
    """Sensitive topics on which nothing is extracted; the messages stay in their conversation."""
    time_zone: TimeZoneName = "UTC"
    language: Language | None = None
    """The language of answers; null follows the conversation."""
    citations: bool = False
    """True to cite recalled memories in a prompt by numbers, unless the request says otherwise."""
    sharing_policy: SharingPolicy = SharingPolicy.LAYERED
    forgetting_policy: ForgettingPolicy = ForgettingPolicy.GATED
    compression: CompressionPolicy | None = None
    """The compression policy; null follows the forgetting policy, of which `blended` compresses."""
    quiet_hours: QuietHours | None = None
    """Hours in which nobody is reminded: a reminder comes when they are over. Null for none."""
    tier: Tier | None = None
    """The tier; null for the deployment's default. Users cannot change it."""


class UserState(Value):
    """Settings, and the epoch that rises when a user has everything forgotten."""

    settings: UserSettings = UserSettings()
    epoch: int = 0
    going: tuple[PendingErasure, ...] = ()
    """Erasures that were decided and that some service may not have carried out yet."""
    withheld: frozenset[str] = frozenset()
    """Turns that are not shown, for what is remembered of them was forgotten by hand."""
    forgotten_at: int = 0
    """The revision at which what they had forgotten by hand, and is so still, was forgotten last."""
    not_told: Mapping[str, frozenset[str]] = Field(default_factory=dict)
    """Turns that a summary may not rest on, by the id of the summary."""

    def is_going(self, identity: str, scope: Scope) -> bool:
        """Tell whether this turn or summary is being erased, though it may still be stored."""
        return any(pending.erasure.takes(identity, scope) for pending in self.going)

    def is_told_anew(self, revision: int) -> bool:
        """Tell whether a text written at this revision may contain what was taken back since."""
        return revision < self.forgotten_at or any(
            revision < pending.revision for pending in self.going
        )

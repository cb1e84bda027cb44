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
    """Policies that choose the layer of a memory."""

    LAYERED = "layered"
    """A memory goes to its agent, or to the user layer if it is general to the user. What is said
    in a project stays in it, except for preferences and attributes of the person.
    """
    USER_LEVEL = "user_level"
    """Every memory goes to the user layer, or to the project in which it was said."""


class ForgettingPolicy(StrEnum):
    """Policies that choose which unused memories are forgotten."""

    LAYERED = "layered"
    GATED = "gated"
    COMPANION = "companion"
    BLENDED = "blended"


class CompressionPolicy(StrEnum):
    """Policies for groups of memories that were not recalled for long."""

    NONE = "none"
    BLENDED = "blended"
    """After 90 days, three or more become one to three."""
    STAGED = "staged"
    """After 30 days at most three are left of them, after 90 days one pattern."""


class Tier(StrEnum):
    """Tiers: the number of memories kept for each of a user's agents."""

    SEED = "seed"
    GROWTH = "growth"
    SCALE = "scale"
    ENTERPRISE = "enterprise"


class ReviewPolicy(StrEnum):
    """Policies that choose which extracted memories wait for the user's confirmation."""

    NONE = "none"
    KEY = "key"
    """Memories of more than usual importance for their kind, doubtful ones, and those of health or
    of changes of a life, such as an allergy or a resignation.
    """
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
    """Daily hours without reminders, in the user's time zone."""

    begins: ClockTime
    """When they begin, such as 22:00."""
    ends: ClockTime
    """When they end, such as 07:00; on the next day if earlier than the beginning."""

    @property
    def bounds(self) -> tuple[time, time]:
        return time.fromisoformat(self.begins), time.fromisoformat(self.ends)


class UserSettings(Value):
    memory_enabled: bool = True
    automatic_extraction: bool = True
    """False to extract only on request. Such memories wait for confirmation, and nothing
    unconfirmed from earlier messages is shown.
    """
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
    """The compression policy; null follows the forgetting policy (`blended` compresses)."""
    quiet_hours: QuietHours | None = None
    """Hours without reminders: a reminder comes when they are over. Null for none."""
    tier: Tier | None = None
    """The tier; null for the deployment's default. Users cannot change it."""


class UserState(Value):
    """Settings, and the epoch that rises when everything of a user is erased."""

    settings: UserSettings = UserSettings()
    epoch: int = 0
    going: tuple[PendingErasure, ...] = ()
    """Decided erasures that some service may not have carried out yet."""
    withheld: frozenset[str] = frozenset()
    """Turns that are hidden, because a memory of them was forgotten by hand."""
    forgotten_at: int = 0
    """The revision of the last forgetting by hand that still stands."""
    not_told: Mapping[str, frozenset[str]] = Field(default_factory=dict)
    """Turns that a summary must leave out, by the id of the summary."""

    def is_going(self, identity: str, scope: Scope) -> bool:
        """Tell whether this turn or summary is being erased, though it may still be stored."""
        return any(pending.erasure.takes(identity, scope) for pending in self.going)

    def is_told_anew(self, revision: int) -> bool:
        """Tell whether a text of this revision may contain content that was withdrawn since."""
        return revision < self.forgotten_at or any(
            revision < pending.revision for pending in self.going
        )

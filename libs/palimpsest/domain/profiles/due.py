"""When a profile is to be made anew: five summaries, a week, or important news (004, layer 3)."""

from datetime import datetime, timedelta

from palimpsest.domain.change_set import ChangeSet, MemoryChange
from palimpsest.domain.kinds import Lifetime
from palimpsest.domain.memory import Status
from palimpsest.domain.profiles.profile import Profile
from palimpsest.domain.summaries.summary import SessionSummary

SUMMARIES = 5
LONGEST = timedelta(days=7)
"""With anything new at all; where nothing is, an account does not grow old."""

QUIET = timedelta(seconds=5)
"""After the last news, for news seldom comes alone and each account costs a model's tokens."""

APART = timedelta(minutes=2)
"""Between two accounts of a user at least, unless they asked for something: each reads a thousand
memories and costs a model's tokens, and of somebody who talks on there is news every few seconds."""

REMEMBER, UNDO = "RememberRequested", "UndoChange"
FORGETTING = frozenset({"ForgetMemory", "ForgetTopic"})
"""A person's commands: what they had forgotten must go from the account as well. What a policy
forgets was not wanted out of sight."""


def is_news(change_set: ChangeSet) -> bool:
    """Whether this alone is reason enough: "remember this", or a core fact in the place of another.

    And whatever a person had forgotten, for its traces must go.
    """
    if is_forgetting(change_set):
        return bool(change_set.changes)
    if change_set.cause.type == REMEMBER:
        return any(change.before is None for change in change_set.memory_changes)
    return any(_supersedes(change) for change in change_set.memory_changes)


def is_forgetting(change_set: ChangeSet) -> bool:
    """Whether a person had something forgotten; once more too, by taking back that it was restored."""
    return change_set.cause.type in FORGETTING or (
        change_set.cause.type == UNDO
        and any(change.after.status is Status.FORGOTTEN for change in change_set.memory_changes)
    )


def concerns_profile(change_set: ChangeSet) -> bool:
    """Whether there is anything new in it at all that an account would take up."""
    return is_news(change_set) or any(
        goes_into_it(change.after) for change in change_set.summary_changes
    )


def goes_into_it(summary: SessionSummary) -> bool:
    """An account goes with every conversation: what was talked of in a project stays there."""
    return not summary.failed and summary.scope.project_id is None


def soonest(
    standing: Profile | None, *, told: bool, asked_at: datetime | None = None
) -> datetime | None:
    """Before that moment it is not asked for anew.

    Args:
        standing: the account as it stands; None where there is none.
        told: whether its user asked for something since that one.
        asked_at: when it was asked for last, and no answer came yet.
    """
    made_at = standing.made_at if standing is not None else None
    begun = [one for one in (asked_at, made_at) if one is not None]
    return None if told or not begun else max(begun) + APART


def is_due(
    standing: Profile | None, *, summaries: int, news: bool, first_noted: datetime, now: datetime
) -> bool:
    """Whether to make it anew.

    Args:
        standing: the account as it stands; None where there is none.
        summaries: how many were made since that one.
        news: whether something came since that is reason enough.
        first_noted: when the first thing came that it does not know.
        now: the moment.
    """
    since = first_noted if standing is None else max(standing.made_at, first_noted - LONGEST)
    return news or summaries >= SUMMARIES or now - since >= LONGEST


def _supersedes(change: MemoryChange) -> bool:
    after = change.after
    return (
        after.lifetime is Lifetime.CORE
        and after.status is Status.ACTIVE
        and bool(after.supersedes)
        and (change.before is None or change.before.supersedes != after.supersedes)
    )

"""The schedule of profiles: after five summaries, a week, or important changes."""

from datetime import datetime, timedelta

from palimpsest.events.command_properties import ProfileEffect
from palimpsest.events.command_registry import select_command_names
from palimpsest.model.change_set import (
    Change,
    ChangeSet,
    EntityChange,
    MemoryChange,
    ProfileChange,
    SummaryChange,
    TodoChange,
)
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.memory import Memory, Status
from palimpsest.model.profile import Profile
from palimpsest.model.session_summary import SessionSummary

SUMMARIES = 5
LONGEST = timedelta(days=7)
"""Longest time until any change is taken up; without changes a profile does not age."""

QUIET = timedelta(seconds=5)
"""Time after the last change, since changes seldom come alone and each profile costs a model's tokens."""

APART = timedelta(minutes=2)
"""Shortest time between two profiles of a user, unless the user requested something: each reads a
thousand memories and costs a model's tokens, and a talkative user changes something every few seconds."""

_NO_LAYER = ""
"""Layer of settings and erasures. No agent has an empty id."""

REMEMBER = "RememberRequested"
FORGETTING = select_command_names(lambda command: command.profile_effect is ProfileEffect.FORGETS)
"""Commands after which forgotten content must go from the profile too. Content forgotten by a
policy need not."""
BY_HAND = FORGETTING | select_command_names(
    lambda command: command.profile_effect is ProfileEffect.REWORDS
)
BY_POLICY = select_command_names(lambda command: command.profile_effect is ProfileEffect.POLICY) | {
    "MemoryDistilled"
}


BY_REQUEST = select_command_names(lambda command: command.profile_effect is ProfileEffect.REFRESHES)


def select_layer(change_set: ChangeSet, agent_id: str | None) -> ChangeSet:
    """Return the change set without changes in the layers of other agents; None means the user layer."""
    own = tuple(
        change for change in change_set.changes if _agent_of(change) in (agent_id, _NO_LAYER)
    )
    return change_set.model_copy(update={"changes": own})


def _agent_of(change: Change) -> str | None:
    match change:
        case MemoryChange() | TodoChange() | SummaryChange():
            return change.after.scope.agent_id
        case EntityChange():
            return change.after.namespace.agent_id
        case ProfileChange():
            return change.after.agent_id
        case _:
            return _NO_LAYER


def is_refresh_reason(change_set: ChangeSet) -> bool:
    """Return whether this change set alone justifies a new profile.

    Reasons are a person who asks for one, a request to remember, a replaced core fact, a statement in
    the profile that no longer holds, and content that a person had forgotten or corrected, whose traces
    must go.
    """
    if is_refresh_request(change_set) or has_user_correction(change_set):
        return True
    if change_set.cause.type == REMEMBER:
        return any(change.before is None for change in change_set.memory_changes)
    by_policy = change_set.cause.type in BY_POLICY
    return any(
        _supersedes(change) or (not by_policy and _is_told_no_more(change))
        for change in change_set.memory_changes
    )


def is_refresh_request(change_set: ChangeSet) -> bool:
    """Return whether a person asked for new profiles, of all layers."""
    return change_set.cause.type in BY_REQUEST


def has_user_correction(change_set: ChangeSet) -> bool:
    """Return whether a person had something forgotten, restored, reworded or erased.

    An erasure deletes all profiles, whoever requested it, and they are made anew from what is left.
    """
    if any(not erasure.everything for erasure in change_set.erasures):
        return True
    if change_set.cause.type in FORGETTING:
        return bool(change_set.changes)
    return change_set.cause.type in BY_HAND and any(
        map(_reads_otherwise, change_set.memory_changes)
    )


def has_profile_content(change_set: ChangeSet) -> bool:
    """Return whether a change set has anything new that a profile would include."""
    return is_refresh_reason(change_set) or any(
        is_profile_summary(change.after) for change in change_set.summary_changes
    )


def is_profile_summary(summary: SessionSummary) -> bool:
    """Return whether a profile includes the summary. Summaries of projects stay in their project."""
    return not summary.failed and summary.scope.project_id is None


def find_earliest_refresh(
    standing: Profile | None, *, told: bool, asked_at: datetime | None = None
) -> datetime | None:
    """Return the moment before which no new profile is requested; None if one may be requested now.

    Args:
        standing: the current profile; None if there is none.
        told: whether the user requested something since that profile.
        asked_at: time of the last request for a profile that has no answer yet.
    """
    made_at = standing.made_at if standing is not None else None
    begun = [one for one in (asked_at, made_at) if one is not None]
    return None if told or not begun else max(begun) + APART


def is_refresh_due(
    standing: Profile | None, *, summaries: int, news: bool, first_noted: datetime, now: datetime
) -> bool:
    """Return whether the profile is due.

    Args:
        standing: the current profile; None if there is none.
        summaries: number of summaries made since that profile.
        news: whether a change since then justifies a new profile.
        first_noted: time of the first change that the profile does not know.
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


def _is_told_no_more(change: MemoryChange) -> bool:
    """Return whether a memory ended, was done, or has another value; rewording does not count."""
    before, after = change.before, change.after
    if before is None or not _may_be_told(before):
        return False
    if not _may_be_told(after) or after.valid_until != before.valid_until:
        return True
    return (after.value, after.value or after.content) != (
        before.value,
        before.value or before.content,
    )


def _may_be_told(memory: Memory) -> bool:
    told = memory.kind.properties.profile_part is not None or memory.kind.properties.is_todo
    return told and memory.status is Status.ACTIVE and memory.scope.project_id is None


def _reads_otherwise(change: MemoryChange) -> bool:
    """Return whether any memory reads otherwise: a session's summary may have told even of it."""
    before, after = change.before, change.after
    if after.scope.project_id is not None:
        return False
    return _reading(before) != _reading(after)


def _reading(memory: Memory | None) -> tuple[object, ...] | None:
    """Return the parts of a memory that may be told; None if there are none."""
    if memory is None or memory.status is not Status.ACTIVE:
        return None
    said = (memory.content, memory.subject, memory.attribute, memory.value)
    return (*said, memory.kind, memory.valid_from, memory.valid_until)

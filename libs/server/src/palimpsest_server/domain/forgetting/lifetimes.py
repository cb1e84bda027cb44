"""Lifetimes: how long an unused memory lives before a policy may take it.

A core memory is never forgotten, a working one from the 30th day of disuse, a temporary one
after 7 days.
"""

from palimpsest.model.kind_properties import Lifetime
from palimpsest_server.domain.forgetting.retention_state import RetentionState

CORE_FROM_IMPORTANCE = 0.5
WORKING_IDLE_DAYS = 30
TEMPORARY_IDLE_DAYS = 7


def get_effective_lifetime(standing: RetentionState) -> Lifetime:
    """Return the lifetime that applies: a core memory of little importance counts as working."""
    own = standing.memory.lifetime
    if own is Lifetime.CORE and standing.importance < CORE_FROM_IMPORTANCE:
        return Lifetime.WORKING
    return own


def is_temporary_over(standing: RetentionState) -> bool:
    """Return whether a temporary memory has ended."""
    temporary = get_effective_lifetime(standing) is Lifetime.TEMPORARY
    return temporary and standing.idle_days > TEMPORARY_IDLE_DAYS


def is_subject_to_policy(standing: RetentionState) -> bool:
    """Return whether a policy may take the memory: a working memory from its 30th day of disuse."""
    working = get_effective_lifetime(standing) is Lifetime.WORKING
    return working and standing.idle_days >= WORKING_IDLE_DAYS


def has_future_time(standing: RetentionState) -> bool:
    """Return whether the memory speaks of a future time."""
    memory, now = standing.memory, standing.now
    times = (memory.occurred_at, memory.valid_from, memory.valid_until, memory.expires_at)
    return any(moment is not None and moment > now for moment in times)


def has_expired(standing: RetentionState) -> bool:
    expires_at = standing.memory.expires_at
    return expires_at is not None and expires_at <= standing.now

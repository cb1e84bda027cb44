"""How long a memory may live without being used, before any policy is asked.

Source: 002 section 3.3: core is not forgotten, working is a matter of 30 days,
temporary of 7.
"""

from palimpsest.domain.forgetting.standing import Standing
from palimpsest.domain.kinds import Lifetime

CORE_FROM_IMPORTANCE = 0.5
WORKING_IDLE_DAYS = 30
TEMPORARY_IDLE_DAYS = 7


def lifetime(standing: Standing) -> Lifetime:
    """The one that counts: a core memory of little importance counts as working."""
    own = standing.memory.lifetime
    if own is Lifetime.CORE and standing.importance < CORE_FROM_IMPORTANCE:
        return Lifetime.WORKING
    return own


def is_over(standing: Standing) -> bool:
    """Whether a temporary memory has ended."""
    temporary = lifetime(standing) is Lifetime.TEMPORARY
    return temporary and standing.idle_days > TEMPORARY_IDLE_DAYS


def may_be_taken(standing: Standing) -> bool:
    """Whether a policy may take it: working memories, from their 30th day of disuse on."""
    working = lifetime(standing) is Lifetime.WORKING
    return working and standing.idle_days >= WORKING_IDLE_DAYS


def waits_for_a_time(standing: Standing) -> bool:
    """Whether it speaks of a time that is still to come."""
    memory, now = standing.memory, standing.now
    times = (memory.occurred_at, memory.valid_from, memory.valid_until, memory.expires_at)
    return any(moment is not None and moment > now for moment in times)


def has_expired(standing: Standing) -> bool:
    expires_at = standing.memory.expires_at
    return expires_at is not None and expires_at <= standing.now

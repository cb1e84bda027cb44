"""Quotas: how many active memories a user and agent may have, and which ones exceed that.

Room is made before a memory is added, until it fits.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from palimpsest.model.memory import Accesses, Memory
from palimpsest.model.user import Tier

ACTIVE_MEMORY_LIMITS: Mapping[Tier, int | None] = {
    Tier.SEED: 50,
    Tier.GROWTH: 200,
    Tier.SCALE: 500,
    Tier.ENTERPRISE: None,
}
"""Active memories for each user and agent; None is no limit."""

OVER_QUOTA_REASON = "quota"
"""Reason for archiving a memory."""

_NEVER = Accesses()


def has_quota_left(current: int, limit: int | None) -> bool:
    """Return whether one more memory fits without archiving another."""
    return limit is None or current < limit


def select_over_quota(
    active: Iterable[Memory],
    newcomers: Collection[str],
    accesses: Mapping[str, Accesses],
    *,
    limit: int | None,
) -> list[Memory]:
    """Return the active memories of a namespace to archive, so that the rest fits.

    No more are archived than exceed the limit. The least valuable go first: by importance, then by
    accesses, then by age. Older memories go before newcomers. Pinned memories stay; only if there are more of
    them than fit, the newest pinned newcomers go.

    Args:
        active: all active memories, the newcomers included.
        newcomers: ids of the memories just being added.
        accesses: by id; a missing memory was never recalled.
        limit: None is no limit.
    """
    if limit is None:
        return []
    standing = list(active)
    excess = len(standing) - limit
    if excess <= 0:
        return []
    old = [memory for memory in standing if memory.id not in newcomers and not memory.pinned]
    new = [memory for memory in standing if memory.id in newcomers]
    going = [
        *_least_worth_first(old, accesses),
        *_least_worth_first([memory for memory in new if not memory.pinned], accesses),
        *_newest_first([memory for memory in new if memory.pinned]),
    ]
    return going[:excess]


def _least_worth_first(
    memories: Sequence[Memory], accesses: Mapping[str, Accesses]
) -> list[Memory]:
    return sorted(
        memories,
        key=lambda memory: (
            memory.importance,
            accesses.get(memory.id, _NEVER).count,
            memory.recorded_at,
            memory.id,
        ),
    )


def _newest_first(memories: Sequence[Memory]) -> list[Memory]:
    return sorted(memories, key=lambda memory: (memory.recorded_at, memory.id), reverse=True)

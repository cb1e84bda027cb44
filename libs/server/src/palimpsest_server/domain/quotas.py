"""Quotas: how many active memories a user and agent may have, and which go beyond that.

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
"""Why a memory was archived."""

_NEVER = Accesses()


def has_quota_left(current: int, limit: int | None) -> bool:
    """Return whether one more memory fits without another's going."""
    return limit is None or current < limit


def select_over_quota(
    active: Iterable[Memory],
    newcomers: Collection[str],
    accesses: Mapping[str, Accesses],
    *,
    limit: int | None,
) -> list[Memory]:
    """Return the active memories of a namespace to archive, so that the rest fits.

    Never more than are too many. The least worth go first: by importance, then
    by accesses, then by age; first of all those that stood before, then of the
    newcomers themselves. Pinned ones stay; only where there are more of them
    than fit, the newest newcomers among them go.

    Args:
        active: all of them, the newcomers included.
        newcomers: ids of those that are just being added.
        accesses: by id; what is missing was never recalled.
        limit: None is no limit.
    """
    if limit is None:
        return []
    standing = list(active)
    excess = len(standing) - limit
    if excess <= 0:
        return []
    old = [one for one in standing if one.id not in newcomers and not one.pinned]
    new = [one for one in standing if one.id in newcomers]
    going = [
        *_least_worth_first(old, accesses),
        *_least_worth_first([one for one in new if not one.pinned], accesses),
        *_newest_first([one for one in new if one.pinned]),
    ]
    return going[:excess]


def _least_worth_first(
    memories: Sequence[Memory], accesses: Mapping[str, Accesses]
) -> list[Memory]:
    return sorted(
        memories,
        key=lambda one: (
            one.importance,
            accesses.get(one.id, _NEVER).count,
            one.recorded_at,
            one.id,
        ),
    )


def _newest_first(memories: Sequence[Memory]) -> list[Memory]:
    return sorted(memories, key=lambda one: (one.recorded_at, one.id), reverse=True)

"""Plans and habits end when somebody calls them off by name: the memories that this ends."""

from collections.abc import Sequence
from datetime import timedelta

from palimpsest.domain.evolution.moves import moved
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.evolution.plans import calls_off, keys_off, moment_of, said_at
from palimpsest.domain.memory import Memory, Status

CALLED_OFF = "it was called off"

ONE_PLAN = timedelta(days=14)
"""What lies farther apart are two plans, and it is not said which. Of one trip there is the way
there and the way back."""


def call_off(known: Overlay, memory_id: str) -> None:
    """Put into `known` what the memory ends by naming it, or that it was called off since.

    `known` must hold what the stores hold under `keys_off`.
    """
    new = known.get(memory_id)
    if new is None or new.status is not Status.ACTIVE:
        return
    beside = {one.id: one for key in keys_off(new) for one in known.with_key(key)}
    others = [beside[each] for each in sorted(beside)]
    for off in [new, *others]:
        plans = [one for one in (others if off is new else [new]) if calls_off(off, one)]
        for plan in plans if _are_one(plans) else ():
            _end(known, off.id, plan)


def _are_one(plans: Sequence[Memory]) -> bool:
    starts = [start for plan in plans if (start := moment_of(plan, "starts_at")) is not None]
    return not starts or max(starts) - min(starts) <= ONE_PLAN


def _end(known: Overlay, off_id: str, plan: Memory) -> None:
    off = known.get(off_id)
    if off is None:
        return
    until = max(said_at(off), plan.valid_from)
    known.put(
        moved(plan, Status.SUPERSEDED, reason=CALLED_OFF).model_copy(
            update={"valid_until": until, "superseded_by": off.id}
        )
    )
    known.put(
        off.model_copy(update={"supersedes": tuple(dict.fromkeys((*off.supersedes, plan.id)))})
    )

"""Plans in plain words that later words end: 云南不去了, 手术改到12月15号.

They have no attribute and so no line. What was planned before is superseded by what gives it
up or moves it, whichever of the two was received first; a plan that is made again ends what
gave it up. What lay behind by then happened and is no plan any more.
"""

from datetime import datetime

from palimpsest.domain.evolution.attributes import subject_named
from palimpsest.domain.evolution.keys import claim_keys, keys_against
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.evolution.plans_in_chinese import (
    given_up,
    gives_up_alone,
    is_meant,
    is_of_others,
    moved,
    speaks_of,
)
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Memory, Status

GIVEN_UP = "it was given up"
MOVED = "it was given another time"
PLANNED_AGAIN = "it was planned again"

_MEANT = frozenset({Kind.GOAL, Kind.ACTION_ITEM})


def end_plans(known: Overlay, memory_id: str) -> bool:
    """Put into `known` what the memory ends, and what ends it; whether it ends something."""
    new = known.get(memory_id)
    if new is None or new.attribute is not None:
        return False
    keys = dict.fromkeys([*claim_keys(new), *keys_against(new)])
    beside = {one.id: one for key in keys for one in known.with_key(key) if one.id != new.id}
    standing = sorted(
        (one for one in beside.values() if _may_be_ended(one) and one.scope == new.scope),
        key=lambda one: (_said_at(one), one.id),
    )
    earlier = [one for one in standing if _said_at(one) < _said_at(new)]
    ended = _ended_by(new, earlier)
    for plan, reason in ended:
        known.put(_closed(plan, new, reason))
    if ended:
        closes = tuple(dict.fromkeys([*new.supersedes, *(plan.id for plan, _ in ended)]))
        new = new.model_copy(update={"supersedes": closes})
        known.put(new)
    for one in standing:
        if _said_at(one) > _said_at(new) and (by := _ended_by(one, [new])):
            known.put(_closed(new, one, by[0][1]))
            known.put(one.model_copy(update={"supersedes": (*one.supersedes, new.id)}))
            break
    return bool(ended)


def _may_be_ended(memory: Memory) -> bool:
    return memory.status is Status.ACTIVE and memory.attribute is None and not memory.pinned


def _ended_by(later: Memory, earlier: list[Memory]) -> list[tuple[Memory, str]]:
    """What is moved must be one thing; of several it can't be told which."""
    given = [(one, GIVEN_UP) for one in earlier if _gives_up(later, one)]
    again = [(one, PLANNED_AGAIN) for one in earlier if _is_planned_again(one, later)]
    elsewhen = [(one, MOVED) for one in earlier if _moves(later, one)]
    return [*given, *again, *(elsewhen if len(elsewhen) == 1 else [])]


def _gives_up(end: Memory, plan: Memory) -> bool:
    found = given_up(end.content)
    if found is None or given_up(plan.content) == found or not speaks_of(plan.content, found):
        return False
    same = subject_named(end.subject) == subject_named(plan.subject)
    return same and _is_plan(plan, end) and not is_of_others(plan.content, end.content)


def _is_planned_again(end: Memory, plan: Memory) -> bool:
    return gives_up_alone(end.content) and _gives_up(end, plan)


def _moves(later: Memory, earlier: Memory) -> bool:
    change = moved(later.content)
    if change is None or _starts_at(later) is None:
        return False
    if change.occasion not in earlier.content or change.which not in earlier.content:
        return False
    if _starts_at(earlier) == _starts_at(later) or is_of_others(later.content, earlier.content):
        return False
    return _starts_at(earlier) is not None and _is_plan(earlier, later)


def _is_plan(memory: Memory, end: Memory) -> bool:
    """Whether it was still to come when that was said."""
    if (at := _starts_at(memory) or _ends_at(memory)) is not None:
        return at > _said_at(end) or (_ends_at(memory) or at) > _said_at(end)
    return memory.kind in _MEANT or is_meant(memory.content)


def _closed(plan: Memory, end: Memory, reason: str) -> Memory:
    return plan.model_copy(
        update={
            "status": Status.SUPERSEDED,
            "status_reason": reason,
            "valid_until": max(_said_at(end), plan.valid_from),
            "superseded_by": end.id,
        }
    )


def _said_at(memory: Memory) -> datetime:
    said = [each.said_at for each in memory.evidence if each.said_at is not None]
    return max(said, default=memory.recorded_at)


def _starts_at(memory: Memory) -> datetime | None:
    return _moment(memory, "starts_at")


def _ends_at(memory: Memory) -> datetime | None:
    return _moment(memory, "ends_at")


def _moment(memory: Memory, name: str) -> datetime | None:
    time = memory.data.get("time")
    written = time.get(name) if isinstance(time, dict) else None
    return datetime.fromisoformat(written) if isinstance(written, str) else None

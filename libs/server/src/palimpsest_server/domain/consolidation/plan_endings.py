"""Find the plans and habits that end, and what ends them; the order of arrival does not matter.

A false end is worse than a missing one. A plan ends only if it was said before, is still to come and is
not pinned, and only by a statement about the same person or one that names the plan. Nothing ends if it
is unclear which plan was meant.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.memory_times import ends_at, last_said_at, starts_at
from palimpsest_language.attributes.attribute_names import canonical_subject
from palimpsest_language.plans.plan_names import (
    find_plan_ending,
    is_cancellation,
    names_user_as_doer,
    says_nothing_else,
)
from palimpsest_language.plans.plan_text import CHANGING_ENDINGS, PlanEnding
from palimpsest_language.value_changes.changed_values import have_one_value
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.plan_keys import plan_ending_keys
from palimpsest_server.domain.consolidation.status_transitions import reactivate_memory

SAME_PLAN_PERIOD = timedelta(days=14)
"""Longest period between two mentions of one plan. One trip has a way there and a
way back."""

_TOLD_WITH_IT = frozenset(
    {PlanEnding.SET_RIGHT, PlanEnding.SAID_WRONG, PlanEnding.STATES_OLD_VALUE}
)
"""Endings that name the wrong statement by its value or its words, so that no other can be meant."""

_OF_A_STATE = frozenset({PlanEnding.GIVEN_UP, PlanEnding.HAS_NEW_VALUE})
"""Endings of what holds every day, so that it is not over after its hour."""

EndedPlans = dict[str, tuple[Memory, PlanEnding]]
"""Ended plans by memory id, each with what ended it and how."""


def end_plans(known: Overlay, memory_id: str) -> None:
    """Put into `known` the plans that the memory ends, and what ends the memory.

    `known` must hold all memories concerned, directly or through others: see `PlanLookup`.
    """
    new = known.get(memory_id)
    if new is None or new.status is not Status.ACTIVE:
        return
    concerned = _concerned(known, new)
    if len(concerned) == 1:
        return
    standing = _standing(concerned)
    ended = find_plan_endings(standing)
    for memory in standing:
        _settle(known, memory.id, ended.get(memory.id))


def is_todo_rescheduled(known: Overlay, stated: Memory) -> bool:
    """Return whether a statement gives a new day to a todo that is still open."""
    if stated.kind.properties.is_todo or stated.attribute is not None:
        return False
    plans = {
        plan.id: plan
        for key in plan_ending_keys(stated)
        for plan in known.with_key(key)
        if _ending(stated, plan) is PlanEnding.MOVED
        and (plan.status is Status.ACTIVE or plan.superseded_by == stated.id)
    }
    return [plan.kind for plan in plans.values()] == [Kind.ACTION_ITEM]


def find_plan_endings(said: Sequence[Memory]) -> EndedPlans:
    """Return all plans that have ended by these statements alone."""
    ended: EndedPlans = {}
    order = sorted(said, key=lambda memory: (last_said_at(memory), memory.id))
    for later in order:
        earlier = [
            memory
            for memory in order
            if memory.id not in ended
            and _may_end(memory)
            and last_said_at(memory) < last_said_at(later)
        ]
        ended |= {plan.id: (later, ending) for plan, ending in _ended_by(later, earlier)}
    return ended


def _ended_by(later: Memory, earlier: Sequence[Memory]) -> list[tuple[Memory, PlanEnding]]:
    named: dict[PlanEnding, list[Memory]] = {}
    for plan in earlier:
        if (ending := _ending(later, plan)) is not None:
            named.setdefault(ending, []).append(plan)
        elif _is_planned_again(later, plan):
            named.setdefault(PlanEnding.PLANNED_AGAIN, []).append(plan)
    return [
        (plan, how) for how, plans in named.items() if _are_one(how, plans, later) for plan in plans
    ]


def _are_one(ending: PlanEnding, plans: Sequence[Memory], later: Memory) -> bool:
    """Return whether it is clear which plan is meant."""
    if ending in _TOLD_WITH_IT:
        return True
    if ending is PlanEnding.HAS_NEW_VALUE:
        return have_one_value(plans, later)
    if ending is PlanEnding.MOVED:
        return len(plans) == 1
    starts = [start for plan in plans if (start := starts_at(plan)) is not None]
    return not starts or max(starts) - min(starts) <= SAME_PLAN_PERIOD


def _may_end(memory: Memory) -> bool:
    if memory.attribute is not None or memory.pinned:
        return False
    return memory.valid_until is None or memory.status is Status.SUPERSEDED


def _ending(end: Memory, plan: Memory) -> PlanEnding | None:
    """Return how one statement would end the other if the other was said before; None if it does not."""
    if end.id == plan.id or end.scope != plan.scope or plan.attribute is not None:
        return None
    ending = find_plan_ending(end, plan)
    if ending in _TOLD_WITH_IT:
        return ending
    if ending not in _OF_A_STATE and _is_over(plan, last_said_at(end)):
        return None
    if ending is PlanEnding.MOVED and not _has_another_time(end, plan):
        return None
    if ending in CHANGING_ENDINGS:
        # The plan is named, or repeated in its very words, so its person need not match.
        return ending
    return ending if _are_of_one(end, plan) else None


def _is_planned_again(later: Memory, end: Memory) -> bool:
    if not is_cancellation(end) or not says_nothing_else(end):
        return False
    return _ending(end, later) is not None


def _are_of_one(end: Memory, plan: Memory) -> bool:
    ended = canonical_subject(plan.subject)
    return canonical_subject(end.subject) == ended or (
        ended == "user" and names_user_as_doer(end.content)
    )


def _has_another_time(later: Memory, earlier: Memory) -> bool:
    times = (starts_at(later) or ends_at(later), starts_at(earlier) or ends_at(earlier))
    return None not in times and times[0] != times[1]


def _is_over(plan: Memory, at: datetime) -> bool:
    moments = [moment for moment in (starts_at(plan), ends_at(plan)) if moment is not None]
    return bool(moments) and max(moments) <= at


def _concerned(known: Overlay, new: Memory) -> dict[str, Memory]:
    """Return this memory, the memories that it ends or that end it, and so on."""
    concerned, left = {new.id: new}, [new]
    while left:
        memory = left.pop()
        for key in plan_ending_keys(memory):
            for other in known.with_key(key):
                if other.id not in concerned and (_ending(memory, other) or _ending(other, memory)):
                    concerned[other.id] = other
                    left.append(other)
    return concerned


def _standing(concerned: dict[str, Memory]) -> list[Memory]:
    """Return the memories that hold, or would hold if the ends among these were decided anew."""
    standing = {memory.id for memory in concerned.values() if memory.status is Status.ACTIVE}
    while more := {
        memory.id
        for memory in concerned.values()
        if memory.id not in standing and _has_ended(memory) and memory.superseded_by in standing
    }:
        standing |= more
    return [concerned[each] for each in sorted(standing)]


def _has_ended(memory: Memory) -> bool:
    ended = memory.status is Status.SUPERSEDED and memory.status_reason in set(PlanEnding)
    return ended and _may_end(memory)


def _settle(known: Overlay, memory_id: str, ended: tuple[Memory, PlanEnding] | None) -> None:
    """End the memory by this end alone, or let it hold."""
    memory = known.get(memory_id)
    by = None if ended is None else ended[0].id
    if memory is None or memory.superseded_by == by:
        return
    if (before := known.get(memory.superseded_by or "")) is not None:
        rest = tuple(superseded for superseded in before.supersedes if superseded != memory_id)
        known.put(before.model_copy(update={"supersedes": rest}))
    if ended is None:
        known.put(reactivate_memory(memory))
        return
    end, ending = ended
    known.put(_closed(memory, end, ending))
    now = known.get(end.id) or end
    known.put(now.model_copy(update={"supersedes": (*now.supersedes, memory_id)}))


def _closed(plan: Memory, end: Memory, ending: PlanEnding) -> Memory:
    return plan.model_copy(
        update={
            "status": Status.SUPERSEDED,
            "status_reason": ending.value,
            "valid_until": max(last_said_at(end), plan.valid_from),
            "superseded_by": end.id,
        }
    )

"""Plans and habits, the keys under which they are found, and whether something calls one off.

A false end is worse than a missing one: what is called off ends what the same one planned, what
holds all the words that name it and is of that sort, and is not over.
"""

import re
from datetime import datetime
from functools import lru_cache

from palimpsest.domain.evolution.attributes import subject_named
from palimpsest.domain.evolution.naming_ends import Off, named_as_off, names_in, without_subject
from palimpsest.domain.evolution.negating import is_negated
from palimpsest.domain.evolution.wording import gist
from palimpsest.domain.identifiers import derive
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Candidate, Memory, Status
from palimpsest.domain.scope import Scope

MOST_NAMES = 8
"""Kept of one plan: more than most have, and each is a key of its own."""

_PLANNED = frozenset(
    {Kind.EVENT, Kind.GOAL, Kind.DECISION, Kind.ACTION_ITEM, Kind.FACT, Kind.CONTEXT}
)
_REGULAR = frozenset({Kind.EVENT, Kind.FACT, Kind.PREFERENCE, Kind.CONTEXT})
_TO_COME = re.compile(
    r"\b(?:is|are|am)(?: (?:also|now|both|all|still|finally|then|already))* [a-z]+ing\b"
    r"|\b(?:will|plans?|wants?|hopes?|booked|flies|leaves|goes|travels) ",
    re.IGNORECASE,
)
_DOES = re.compile(
    r"^(?:(?:the user|user|I|we) )?(?:(?:always|usually|also|still|now|mostly) )*(?:has|have|does|do|goes to|go to|is in|attends?|"
    r"sings? (?:in|at|with)|plays? (?:in|with)|takes?|joined|is part of|is a member of|practi[sc]es) ",
    re.IGNORECASE,
)
_WORDS_OF_A_HABIT = 4
_OF_OTHERS = re.compile(
    r"^(?:the user|they|my|our)?['’]?s? ?(?:\w+ )?(?:mom|mum|mother|dad|father|parents|wife|husband|partner|girlfriend|boyfriend|sister|brother|son"
    r"|daughter|kids?|child|children|boss|manager|friends?|cousin|aunt|uncle|niece|nephew|grand\w+|colleagues?|roommate|neighbou?r)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(r"(?-i:\b[A-Z])[\w-]+(?=['’]s\b)|\bfrom (?:the )?(?P<place>[A-Z][\w-]+)")
"""Whose it is, and where it only begins: "Ann's party" is not the user's."""


def keys_off(memory: Memory | Candidate) -> list[str]:
    """Keys under which stands what this calls off, or what has called this off."""
    if (off := _off(memory)) is not None:
        return [_key(memory, "may be off", min(off.names))]
    return [_key(memory, "is off", name) for name in _names(memory)]


def keys_of_plans(memory: Memory | Candidate) -> list[str]:
    """Under which a plan or a habit, or what calls one off, is kept."""
    if (off := _off(memory)) is not None:
        return [_key(memory, "is off", min(off.names))]
    return [_key(memory, "may be off", name) for name in _names(memory)]


def _off(memory: Memory | Candidate) -> Off | None:
    return (
        named_as_off(memory.content, memory.subject) if memory.kind in _PLANNED | _REGULAR else None
    )


def _names(memory: Memory | Candidate) -> list[str]:
    if memory.attribute is not None or memory.kind not in _PLANNED | _REGULAR:
        return []
    said = without_subject(memory.content, memory.subject)
    if not (_is_planned(memory) or _DOES.match(said) or _recurs(memory)):
        return []
    return sorted(names_in(said))[:MOST_NAMES]


def calls_off(off: Memory, plan: Memory) -> bool:
    named = _off(off)
    if named is None or off.id == plan.id or _off(plan) is not None:
        return False
    if plan.status is not Status.ACTIVE or plan.pinned or plan.attribute is not None:
        return False
    if off.scope != plan.scope or subject_named(off.subject) != subject_named(plan.subject):
        return False
    at = said_at(off)
    if at <= said_at(plan) or is_negated(plan.content):
        return False
    return _is_that_habit(named, plan) if named.is_habit else _is_that_plan(named, plan, at)


def _is_that_plan(off: Off, plan: Memory, at: datetime) -> bool:
    stems = frozenset(gist(plan.content).split())
    if not off.names <= stems or stems.isdisjoint(off.sort):
        return False
    if _OF_OTHERS.match(plan.content):
        return False
    for other in _OTHERS.finditer(plan.content):
        whose = gist(other["place"] or other[0])
        if (whose in off.names) if other["place"] else (whose not in off.names and whose):
            return False
    return _is_planned(plan) and not _is_over(plan, at)


def _is_that_habit(off: Off, habit: Memory) -> bool:
    said = without_subject(habit.content, habit.subject)
    does = _DOES.match(said)
    if does is None and not _recurs(habit):
        return False
    words = said[does.end() if does else 0 :].split()[:_WORDS_OF_A_HABIT]
    return off.names <= frozenset(gist(" ".join(words)).split())


def _is_planned(memory: Memory | Candidate) -> bool:
    if memory.kind not in _PLANNED:
        return False
    return "time" in memory.data or _TO_COME.search(memory.content) is not None


def _recurs(memory: Memory | Candidate) -> bool:
    time = memory.data.get("time")
    return isinstance(time, dict) and bool(time.get("recurrence"))


def _is_over(plan: Memory, at: datetime) -> bool:
    ends = moment_of(plan, "ends_at") or moment_of(plan, "starts_at")
    return ends is not None and ends <= at and not _recurs(plan)


def moment_of(plan: Memory, name: str) -> datetime | None:
    time = plan.data.get("time")
    moment = time.get(name) if isinstance(time, dict) else None
    return datetime.fromisoformat(moment) if isinstance(moment, str) else None


def said_at(memory: Memory) -> datetime:
    said = [each.said_at for each in memory.evidence if each.said_at is not None]
    return max(said, default=memory.recorded_at)


def _key(memory: Memory | Candidate, what: str, name: str) -> str:
    return _derived(memory.scope, subject_named(memory.subject), what, name)


@lru_cache(maxsize=8192)
def _derived(scope: Scope, subject: str, what: str, name: str) -> str:
    """Asked for several times while one candidate is decided."""
    return derive(what, scope.user_id, scope.agent_id, scope.project_id, subject, name)

"""Keys by which plans and habits find what ends them, and what ends them finds those."""

from functools import lru_cache

from palimpsest.domain.evolution.plans.naming import names_of_ended, names_of_plan
from palimpsest.domain.evolution.plans.setting_right import first_told_in, tells_again
from palimpsest.domain.identifiers import derive
from palimpsest.domain.memory import Candidate, Memory
from palimpsest.domain.scope import Scope

MOST_NAMES = 8
"""Kept of one plan: more than most have, and each is a key of its own."""


def keys_of_plans(memory: Memory | Candidate) -> list[str]:
    """Under which a plan or a habit, or what ends one, is kept."""
    return _keys(memory, plan="plan", end="end of plan")


def keys_against_plans(memory: Memory | Candidate) -> list[str]:
    """Under which stands what this may end, or what has ended this."""
    return _keys(memory, plan="end of plan", end="plan")


def _keys(memory: Memory | Candidate, *, plan: str, end: str) -> list[str]:
    scope = memory.scope
    # Whosever it is: who tells of a new day for somebody's surgery may not say whose it is.
    plans = [_key(scope, plan, name) for name in _most_telling(names_of_plan(memory))]
    ended = [_key(scope, end, name) for name in sorted(names_of_ended(memory))]
    return [*plans, *ended, *_told_again(memory, plan, end)]


def _told_again(memory: Memory | Candidate, plan: str, end: str) -> list[str]:
    first = first_told_in(memory)
    if first is None:
        return []
    sides = (plan, end) if tells_again(memory) else (plan,)
    return [_key(memory.scope, f"{side} told in", first) for side in sides]


def _most_telling(names: frozenset[str]) -> list[str]:
    """Longer words are of fewer plans."""
    return sorted(names, key=lambda name: (-len(name), name))[:MOST_NAMES]


@lru_cache(maxsize=8192)
def _key(scope: Scope, what: str, name: str) -> str:
    """Asked for several times while one candidate is decided."""
    return derive(what, scope.user_id, scope.agent_id, scope.project_id, name)

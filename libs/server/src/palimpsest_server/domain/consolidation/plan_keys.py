"""Keys by which plans and habits find what ends them, and what ends them finds those."""

from functools import lru_cache

from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Candidate, Memory
from palimpsest.model.scope import Scope
from palimpsest_language.plans.denied_words import list_denied_words, list_value_words
from palimpsest_language.plans.plan_names import names_of_ended, names_of_plan
from palimpsest_language.plans.retold_plans import first_telling_message, is_retold

MAXIMUM_PLAN_NAMES = 8
"""Kept of one plan: more than most have, and each is a key of its own."""


def plan_keys(memory: Memory | Candidate) -> list[str]:
    """Under which a plan or a habit, or what ends one, is kept."""
    return _keys(memory, plan="plan", end="end of plan")


def plan_ending_keys(memory: Memory | Candidate) -> list[str]:
    """Under which stands what this may end, or what has ended this."""
    return _keys(memory, plan="end of plan", end="plan")


def _keys(memory: Memory | Candidate, *, plan: str, end: str) -> list[str]:
    scope = memory.scope
    # Whosever it is: who tells of a new day for somebody's surgery may not say whose it is.
    plans = [_key(scope, plan, name) for name in _most_telling(names_of_plan(memory))]
    ended = [_key(scope, end, name) for name in sorted(names_of_ended(memory))]
    wrong = [_key(scope, f"{end} value", word) for word in list_denied_words(memory)]
    values = [_key(scope, f"{plan} value", word) for word in list_value_words(memory)]
    return [*plans, *ended, *_told_again(memory, plan, end), *wrong, *values]


def _told_again(memory: Memory | Candidate, plan: str, end: str) -> list[str]:
    first = first_telling_message(memory)
    if first is None:
        return []
    sides = (plan, end) if is_retold(memory) else (plan,)
    return [_key(memory.scope, f"{side} told in", first) for side in sides]


def _most_telling(names: frozenset[str]) -> list[str]:
    """Longer words are of fewer plans."""
    return sorted(names, key=lambda name: (-len(name), name))[:MAXIMUM_PLAN_NAMES]


@lru_cache(maxsize=8192)
def _key(scope: Scope, what: str, name: str) -> str:
    """Asked for several times while one candidate is decided."""
    return derive_id(what, scope.user_id, scope.agent_id, scope.project_id, name)

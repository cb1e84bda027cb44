"""Keys by which plans and habits find the statements that end them, and the reverse."""

from functools import lru_cache

from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Candidate, Memory
from palimpsest.model.scope import Scope
from palimpsest_language.plans.denied_words import list_denied_words, list_value_words
from palimpsest_language.plans.plan_names import names_of_ended, names_of_plan
from palimpsest_language.plans.retold_plans import first_telling_message, is_retold
from palimpsest_language.value_changes.changed_values import (
    list_changing_words,
    list_held_words,
)
from palimpsest_language.value_changes.stated_values import list_ended_names, list_stated_names

MAXIMUM_PLAN_NAMES = 8
"""Maximum number of names of a plan: more than most have, and each is a key of its own."""


LONGEST_PLAN = 500
"""Most characters of a statement that is a plan or ends one. A longer text is a document: to look for the
words of plans in 64 KiB of it would hold the one writer up for minutes.
"""


def plan_keys(memory: Memory | Candidate) -> list[str]:
    """Return the keys under which a plan or a habit, or a statement that ends one, is stored."""
    return _keys(memory, plan="plan", end="end of plan")


def plan_ending_keys(memory: Memory | Candidate) -> list[str]:
    """Return the keys of statements that this one may end, or that may have ended it."""
    return _keys(memory, plan="end of plan", end="plan")


def _keys(memory: Memory | Candidate, *, plan: str, end: str) -> list[str]:
    if len(memory.content) > LONGEST_PLAN:
        return _told_again(memory, plan, end)
    scope = memory.scope
    # Without the person, because a new day for somebody's surgery may be told without a name.
    plans = [_key(scope, plan, name) for name in _most_telling(names_of_plan(memory))]
    ended = [_key(scope, end, name) for name in sorted(names_of_ended(memory))]
    wrong = [_key(scope, f"{end} value", word) for word in list_denied_words(memory)]
    values = [_key(scope, f"{plan} value", word) for word in list_value_words(memory)]
    held = [_key(scope, f"{plan} frame", words) for words in list_held_words(memory)]
    changing = [_key(scope, f"{end} frame", words) for words in list_changing_words(memory)]
    states = [_key(scope, f"{plan} state", name) for name in list_stated_names(memory)]
    over = [_key(scope, f"{end} state", name) for name in list_ended_names(memory)]
    again = _told_again(memory, plan, end)
    return [*plans, *ended, *again, *wrong, *values, *held, *changing, *states, *over]


def _told_again(memory: Memory | Candidate, plan: str, end: str) -> list[str]:
    first = first_telling_message(memory)
    if first is None:
        return []
    sides = (plan, end) if is_retold(memory) else (plan,)
    return [_key(memory.scope, f"{side} told in", first) for side in sides]


def _most_telling(names: frozenset[str]) -> list[str]:
    """Return the longest names, which belong to fewer plans."""
    return sorted(names, key=lambda name: (-len(name), name))[:MAXIMUM_PLAN_NAMES]


@lru_cache(maxsize=8192)
def _key(scope: Scope, what: str, name: str) -> str:
    """Return a cached key, because it is computed several times for one candidate."""
    return derive_id(what, scope.user_id, scope.agent_id, scope.project_id, name)

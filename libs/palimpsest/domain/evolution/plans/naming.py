"""What a memory names that it ends, and the names by which a plan is known, in any language."""

import re
from collections.abc import Mapping
from typing import Protocol

from palimpsest.domain.evolution.negating import is_negated
from palimpsest.domain.evolution.plans import amending, chinese, english
from palimpsest.domain.evolution.plans.said import CHANGED, PLAN_KINDS, Ending, Said
from palimpsest.domain.evolution.plans.setting_right import sets_right
from palimpsest.domain.evolution.timing import ends_at, recurs, starts_at, was_to_come
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Candidate, Memory


class Words(Protocol):
    """The word rules of one language."""

    MEANT_IN_WORDS: frozenset[Kind]
    """The kinds that are plans by words alone, though they have no time."""

    def ends_named(self, said: Said) -> Mapping[Ending, frozenset[str]]:
        """How it ends something, and the names under one of which that is kept."""

    def means(self, ending: Ending, end: Said, plan: Said) -> bool:
        """Whether this is the plan, or the habit, that ends so."""

    def names_of_plan(self, said: Said) -> frozenset[str]: ...

    def is_meant(self, content: str) -> bool:
        """Whether the words say that something is to be done, though they may not say when."""

    def is_habit(self, said: Said) -> bool: ...

    def says_nothing_else(self, content: str) -> bool:
        """Whether what calls something off says only that."""


LANGUAGES: tuple[Words, ...] = (english, chinese, amending)
"""And what is told anew, which is so in any of them."""

_HABITS = frozenset({Kind.EVENT, Kind.FACT, Kind.PREFERENCE, Kind.CONTEXT})
_CLAUSE = re.compile(r"[，,。；;！!]|\.(?:\s|$)")


def names_of_ended(memory: Memory | Candidate) -> frozenset[str]:
    """Under one of them each plan is kept that this may end."""
    said = _said(memory)
    named = (names for words in LANGUAGES for names in words.ends_named(said).values())
    return frozenset[str]().union(*named)


def names_of_plan(memory: Memory | Candidate) -> frozenset[str]:
    """The names under which it is kept; none where it is neither a plan nor a habit."""
    if memory.attribute is not None or calls_off(memory):
        return frozenset()
    named = (words.names_of_plan(_said(memory)) for words in LANGUAGES if _is_kept(words, memory))
    return frozenset[str]().union(*named)


def calls_off(memory: Memory | Candidate) -> bool:
    """Whether it says that something is not to be any more: then it is no plan itself."""
    said = _said(memory)
    return any(words.ends_named(said).keys() - CHANGED for words in LANGUAGES)


def named_ending(end: Memory | Candidate, plan: Memory | Candidate) -> Ending | None:
    """How the one ends the other, by all that their words say."""
    if sets_right(end, plan):
        return Ending.SET_RIGHT
    said, planned = _said(end), _said(plan)
    for words in LANGUAGES:
        for ending in words.ends_named(said):
            kept = _is_habit if ending is Ending.GIVEN_UP else _is_plan
            if not kept(words, plan) or not words.means(ending, said, planned):
                continue
            return None if calls_off(plan) or _is_denied(words, planned) else ending
    return None


def says_nothing_else(memory: Memory) -> bool:
    return all(words.says_nothing_else(memory.content) for words in LANGUAGES)


def _is_kept(words: Words, memory: Memory | Candidate) -> bool:
    return _is_plan(words, memory) or _is_habit(words, memory)


def _is_plan(words: Words, memory: Memory | Candidate) -> bool:
    """One time only: who calls off one lesson goes on having lessons."""
    if memory.kind not in PLAN_KINDS or recurs(memory):
        return False
    if starts_at(memory) is not None or ends_at(memory) is not None:
        return True
    return memory.kind in words.MEANT_IN_WORDS and words.is_meant(memory.content)


def _is_habit(words: Words, memory: Memory | Candidate) -> bool:
    return memory.kind in _HABITS and words.is_habit(_said(memory))


def _is_denied(words: Words, plan: Said) -> bool:
    """“Not staying long” denies no flight, where it stands apart from it."""
    return any(
        is_negated(clause) and words.names_of_plan(plan._replace(content=clause))
        for clause in _CLAUSE.split(plan.content)
    )


def _said(memory: Memory | Candidate) -> Said:
    return Said(memory.content, memory.subject, recurs(memory), was_to_come(memory))

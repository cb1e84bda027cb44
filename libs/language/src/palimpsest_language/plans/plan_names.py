"""Names under which plans are known, and the names of what a memory ends, in any language."""

import re
from collections.abc import Mapping
from typing import Protocol

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Memory
from palimpsest.model.memory_times import ends_at, is_recurring, starts_at, was_upcoming
from palimpsest_language.plans import chinese, english, plan_amendments
from palimpsest_language.plans.denied_words import denies
from palimpsest_language.plans.plan_text import CHANGING_ENDINGS, PLAN_KINDS, PlanEnding, PlanText
from palimpsest_language.plans.retold_plans import is_time_correction
from palimpsest_language.value_changes.changed_values import has_changed_value
from palimpsest_language.value_changes.stated_values import states_replaced_value
from palimpsest_language.wording.negation import is_negated


class PlanLanguage(Protocol):
    """The word rules of one language."""

    MEANT_IN_WORDS: frozenset[Kind]
    """The kinds that may state a plan without a time."""

    def ends_named(self, said: PlanText) -> Mapping[PlanEnding, frozenset[str]]:
        """Return the ways in which it ends something, each with the possible names."""

    def means(self, ending: PlanEnding, end: PlanText, plan: PlanText) -> bool:
        """Tell whether this is the ended plan or habit."""

    def names_of_plan(self, said: PlanText) -> frozenset[str]: ...

    def is_meant(self, content: str) -> bool:
        """Tell whether the words state an intention, even without a time."""

    def is_habit(self, said: PlanText) -> bool: ...

    def says_nothing_else(self, content: str) -> bool:
        """Tell whether a cancellation says nothing else."""


PLAN_LANGUAGES: tuple[PlanLanguage, ...] = (english, chinese, plan_amendments)
"""All languages, and amendments, which exist in every language."""

_DOER = re.compile(
    r"(?:用户|我们|咱们?)(?:全家|一家)?(?=不|就|也|都|还是|决定|已经|把|现在|暂时|要|会)"
    r"|\bthe user (?:is|are|was|has|had|won['’]t|will|called|decided|can['’]t|quit|stopped)\b"
)
"""The user as the subject of a clause: 用户爸住院了，云南用户不去了."""
_CLAUSE = re.compile(r"[，,。；;！!]|\.(?:\s|$)")


def names_of_ended(memory: Memory | Candidate) -> frozenset[str]:
    """Return the names of the plans that this memory may end."""
    said = _said(memory)
    named = (names for words in PLAN_LANGUAGES for names in words.ends_named(said).values())
    return frozenset[str]().union(*named)


def names_of_plan(memory: Memory | Candidate) -> frozenset[str]:
    """Return the names of a plan or a habit; none for any other memory."""
    if memory.attribute is not None or is_cancellation(memory):
        return frozenset()
    named = (
        words.names_of_plan(_said(memory)) for words in PLAN_LANGUAGES if _is_kept(words, memory)
    )
    return frozenset[str]().union(*named)


def is_cancellation(memory: Memory | Candidate) -> bool:
    """Tell whether the memory only cancels something, so that it is no plan itself."""
    said = _said(memory)
    return any(words.ends_named(said).keys() - CHANGING_ENDINGS for words in PLAN_LANGUAGES)


def find_plan_ending(end: Memory | Candidate, plan: Memory | Candidate) -> PlanEnding | None:
    """Return how the one memory ends the other, by their words; None if it does not."""
    if is_time_correction(end, plan):
        return PlanEnding.SET_RIGHT
    if denies(end, plan):
        return PlanEnding.SAID_WRONG
    if states_replaced_value(end, plan):
        return PlanEnding.STATES_OLD_VALUE
    said, planned = _said(end), _said(plan)
    for words in PLAN_LANGUAGES:
        for ending in words.ends_named(said):
            kept = _is_habit if ending is PlanEnding.GIVEN_UP else _is_plan
            if not kept(words, plan) or not words.means(ending, said, planned):
                continue
            return None if is_cancellation(plan) or _is_denied(words, planned) else ending
    return PlanEnding.HAS_NEW_VALUE if has_changed_value(end, plan) else None


def names_user_as_doer(content: str) -> bool:
    """Tell whether the user does something in a statement that begins with somebody else."""
    return _DOER.search(content) is not None


def says_nothing_else(memory: Memory) -> bool:
    return all(words.says_nothing_else(memory.content) for words in PLAN_LANGUAGES)


def _is_kept(words: PlanLanguage, memory: Memory | Candidate) -> bool:
    return _is_plan(words, memory) or _is_habit(words, memory)


def _is_plan(words: PlanLanguage, memory: Memory | Candidate) -> bool:
    """Tell whether it is a single plan; cancelling one lesson ends no recurring lessons."""
    if memory.kind not in PLAN_KINDS or is_recurring(memory):
        return False
    if starts_at(memory) is not None or ends_at(memory) is not None:
        return True
    return memory.kind in words.MEANT_IN_WORDS and words.is_meant(memory.content)


def _is_habit(words: PlanLanguage, memory: Memory | Candidate) -> bool:
    return memory.kind.times.may_tell_habit and words.is_habit(_said(memory))


def _is_denied(words: PlanLanguage, plan: PlanText) -> bool:
    """Tell whether the plan is denied: “Not staying long” denies no flight in another clause."""
    return any(
        is_negated(clause) and words.names_of_plan(plan._replace(content=clause))
        for clause in _CLAUSE.split(plan.content)
    )


def _said(memory: Memory | Candidate) -> PlanText:
    return PlanText(memory.content, memory.subject, is_recurring(memory), was_upcoming(memory))

"""Plans told again with a change: “three tickets (not two)” replaces “two tickets”. Pure.

A change that is said right behind a plan may come after the plan was remembered. The plan is then
told again with its change, in the same words, in any language. These words identify the earlier
plan.
"""

import re
from functools import lru_cache

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.plans.plan_text import PLAN_KINDS, PlanEnding, PlanText
from palimpsest_language.wording.normalization import extract_gist

MEANT_IN_WORDS = PLAN_KINDS

_CHANGE = re.compile(
    r"(?P<before>.{4,}?)[;；] ?(?:(?:scratch that|no|sorry|wait|actually|算了|不对"
    r"|不是)[,.，。 ]*)*"
    r"(?:(?:let['’]?s )?(?:make|move|push|change|shift|bump) (?:it|that|this|them)\b|"
    r"(?:改|换|变|推迟|延期|提前|顺延|挪|调整?)(?:成|到|至|为))"
    r"[^;；]*",
    re.IGNORECASE | re.DOTALL,
)
_ANOTHER_NUMBER = (
    re.compile(r"(?P<whole>.+) \((?P<new>[^()]+?) instead of (?P<old>[^()]+?)\)", re.DOTALL),
    re.compile(r"(?P<whole>.+)（(?P<new>[^（）]+?)，原为(?P<old>[^（）]+?)）", re.DOTALL),
)
"""As `recounted` writes it."""


_MAY_CHANGE = read_phrases("plans/plan_amendments")["may_change"]


def ends_named(said: PlanText) -> dict[PlanEnding, frozenset[str]]:
    before = original_plan_text(said.content)
    return {} if before is None else {PlanEnding.TOLD_ANEW: frozenset({_name(before)})}


def means(ending: PlanEnding, end: PlanText, plan: PlanText) -> bool:
    before = original_plan_text(end.content)
    return (
        ending is PlanEnding.TOLD_ANEW
        and before is not None
        and _name(before) == _name(plan.content)
    )


def names_of_plan(said: PlanText) -> frozenset[str]:
    """Return all words of the plan, as one name."""
    return frozenset({_name(said.content)}) if is_meant(said.content) else frozenset()


def is_meant(content: str) -> bool:
    return _MAY_CHANGE.search(content) is not None


def is_habit(said: PlanText) -> bool:  # noqa: ARG001 - as languages have it
    return False


def says_nothing_else(content: str) -> bool:  # noqa: ARG001 - as languages have it
    return True


def format_amended_plan(before: str, old: str, new: str, behind: str) -> str:
    """Return a plan with a new number and the old one, which `original_plan_text` reads again."""
    whole = f"{before}{new}{behind}"
    return (
        f"{whole}（{new}，原为{old}）"
        if has_chinese(whole)
        else f"{whole} ({new} instead of {old})"
    )


def current_plan_text(content: str) -> str:
    """Return the plan without its earlier number."""
    match = _another_number(content)
    return content if match is None else match["whole"]


@lru_cache(maxsize=4096)
def original_plan_text(content: str) -> str | None:
    """Return the plan as it was, if the content tells it with its change; otherwise None."""
    if (number := _another_number(content)) is not None:
        new = rf"(?<![A-Za-z0-9]){re.escape(number['new'])}(?![A-Za-z0-9])"
        return re.sub(new, lambda _: number["old"], number["whole"], count=1)
    match = _CHANGE.fullmatch(content)
    return None if match is None else match["before"]


def _another_number(content: str) -> re.Match[str] | None:
    found = (pattern.fullmatch(content) for pattern in _ANOTHER_NUMBER)
    return next((match for match in found if match is not None), None)


def _name(content: str) -> str:
    return extract_gist(current_plan_text(content))

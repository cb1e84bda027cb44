"""Plans that are told anew: “two tickets; make it three” takes the place of “two tickets”. Pure.

What somebody says right behind a plan may come after the plan was remembered already. Then it
is told with its change, in the same words, in whatever language; and by these words the one
that was told before is known.
"""

import re
from functools import lru_cache

from palimpsest.domain.evolution.plans.said import Ending, Said
from palimpsest.domain.evolution.wording import gist
from palimpsest.domain.kinds import Kind

MEANT_IN_WORDS = frozenset(
    {Kind.EVENT, Kind.GOAL, Kind.DECISION, Kind.ACTION_ITEM, Kind.FACT, Kind.CONTEXT}
)

_CHANGE = re.compile(
    r"(?P<before>.{4,}?)[;；] ?(?:(?:scratch that|no|sorry|wait|actually|算了|不对|不是)[,.，。 ]*)*"
    r"(?:(?:let['’]?s )?(?:make|move|push|change|shift|bump) (?:it|that|this|them)\b|(?:改|换|变|推迟|延期|提前|顺延|挪|调整?)(?:成|到|至|为))"
    r"[^;；]*",
    re.IGNORECASE | re.DOTALL,
)
_MAY_CHANGE = re.compile(
    r"\d|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|dozen|couple|\w+day|to(?:day|morrow|night)"
    r"|next|this|january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|[一二两三四五六七八九十百]|[今明后]天|周末|月底|月初",
    re.IGNORECASE,
)
"""How many, or when: of whatever says neither nothing is told anew so."""


def ends_named(said: Said) -> dict[Ending, frozenset[str]]:
    before = told_before(said.content)
    return {} if before is None else {Ending.TOLD_ANEW: frozenset({_name(before)})}


def means(ending: Ending, end: Said, plan: Said) -> bool:
    before = told_before(end.content)
    return (
        ending is Ending.TOLD_ANEW and before is not None and _name(before) == _name(plan.content)
    )


def names_of_plan(said: Said) -> frozenset[str]:
    """All its words, as one name."""
    return frozenset({_name(said.content)}) if is_meant(said.content) else frozenset()


def is_meant(content: str) -> bool:
    return _MAY_CHANGE.search(content) is not None


def is_habit(said: Said) -> bool:  # noqa: ARG001 - as languages have it
    return False


def says_nothing_else(content: str) -> bool:  # noqa: ARG001 - as languages have it
    return True


@lru_cache(maxsize=4096)
def told_before(content: str) -> str | None:
    """The plan as it was, where the content tells it with its change."""
    found = _CHANGE.fullmatch(content)
    return None if found is None else found["before"]


def _name(content: str) -> str:
    return gist(content)

"""Occupations: 在长沙做宠物美容师, 改行卖保险了, 不当护士了, and places where one no longer works.

What is done at a place is no trade by itself (在公司做报告, 在医院做手术): it must be called as
one, or the words must say that the trade was changed.
"""

import re

from palimpsest_language.facts.chinese.places import is_known_place
from palimpsest_language.facts.chinese.shared_patterns import (
    refine_employer,
    refine_plain,
)
from palimpsest_language.facts.rule import MatchGroups

_IDLE = re.compile(r"[想打算要能]|生意$")


def refine_occupation(groups: MatchGroups) -> MatchGroups | None:
    """Return what has a name: neither a place nor what is only done once."""
    tidied = refine_plain(groups)
    if tidied is None or is_known_place(tidied["value"]):
        return None
    return tidied


def refine_former_employer(groups: MatchGroups) -> MatchGroups | None:
    found = refine_employer(groups)
    return None if found is None or _IDLE.search(found["value"]) else found


def refine_current_employer(groups: MatchGroups) -> MatchGroups | None:
    """Return where one works by now; of a city it is told otherwise."""
    found = refine_employer(groups)
    return found if found is not None and found["attribute"] == "employer" else None

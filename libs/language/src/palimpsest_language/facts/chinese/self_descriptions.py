"""Refinements of self-descriptions: age, illness, partner, relationship."""

import re

from palimpsest_language.facts.chinese.shared_patterns import (
    refine_plain,
    refine_relative,
)
from palimpsest_language.facts.rule import MatchGroups

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")}


_HIGH = {"血压": "高血压", "血糖": "高血糖", "血脂": "高血脂", "尿酸": "高尿酸"}


def refine_age(groups: MatchGroups) -> MatchGroups | None:
    """In figures, however it was told: 六十三 is 63."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    told = tidied["value"]
    if not told.isdigit():
        tens, _, ones = told.partition("十")
        told = str(_DIGITS.get(tens, 1) * 10 + _DIGITS.get(ones, 0))
    return {**tidied, "value": told}


def refine_illness(groups: MatchGroups) -> MatchGroups | None:
    """血压高 and 高血压 are one."""
    tidied = refine_plain(groups)
    return tidied and {**tidied, "value": _HIGH.get(tidied["value"], tidied["value"])}


def refine_partner(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_relative(groups)
    return None if tidied is None or re.search(r"[的了]", tidied["value"]) else tidied


def refine_relationship(groups: MatchGroups) -> MatchGroups | None:
    """Return whoever has one is no longer single, whatever they are called."""
    tidied = refine_plain(groups)
    return tidied and {**tidied, "value": f"有{tidied['value']}"}

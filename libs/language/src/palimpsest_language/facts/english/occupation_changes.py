"""Trades that begin and end: "I'm not a nurse any more", "I started as a baker"."""

from palimpsest_language.facts.english.occupations import PRACTISED
from palimpsest_language.facts.english.shared_patterns import (
    refine_plain,
    refine_with_article,
)
from palimpsest_language.facts.rule import MatchGroups


def refine_begun_occupation(groups: MatchGroups) -> MatchGroups | None:
    """Return what somebody is from then on; no trade that only begins a tale of how they got on."""
    tidied = refine_plain(groups)
    return None if tidied is None or groups.get("then") else tidied


def refine_practised_occupation(groups: MatchGroups) -> MatchGroups | None:
    """The trade of whoever does that for a living."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    return refine_with_article({"value": PRACTISED[" ".join(tidied["value"].lower().split())]})

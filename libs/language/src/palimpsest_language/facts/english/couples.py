"""Refinements of couples: "I'm seeing a girl Noor", "me and Tom are official"."""

from palimpsest_language.facts.english.shared_patterns import refine_plain
from palimpsest_language.facts.rule import MatchGroups


def refine_partner_name(groups: MatchGroups) -> MatchGroups | None:
    """A name, with its capital where somebody writes without."""
    tidied = refine_plain(groups)
    if tidied is None or " " in tidied["value"]:
        return None
    value = tidied["value"]
    return {**tidied, "value": value[:1].upper() + value[1:]}

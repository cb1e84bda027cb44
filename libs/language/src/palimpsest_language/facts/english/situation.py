"""Attributes that change once in a while: a shift, a host, a trade, a year of birth."""

from palimpsest_language.facts.english.shared_patterns import refine_plain
from palimpsest_language.facts.rule import MatchGroups
from palimpsest_language.wording.statement_text import to_third_person


def refine_shift(groups: MatchGroups) -> MatchGroups | None:
    """Return a shift by one name: night shift, nights and the night shift are one."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    value, where = tidied["value"].lower(), to_third_person(tidied.get("where", ""))
    if not value.endswith("s"):
        value = "earlies" if value == "early" else f"{value}s"
    return {**tidied, "where": where, "value": value}


def refine_host(groups: MatchGroups) -> MatchGroups | None:
    """The host of a thing that is called by what it is: each thing has one."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    thing = tidied["thing"].lower()
    noun = thing.replace("back end", "backend").replace("front end", "frontend")
    attribute = "host_of_" + noun.replace("-", "_").replace(" ", "_")
    return {**tidied, "thing": thing, "attribute": attribute}

"""The regular day or hour of a thing, and a child's grade: each under an attribute of its own."""

import re

from palimpsest_language.attributes.relations import name_relation
from palimpsest_language.facts.rule import MatchGroups

_GENERAL = re.compile(
    r" (?:class|lessons?|practice|training|club|group|night|sessions?|rehearsals?|therapy|tablets?"
    r"|pills?|drops|inhaler|spray)$"
)
_WHOSE = re.compile(r"\b(?:my|the|his|her) ", re.IGNORECASE)


def refine_day_of(groups: MatchGroups) -> MatchGroups | None:
    """Return the weekday of what comes back every week."""
    return _of_thing("day_of_", groups)


def refine_time_of(groups: MatchGroups) -> MatchGroups | None:
    """Return the hour of what is taken every day."""
    return _of_thing("time_of_", {**groups, "value": _WHOSE.sub("", groups["value"])})


def refine_grade_of(groups: MatchGroups) -> MatchGroups | None:
    """Return the school year of one of the family."""
    relation = name_relation(groups["relation"]).replace(" ", "_")
    return {**groups, "attribute": f"grade_of_{relation}"}


def _of_thing(prefix: str, groups: MatchGroups) -> MatchGroups:
    thing = groups["thing"].casefold()
    return {**groups, "attribute": prefix + _GENERAL.sub("", thing).replace(" ", "_")}

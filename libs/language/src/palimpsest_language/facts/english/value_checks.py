"""Checks of what can be liked, done, kept or used, as the English tables catch it."""

import re

from palimpsest_language.facts.english.shared_patterns import refine_plain
from palimpsest_language.facts.rule import MatchGroups

_FILLER = re.compile(
    r"^(?:(?:and|but|so|also|btw|well|now|yes|no|yeah|sadly|happily|luckily|unfortunately|finally"
    r"|honestly|besides|then|plus|"
    r"actually|by the way|these days|of course)\b[, ]*)+",
    re.IGNORECASE,
)
_NO_THING = re.compile(
    r"(?:and|but|or|it|that|this|there|they|he|she|you|I|we|one|what|which|who|most of|some of"
    r"|all of|to|at|in|by|for|on|being|going|having|"
    r"doing|working|using|trying|getting|taking|making|thinking|talking|smoking|drinking|eating"
    r"|my (?:job|work|boss|team)|the (?:project|meeting|job|"
    r"work|office))\b",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"(?:I|We|He|She|They|It|The|A|An|My|Our|This|That|Monday|Tuesday|Wednesday|Thursday|Friday"
    r"|Saturday|Sunday|January|"
    r"February|March|April|May|June|July|August|September|October|November|December|English|\d+)$"
)


_NO_HOBBY = re.compile(r"[A-Z]|the |a |an |my |our |your |his |her |their ")


def refine_thing(groups: MatchGroups) -> MatchGroups | None:
    """Return what can be liked or done, however it is called.

    No sentence, and nothing pointed at.
    """
    value = _FILLER.sub("", groups["value"])
    tidied = refine_plain({**groups, "value": value})
    if tidied is None or _NO_THING.match(tidied["value"]) or len(tidied["value"].split()) > 6:
        return None
    return tidied


def refine_hobby(groups: MatchGroups) -> MatchGroups | None:
    """Return what can be done, and no name: what has one is a product, a place or somebody."""
    tidied = refine_thing(groups)
    return None if tidied is None or _NO_HOBBY.match(tidied["value"]) else tidied


_NO_LONGER = {"drink": "no longer drinks", "eat": "no longer eats"}


def refine_abstained(groups: MatchGroups) -> MatchGroups | None:
    """Return what is eaten or drunk no more, and how that is said of somebody."""
    tidied = refine_thing(groups)
    if tidied is None:
        return None
    ended = tidied["ended"].lower()
    return {**tidied, "ended": _NO_LONGER.get(ended, ended)}


def refine_animal(groups: MatchGroups) -> MatchGroups | None:
    """An animal, by its name or by what it is."""
    return refine_plain({**groups, "value": _FILLER.sub("", groups["value"])})


def refine_product_name(groups: MatchGroups) -> MatchGroups | None:
    """The name of a product: not of a day, and no word that only begins a sentence."""
    tidied = refine_plain(groups)
    return None if tidied is None or _NO_NAME.match(tidied["value"]) else tidied

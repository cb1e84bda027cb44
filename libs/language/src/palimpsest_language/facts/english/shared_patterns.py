"""Shared pieces of the English patterns, and checks of what was caught."""

import re

from palimpsest_language.attributes.diets import choose_diet_attribute
from palimpsest_language.attributes.display_settings import SETTINGS, find_setting_attribute
from palimpsest_language.attributes.technologies import (
    find_leading_technology,
    find_preference_attribute,
    find_technology_kind,
)
from palimpsest_language.facts.rule import MatchGroups
from palimpsest_language.rule_tables import put_pieces_in, read_pieces
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern
from palimpsest_language.wording.statement_text import tidy_english, to_third_person

MAXIMUM_VALUE_CHARACTERS = 160


_SHARED = {**read_pieces("facts/english/shared_pieces"), "SETTINGS": SETTINGS}
PIECES = {name: put_pieces_in(piece, _SHARED) for name, piece in _SHARED.items()}


_LEFT_OUT = re.compile(r"(?<=\bI)'(?=(?:m|ve)\b)|(?<=[a-z]n)'(?=t\b)")


def compile_english(pattern: str) -> LazyPattern:
    """A pattern with `<PIECE>`s, from the start of a word, whatever the case.

    A space stands for any spacing; an apostrophe for either kind, and for none where it is
    often left out: "cant", "im".
    """
    pattern = _LEFT_OUT.sub("\0", pattern).replace("'", "['’]").replace("\0", "['’]?")
    for name, piece in PIECES.items():
        pattern = pattern.replace(f"<{name}>", piece)
    return LazyPattern(rf"(?<![\w'’-])(?:{pattern})", re.IGNORECASE)


_SAYS_NOTHING = re.compile(
    r"(?:it|that|this|these|those|them|him|her|you|your|me|us|how|what|when|where|who|why|whatever|"
    r"there|here|the (?:idea|way|sound|look|fact|same)|to (?:think|know|see|hear|say|do "
    r"(?:it|that))|"
    r"(?:seeing|hearing) (?:you|from)|nothing|something|everything|anything|so|one"
    r"(?= of|$)|to$|the hard way)\b",
    re.IGNORECASE,
)


def refine_plain(groups: MatchGroups) -> MatchGroups | None:
    """Tidies every group; refuses a value that only points at something."""
    tidied = {name: tidy_english(text) for name, text in groups.items()}
    value = tidied["value"]
    if not value or len(value) > MAXIMUM_VALUE_CHARACTERS or _SAYS_NOTHING.match(value):
        return None
    return tidied


def refine_diet(groups: MatchGroups) -> MatchGroups | None:
    """A way of eating, or what is left out."""
    tidied = refine_plain(groups)
    return tidied and {**tidied, "attribute": choose_diet_attribute(tidied["value"])}


def refine_deed(groups: MatchGroups) -> MatchGroups | None:
    """A value with a verb in it, said of the speaker instead of by them."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    when = tidied.get("when", "")
    return {
        **tidied,
        "value": to_third_person(tidied["value"]),
        "when": when[:1].lower() + when[1:],
    }


def refine_liking(groups: MatchGroups) -> MatchGroups | None:
    """A value that is liked; the verb in the third person."""
    tidied = refine_deed(groups)
    if tidied is None:
        return None
    return {**tidied, "verb": tidied.get("verb", "like").lower() + "s"}


def refine_technology(groups: MatchGroups) -> MatchGroups | None:
    """A known technology, whatever is said after it."""
    tidied = refine_plain(groups)
    name = find_leading_technology(tidied["value"]) if tidied else None
    return {**tidied, "value": name} if tidied and name else None


def refine_preferred_technology(groups: MatchGroups) -> MatchGroups | None:
    """A known technology, under the attribute of its kind."""
    tidied = refine_technology(groups)
    if tidied is None:
        return None
    return {**tidied, "attribute": find_preference_attribute(tidied["value"]) or "tools"}


def refine_replaced_technology(groups: MatchGroups) -> MatchGroups | None:
    """A new choice in place of an old one: both known, or at least one of them.

    An unknown successor of a known technology takes over its attribute.
    """
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    replaced = tidied.get("replaced", "")
    known = find_leading_technology(tidied["value"])
    if known is None and find_technology_kind(replaced) is None:
        return None
    value = known or tidied["value"]
    attribute = find_preference_attribute(value) or find_preference_attribute(replaced) or "tools"
    return {**tidied, "value": value, "attribute": attribute}


def refine_setting(groups: MatchGroups) -> MatchGroups | None:
    """One way of setting something, under the attribute of what is set."""
    tidied = refine_plain(groups)
    attribute = find_setting_attribute(tidied["value"]) if tidied else None
    return {**tidied, "attribute": attribute} if tidied and attribute else None


_NO_EMPLOYER = re.compile(
    r"(?:night|nights|home|work|weekends?|day|the moment|the same|least|once|first|all|myself|free|"
    r"fun|long|hours|a living|a while|\d.*)\b",
    re.IGNORECASE,
)


def refine_organisation(groups: MatchGroups) -> MatchGroups | None:
    """A name in capitals, or something with an article."""
    tidied = refine_plain(groups)
    if tidied is None or _NO_EMPLOYER.match(tidied["value"]):
        return None
    value = tidied["value"]
    named = value[0].isupper() or not value[0].isascii()
    return tidied if named or re.match(r"(?:an?|the) \w", value) else None


def refine_joined_organisation(groups: MatchGroups) -> MatchGroups | None:
    """Only a name: one joins a gym without being employed there."""
    tidied = refine_organisation(groups)
    return tidied if tidied and not tidied["value"][0].islower() else None


def refine_left_organisation(groups: MatchGroups) -> MatchGroups | None:
    """A name alone: “Anna and Bob at the station” are left otherwise."""
    tidied = refine_joined_organisation(groups)
    return tidied if tidied and not _LEFT_OTHERWISE.search(tidied["value"]) else None


_LEFT_OTHERWISE = re.compile(r"\b(?:and|at|behind|with|to|out|lessons?|class(?:es)?|courses?)\b")
_NO_PLACE = re.compile(r"(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|I)\b")


def refine_place(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_plain(groups)
    if tidied is None or find_technology_kind(tidied["value"]) or _NO_PLACE.match(tidied["value"]):
        return None
    return tidied


def refine_date(groups: MatchGroups) -> MatchGroups | None:
    """A value that names a day: a number or a month in it."""
    tidied = refine_plain(groups)
    return tidied if tidied and re.search(r"\d", tidied["value"]) else None


def refine_favourite(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    return {**tidied, "attribute": "favorite_" + "_".join(tidied["thing"].lower().split())}


def refine_relative(groups: MatchGroups) -> MatchGroups | None:
    tidied = refine_deed(groups)
    if tidied is None:
        return None
    return {**tidied, "attribute": "_".join(tidied["relation"].lower().split())}


def refine_with_article(groups: MatchGroups) -> MatchGroups | None:
    """Return what somebody is, with the article that stands before it, or would."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    article = tidied.get("article", "").lower()
    if article not in {"a", "an", "the"}:
        article = "an" if tidied["value"][0].lower() in "aeiou" else "a"
    return {**tidied, "article": article}

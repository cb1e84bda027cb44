"""Attributes with one value at a time, said by name: a gym, a bank, a car, a main language."""

import re

from palimpsest_language.attributes.diets import DIET_ATTRIBUTE, choose_diet_attribute
from palimpsest_language.facts.english.shared_patterns import (
    refine_plain,
)
from palimpsest_language.facts.rule import MatchGroups

_ATTRIBUTES = (
    (r"employer|(?:the )?(?:company|firm) I work (?:for|at)|place of work|workplace", "employer"),
    (r"job title|position|title|job|profession|occupation", "job"),
    (r"partner|girlfriend|boyfriend|other half|better half|significant other", "partner"),
    (r"car", "car"),
    (r"(?:mobile |smart)?phone", "phone"),
    (r"gym", "gym"),
    (r"bank", "bank"),
    (r"diet", "diet"),
    (
        r"(?:main|primary|go-to|preferred)(?: programming)? language|language of choice",
        "preferred_language",
    ),
    (
        r"(?:main|preferred|favou?rite|default|go-to|usual) framework|framework of choice",
        "preferred_framework",
    ),
    (r"favou?rite (?:cuisine|kind of food|food)|cuisine of choice", "favorite_cuisine"),
)
NOUN = f"(?P<noun>{'|'.join(pattern for pattern, _ in _ATTRIBUTES)})"

_ARTICLE = re.compile(r"^(?:an?|the|called|named|still|now) ", re.IGNORECASE)
_NO_VALUE = re.compile(
    r"(?:it|that|this|there|they|he|she|you|what|which|who|one|mine|gone|great|good|bad|fine|nice"
    r"|awful|boring|hard|broken|"
    r"dead|old|new|closed|full|expensive|cheap|amazing|terrible|ok|okay|sick|away|here|\w+ing)\b",
    re.IGNORECASE,
)


def refine_single_value(groups: MatchGroups) -> MatchGroups | None:
    """A value, under the attribute of the word that it was called by."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    value = _ARTICLE.sub("", tidied["value"])
    noun = tidied["noun"]
    attribute = next(
        name for pattern, name in _ATTRIBUTES if re.fullmatch(pattern, noun, re.IGNORECASE)
    )
    named = attribute in {"employer", "partner", "car", "phone", "gym", "bank"}
    if _NO_VALUE.match(value) or (named and not (value[0].isupper() or value[0].isdigit())):
        return None
    if attribute == DIET_ATTRIBUTE:
        attribute = choose_diet_attribute(value)
    return {**tidied, "value": value, "attribute": attribute, "noun": noun}

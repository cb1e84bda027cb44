"""Attributes with one value at a time, said by name: a gym, a bank, a car, a main language."""

import re
from collections.abc import Sequence

from palimpsest_language.attributes.attribute_names import SERVICE_ATTRIBUTES
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
    (r"GP|(?:family |regular )?doctor|general practitioner|physician", "doctor"),
    (r"dentist", "dentist"),
    (r"therapist|counsell?or|psychologist", "therapist"),
    (r"hairdresser|(?:hair )?stylist|barber", "hairdresser"),
    (r"plumber", "plumber"),
    (r"electrician", "electrician"),
    (r"builder|contractor|decorator", "builder"),
    (r"(?:car )?mechanic|garage", "mechanic"),
    (r"cleaner|cleaning lady", "cleaner"),
    (r"gardener", "gardener"),
    (r"babysitter|nanny|childminder|au pair", "babysitter"),
    (r"vet", "vet"),
    (r"landlord|landlady", "landlord"),
    (r"lawyer|solicitor|attorney", "lawyer"),
    (r"accountant", "accountant"),
    (r"(?:personal )?trainer|fitness coach", "trainer"),
    (r"(?:mobile|phone)(?: phone)? (?:provider|network|carrier|company)", "phone_provider"),
    (
        r"broadband(?: provider| supplier)?|(?:internet|wifi) (?:provider|supplier|company)",
        "internet_provider",
    ),
    (r"(?:energy|electricity|power|gas) (?:supplier|provider|company)", "energy_provider"),
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

_NAMED = {"employer", "partner", "car", "phone", "gym", *SERVICE_ATTRIBUTES}
"""Attributes whose values are names."""

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
    attribute = _find_attribute(noun, _ATTRIBUTES)
    named = attribute in _NAMED
    if _NO_VALUE.match(value) or (named and not (value[0].isupper() or value[0].isdigit())):
        return None
    if attribute == DIET_ATTRIBUTE:
        attribute = choose_diet_attribute(value)
    return {**tidied, "value": value, "attribute": attribute, "noun": noun}


_PROVIDED = (
    (r"phone|mobile|sim", "phone_provider"),
    (r"broadband|internet|wifi|wi-fi", "internet_provider"),
    (r"electricity|energy|power|gas", "energy_provider"),
    (r"banking", "bank"),
)
PROVIDED = f"(?P<noun>{'|'.join(pattern for pattern, _ in _PROVIDED)})"


def refine_provider(groups: MatchGroups) -> MatchGroups | None:
    """Return who provides a service, under the attribute of the service."""
    tidied = refine_plain(groups)
    if tidied is None:
        return None
    return {**tidied, "attribute": _find_attribute(tidied["noun"], _PROVIDED)}


def _find_attribute(noun: str, attributes: Sequence[tuple[str, str]]) -> str:
    return next(name for words, name in attributes if re.fullmatch(words, noun, re.IGNORECASE))

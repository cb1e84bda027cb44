"""Finds who was given a name: “my daughter Lina”, “a puppy called Rex”, “his name is Max”."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from palimpsest_language.clauses.sentences import split_sentences
from palimpsest_language.statements.english_kind_cues import PETS, RELATIVES

_ANIMAL = (
    "(?:pup|rescue|lab|labrador|spaniel|terrier|poodle|corgi|collie|beagle|whippet|chihuahua"
    f"|dachshund|guinea pigs?|rat|hen|chicken|goldfish|lizard|{PETS})"
)
_ANYBODY = r"(?:lad|lass|girl|boy|guy|bloke|man|woman)"
_TITLE = (
    "(?P<title>(?:(?:new|older|younger|little|big|best|baby|old|golden|eldest|middle|youngest) )?"
    f"(?:{RELATIVES}|mate|bestie|colleague|apprentice|trainee|student|{_ANYBODY}|{_ANIMAL}))"
)
NAME = (
    r"(?!(?:actually|really|not|spel\w+|so|very|too|hard|weird|cool|cute|long|short|on|in|at|the"
    r"|an?|my|his|her|its|just|still|now|also|what|that|this|it|he|she|they|i|me|you)\b)"
    r"[^\W\d_][^\W\d_’'-]*[\w’-]*"
)
_SHOWN = r"(?-i:[A-Z][a-zà-ÿ][\w’-]*)(?<!['’]s)"
_SPOKEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:my|our|the|his|her|their) {_TITLE},? (?P<name>{_SHOWN})",
        (
            rf"\b(?:my|our|the|an?|his|her|their|this) (?:\w+ )?{_TITLE}"
            r"(?:['’]?s name(?:['’]?s| is)|,? (?:(?:is|was|who['’]?s|we|i) )?(?:called|named|name)"
            r"|,? (?:(?:i|we|and|n|&) )*(?:called|named) (?:him|her|it)) "
            rf"(?P<name>{NAME})"
        ),
        (
            r"\b(?:are|were) (?:called|named) (?:[^\W\d_]+(?:, | and | & ))*?"
            rf"(?P<name>{NAME})(?=, | and | &|[.!]?$)"
        ),
        rf"\b(?:are|were) (?:called|named) (?:[^\W\d_]+(?:, | and | & ))+(?P<name>{NAME})",
        rf"(?:^|[,;] ){_TITLE} (?:called|named) (?P<name>{NAME})",
        rf"\b(?P<pronoun>his|her|its|their) name(?:['’]?s| is) (?P<name>{NAME})",
        rf"\b(?P<pronoun>he|she|it)(?:['’]s| is) (?:called|named) (?P<name>{NAME})",
        rf"(?<![\w'’-])(?P<name>{_SHOWN}),? (?:is )?(?:my|our) {_TITLE}",
        rf"(?<![\w'’-])(?P<name>{_SHOWN}) the {_TITLE}",
    )
)
_NO_NAME = frozenset(
    [
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
        "Is",
        "Was",
        "Has",
        "And",
        "But",
    ]
)


class NameMention(NamedTuple):
    name: str
    title: str | None
    pronoun: str | None
    sentence: str
    message: int
    fresh: bool


def find_name_mentions(text: str, message: int, *, fresh: bool) -> Iterator[NameMention]:
    for sentence in split_sentences(text):
        for pattern in _SPOKEN:
            for match in pattern.finditer(sentence):
                caught = match.groupdict()
                if (name := capitalize_name(caught["name"])) is None:
                    continue
                title, pronoun = caught.get("title"), caught.get("pronoun")
                yield NameMention(
                    name,
                    title and title.lower(),
                    pronoun and pronoun.lower(),
                    sentence.strip(),
                    message,
                    fresh,
                )


def capitalize_name(word: str | None) -> str | None:
    """Return a name with its capital, which the writer may have left out."""
    if not word:
        return None
    name = word[:1].upper() + word[1:]
    return None if name in _NO_NAME else name


def is_pet_title(title: str) -> bool:
    return re.fullmatch(rf"(?:\w+ )?{_ANIMAL}", title) is not None


def is_unspecific_title(title: str) -> bool:
    """Tell whether a title names nobody in particular: a lad, a woman."""
    return re.fullmatch(rf"(?:\w+ )?{_ANYBODY}", title) is not None

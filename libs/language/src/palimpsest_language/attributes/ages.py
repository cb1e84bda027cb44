"""Ages as an attribute of a person: a new age replaces the old one."""

import re

from palimpsest.model.kinds import KINDS, Kind
from palimpsest.model.memory import MemoryOrCandidateT
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.time_expressions.numerals import parse_chinese_number

AGE = "age"
_PHRASES = read_phrases("attributes/ages")
_AGE, _AGE_OF_PERSON = _PHRASES["age"], _PHRASES["age_of_person"]
_HIGHEST = 120
_LONGEST_STATEMENT = 200
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_NUMBERS = {word: place for place, word in enumerate(_ONES, start=1)} | {
    word: 10 * place for place, word in enumerate(_TENS, start=2)
}
_NAME = re.compile(r"[A-Z][a-z]+(?:[ -][A-Z][a-z]+)?")


def mark_age(plain: MemoryOrCandidateT) -> MemoryOrCandidateT:
    """Return the memory, with its age as the attribute if it states how old somebody is.

    An event such as turning nine is kept as a fact, because the age holds on.
    """
    if plain.attribute is not None or plain.subject is None or plain.valid_until is not None:
        return plain
    if len(plain.content) > _LONGEST_STATEMENT or (age := find_age(plain)) is None:
        return plain
    marked = {"attribute": AGE, "value": str(age)}
    if not plain.kind.times.is_occurrence:
        return plain.model_copy(update=marked)
    fact = KINDS[Kind.FACT]
    importance = max(plain.importance, fact.importance)
    return plain.model_copy(
        update={
            **marked,
            "kind": Kind.FACT,
            "lifetime": fact.lifetime,
            "importance": importance,
        }
    )


def find_age(plain: MemoryOrCandidateT) -> int | None:
    """Return the age in years, 1 to 120, that a statement gives its subject; None without one."""
    match = _AGE.search(plain.content)
    if match is None and _is_person(plain):
        match = _AGE_OF_PERSON.search(plain.content)
    age = None if match is None else _parse(match["value"])
    return age if age is not None and 1 <= age <= _HIGHEST else None


def _is_person(plain: MemoryOrCandidateT) -> bool:
    """Tell whether the memory is about a person, so that a bare number may be an age."""
    if plain.kind is Kind.PERSON:
        return True
    subject = plain.subject or ""
    return _NAME.fullmatch(subject) is not None and plain.content.startswith(f"{subject} is")


def _parse(written: str) -> int | None:
    words = re.split(r"[- ]", written.lower())
    if all(word in _NUMBERS for word in words):
        return sum(_NUMBERS[word] for word in words)
    try:
        return parse_chinese_number(written)
    except KeyError:
        return None

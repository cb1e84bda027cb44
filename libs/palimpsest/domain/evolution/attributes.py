"""Attributes of a subject: which of them have one value at a time."""

from palimpsest.domain.evolution.wording import normalised

SINGLE_VALUED = frozenset(
    {
        "employer",
        "city",
        "job",
        "name",
        "age",
        "birthday",
        "hometown",
        "response_language",
    }
)
SINGLE_VALUED_PREFIXES = ("preferred_", "favorite_", "favourite_")
"""Another value takes the place of the one before. Of every other attribute several values
stand beside each other: to keep two is a nuisance, to lose one is a loss."""

_THE_USER = frozenset({"", "user", "the user", "i", "me", "my", "myself", "我", "用户", "本人"})


def attribute_named(attribute: str) -> str:
    """The attribute however it is written: `Preferred Language` is `preferred_language`."""
    return normalised(attribute).replace(" ", "_")


def subject_named(subject: str | None) -> str:
    """The subject however it is written; whoever speaks of nobody speaks of the user."""
    name = normalised(subject or "")
    return "user" if name in _THE_USER else name


def is_single_valued(attribute: str) -> bool:
    name = attribute_named(attribute)
    return name in SINGLE_VALUED or name.startswith(SINGLE_VALUED_PREFIXES)


def same_value(one: str | None, other: str | None) -> bool:
    return normalised(one or "") == normalised(other or "")

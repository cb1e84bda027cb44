"""Separations: a statement that a couple parted ends the attribute `partner`."""

import re
from functools import lru_cache

from palimpsest.model.kind_properties import Wording
from palimpsest.model.memory import MemoryOrCandidateT
from palimpsest_language.attributes.attribute_names import canonical_subject

_NAME = r"(?P<name>(?!(?:I|He|She|They|We|It|The|And)\b)[A-Z][\w-]+)"
_TITLE = (
    r"(?:(?:[Tt]he user['’]s|[Tt]heir|[Mm]y) (?:ex[- ])?(?:girlfriend|boyfriend|partner|husband"
    r"|wife|fianc[eé]e?),? )?"
)
_PARTED = (
    r"(?:broke up|broken up|split up|have split up|separated|parted ways|got divorced|are no "
    r"longer together)"
)
_LATELY = r"(?: (?:has|have|just|recently|finally|sadly))*"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^(?:[Tt]he user|I) and {_TITLE}{_NAME}{_LATELY} {_PARTED}\b",
        rf"^{_TITLE}{_NAME} and (?:the user|I){_LATELY} {_PARTED}\b",
        (
            rf"^(?:[Tt]he user|I){_LATELY} (?:broke up|broken up|split up|parted ways) with "
            rf"{_TITLE}{_NAME}"
        ),
        rf"^{_TITLE}{_NAME}{_LATELY} (?:broke up|split up) with (?:the user|me|them)\b",
        (
            rf"^{_TITLE}{_NAME}{_LATELY} (?:left|dumped|divorced) (?:the user|me)(?=[.!]?$| "
            r"(?:last|this|for (?!a )|after|because|yesterday)\b)"
        ),
        (
            r"^(?:[Tt]he user|I)(?: is|['’]s| am|['’]m) no longer "
            rf"(?:with|dating|seeing|together with|engaged to) {_TITLE}{_NAME}"
        ),
    )
)
_NOT_SO = re.compile(
    r"\b(?:not|never|almost|nearly|might|may|if|back together|made up|again and)\b|n['’]t\b"
)


def mark_separation(plain: MemoryOrCandidateT) -> MemoryOrCandidateT:
    """Return the memory, as the end of a value if it tells of a separation; otherwise unchanged."""
    if plain.attribute is not None or not plain.kind.has(Wording.SEPARATION):
        return plain
    name = find_separated_partner(plain.content)
    # “Elena and the user broke up” may have either subject.
    if name is None or canonical_subject(plain.subject) not in ("user", canonical_subject(name)):
        return plain
    about = {"subject": "user", "attribute": "partner", "value": name, "ended": True}
    return plain.model_copy(update=about)


@lru_cache(maxsize=4096)
def find_separated_partner(content: str) -> str | None:
    """Return the former partner that the content names; None without one."""
    if _NOT_SO.search(content):
        return None
    found = (pattern.search(content) for pattern in _PATTERNS)
    return next((match["name"] for match in found if match is not None), None)

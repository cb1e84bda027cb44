"""Finds statements that somebody says are true of another person, not of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from palimpsest.model.bilingual_text import has_chinese
from palimpsest_language.rule_tables import is_enabled, note_match, read_rules
from palimpsest_language.vocabulary.lazy_pattern import LazyPattern

_ROWS = tuple(
    (row.id, LazyPattern(row.pattern, re.IGNORECASE))
    for row in read_rules("disowned/statement_denials")
)
_HINT = re.compile(
    r"\b(?:not|isn['’]?t|wasn['’]?t|never) (?:me|mine|the one|my own|I)\b|\ballergy (?:is|was)\b"
    r"|不是我",
    re.IGNORECASE,
)
_PRONOUNS = {
    "he": "he", "him": "he", "his": "he", "she": "she", "her": "she", "hers": "she",
    "they": "they", "them": "they", "theirs": "they", "their": "they",
    "他": "他", "她": "她", "他们": "他", "她们": "她",
}  # fmt: skip
_FIRST = {"is": "am", "was": "am", "has": "have", "does": "do", "'s": "am", "’s": "am"}
_UNCOUNTED = frozenset(
    {"penicillin", "seafood", "shellfish", "fish", "milk", "dairy", "gluten", "soy", "wheat"}
    | {"pollen", "latex", "dust", "nickel", "aspirin", "ibuprofen", "lactose", "sesame", "hay"}
)
_MASS = re.compile(
    r"(?:diabetes|asthma|migraine|arthritis|cancer|adhd|celiac|anemia|depression|anxiety|epilepsy"
    r"|hypertension|insomnia|gout|eczema|autism|dyslexia|\w+(?:itis|osis|emia|pathy|ism)|.*s)\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class DeniedStatement:
    """A statement that is not true of its speaker."""

    words: str
    """The words of the denial, verbatim."""
    says: str
    """The statement in words that follow "I" or 我: "am allergic to walnuts", 对海鲜过敏."""
    owner: str | None
    """The person of whom it is true: a name, "my brother"; None for a pronoun."""
    pronoun: str | None


def find_denied_statements(text: str) -> Iterator[DeniedStatement]:
    """Find denials in a text, form by form, each from left to right."""
    if _HINT.search(text) is None:
        return
    for rule, pattern in _ROWS:
        if is_enabled(rule):
            for match in pattern.compiled.finditer(text):
                note_match(rule)
                groups = match.groupdict()
                owner = re.sub(r"['’]s\Z", "", groups["of"])
                pronoun = _PRONOUNS.get(owner.casefold())
                yield DeniedStatement(
                    words=match.group().strip(" ，,。；;：:"),
                    says=_say(groups),
                    owner=None if pronoun else owner,
                    pronoun=pronoun,
                )


def _say(groups: dict[str, str | None]) -> str:
    if allergy := groups.get("allergy"):
        return f"am allergic to {_plural(allergy.strip())}"
    if (thing := groups.get("has")) and groups.get("allergy_zh"):
        return f"对{thing}过敏"
    if thing:
        thing = thing.strip()
        if has_chinese(thing):
            return f"有{thing}"
        return f"have {thing}" if _MASS.match(thing) else f"have a {thing}"
    words = (groups.get("is") or "").strip()
    return words if has_chinese(words) else _in_first_person(words, groups)


def _plural(thing: str) -> str:
    last = thing.rsplit(maxsplit=1)[-1].lower()
    return thing if last.endswith("s") or last in _UNCOUNTED else f"{thing}s"


def _in_first_person(words: str, groups: dict[str, str | None]) -> str:
    if groups.get("with"):
        return f"have {words}"
    first, _, rest = words.partition(" ")
    if first in _FIRST:
        return f"{_FIRST[first]} {rest}"
    if rest and first.endswith("s") and not first.endswith("ss"):
        return f"{first[:-1]} {rest}"
    return f"am {words}"

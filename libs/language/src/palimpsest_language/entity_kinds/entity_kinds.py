"""Kinds of names, inferred from the words of a statement: who works, a dog called Rex."""

from collections.abc import Iterator, Mapping

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.entity import EntityKind
from palimpsest_language.attributes.technologies import find_technology_kind
from palimpsest_language.facts.chinese.places import is_known_place
from palimpsest_language.phrase_tables import read_phrases

_SURE_FIRST = (
    EntityKind.PET,
    EntityKind.PERSON,
    EntityKind.ORGANISATION,
    EntityKind.PLACE,
)
"""The precedence of kinds with cues for one name: a sister called Paris is a person."""


def find_name_kind(name: str) -> EntityKind | None:
    """Return the kind of a name known by itself (Redis, 深圳); None if context must tell."""
    words = name.split(" ")
    if find_technology_kind(name) or (words[-1].isdigit() and find_technology_kind(words[0])):
        return EntityKind.TECHNOLOGY
    return EntityKind.PLACE if is_known_place(name) else None


def find_entity_kinds(content: str) -> dict[str, EntityKind]:
    """Return the names whose kind the words of a statement tell, as they are written there."""
    phrases = read_phrases(f"entity_kinds/{'chinese' if has_chinese(content) else 'english'}_cues")
    found: dict[str, EntityKind] = {}
    for kind in _SURE_FIRST:
        for match in phrases[kind.value].finditer(content):
            for name in _list_names(match.groupdict()):
                found.setdefault(name, find_name_kind(name) or kind)
    return found


def _list_names(groups: Mapping[str, str | None]) -> Iterator[str]:
    for group in ("name", "other"):
        name = groups.get(group)
        if name:
            yield name.strip()

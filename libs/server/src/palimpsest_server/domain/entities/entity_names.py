"""Names as they are written, and which spellings are the same name.

Spellings are the same name only if they differ in nothing but case, width, spaces and punctuation,
and only if they are long enough for that to be telling. Two entities for one person are a nuisance.
One entity for two people is an error that every further statement makes worse.
"""

import re

from palimpsest.model.entity import EntityKind
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Memory
from palimpsest_language.attributes.attribute_names import USAGE_ATTRIBUTES, canonical_attribute
from palimpsest_language.entity_kinds.entity_kinds import find_entity_kinds, find_name_kind
from palimpsest_language.wording.normalization import normalize_wording

SHORT_LATIN_CHARACTERS = 3
"""Names of at most this length also differ by case and spaces: US is not us."""

LONGEST_NAME_CHARACTERS = 200
"""A longer text is no name."""

_BETWEEN_DIGITS = re.compile(r"(?<=\d) (?=\d)")
_NOBODY = frozenset(
    normalize_wording(word)
    for word in [
        "user",
        "agent",
        "assistant",
        "team",
        "project",
        "decision",
        "conclusion",
        "lesson",
        "company",
        "me",
        "i",
        "we",
        "用户",
        "助手",
        "团队",
        "项目",
        "公司",
        "我",
        "我们",
        "决定",
        "结论",
        "教训",
    ]
)


_KIND_OF_ATTRIBUTE = {
    "employer": EntityKind.ORGANISATION,
    "school": EntityKind.ORGANISATION,
    "city": EntityKind.PLACE,
    "work_city": EntityKind.PLACE,
    "country": EntityKind.PLACE,
    "hometown": EntityKind.PLACE,
    "pets": EntityKind.PET,
    "name": EntityKind.PERSON,
    "spouse": EntityKind.PERSON,
    "children": EntityKind.PERSON,
    **dict.fromkeys(USAGE_ATTRIBUTES, EntityKind.TECHNOLOGY),
}


def build_name_key(name: str) -> str:
    """Return a key that is equal for spellings of one name: `TechCorp`, `Tech Corp` and `ｔｅｃｈ-ｃｏｒｐ`."""
    plain = normalize_wording(name)
    letters = plain.replace(" ", "")
    if letters.isascii() and len(letters) <= SHORT_LATIN_CHARACTERS:
        return " ".join(name.split())
    return _BETWEEN_DIGITS.sub("\x00", plain).replace(" ", "").replace("\x00", " ")


def find_entity_names(memory: Memory | Candidate) -> dict[str, EntityKind | None]:
    """Return the names in a memory as written there, with their kind if the memory tells it."""
    names = list_names(memory)
    told = find_entity_kinds(memory.content) if names else {}
    kinds = {build_name_key(name): kind for name, kind in told.items()}
    return {name: _kind(memory, name, kinds.get(build_name_key(name))) for name in names}


def list_names(memory: Memory | Candidate) -> tuple[str, ...]:
    """Return the names in a memory, each once: its entities, and its subjects."""
    written = (name.strip() for name in (*memory.entities, memory.subject or ""))
    return tuple(
        dict.fromkeys(
            name
            for name in written
            if name
            and len(name) <= LONGEST_NAME_CHARACTERS
            and normalize_wording(name) not in _NOBODY | {""}
        )
    )


def _kind(memory: Memory | Candidate, name: str, told: EntityKind | None) -> EntityKind | None:
    """Return the kind of a name by the attribute, by the content's words, by the name, or as a person."""
    is_value = memory.value is not None and build_name_key(name) == build_name_key(memory.value)
    attribute = canonical_attribute(memory.attribute or "") if is_value else ""
    of_value = _KIND_OF_ATTRIBUTE.get(attribute)
    if of_value is None and is_value and memory.kind is Kind.PERSON:
        of_value = EntityKind.PERSON
    is_person = memory.kind is Kind.PERSON and name == (memory.subject or "").strip()
    return of_value or told or find_name_kind(name) or (EntityKind.PERSON if is_person else None)

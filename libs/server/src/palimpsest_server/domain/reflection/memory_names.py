"""The names that memories are about, which group memories about the same thing."""

from collections.abc import Iterable, Iterator

from palimpsest.model.memory import Memory
from palimpsest_language.attributes.attribute_names import canonical_subject
from palimpsest_language.wording.normalization import normalize_wording


def collect_names(memory: Memory) -> dict[str, str]:
    """Return the memory's entities and value as written, by their normalised form.

    The user is left out.
    """
    written = (*memory.entities, *((memory.value,) if memory.value else ()))
    found = {normalize_wording(name): name.strip() for name in written if name.strip()}
    return {
        plain: name for plain, name in found.items() if plain and canonical_subject(name) != "user"
    }


def group_by_name(memories: Iterable[Memory]) -> Iterator[tuple[str, str, list[Memory]]]:
    """Yield each name with its first spelling, and the memories that mention it."""
    written: dict[str, str] = {}
    speaking: dict[str, list[Memory]] = {}
    for memory in memories:
        for plain, name in collect_names(memory).items():
            written.setdefault(plain, name)
            speaking.setdefault(plain, []).append(memory)
    for plain, found in sorted(speaking.items()):
        yield plain, written[plain], found

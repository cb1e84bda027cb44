"""Sections of the files: which kinds stand in which file, under which heading."""

from collections.abc import Mapping
from functools import cache

from palimpsest.api.command_requests import AddRequest
from palimpsest.model.kind_properties import MemoryFile, SectionTitle
from palimpsest.model.kinds import KINDS, SECTIONS, Kind

FILE_TITLES: Mapping[MemoryFile, SectionTitle] = {
    MemoryFile.MEMORY: SectionTitle(english="Memory", chinese="记忆"),
    MemoryFile.LEARNINGS: SectionTitle(english="Learnings", chinese="经验"),
}


def write_heading(title: SectionTitle) -> str:
    """Return a heading in both languages, which stays the same whatever the memories are written in."""
    return f"{title.english} · {title.chinese}"


@cache
def list_sections(file: MemoryFile) -> tuple[SectionTitle, ...]:
    """Return the sections of a file, in their order."""
    held = {properties.section for properties in KINDS.values() if properties.file is file}
    return tuple(title for title in SECTIONS if title in held)


def find_section(file: MemoryFile, heading: str) -> SectionTitle | None:
    """Return the section of a heading in either language or both; None for a heading of a person's own."""
    words = _fold(heading)
    for title in list_sections(file):
        if words in {_fold(title.english), _fold(title.chinese), _fold(write_heading(title))}:
            return title
    return None


def is_file_title(file: MemoryFile, heading: str) -> bool:
    return _fold(heading) == _fold(write_heading(FILE_TITLES[file]))


def choose_kind(file: MemoryFile, section: SectionTitle | None) -> Kind:
    """Return the kind of a new line: the first kind of its section, or the usual one of the file."""
    kinds = [kind for kind in Kind if KINDS[kind].file is file]
    usual: Kind = AddRequest.model_fields["kind"].default
    if section is None:
        return usual if usual in kinds else kinds[0]
    return next(kind for kind in kinds if KINDS[kind].section == section)


def _fold(heading: str) -> str:
    return " ".join(heading.split()).casefold()

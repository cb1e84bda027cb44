"""Write the memories of a file. The same memories and the same text beside them give the same bytes."""

from collections.abc import Iterable, Mapping, Sequence

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.workspace.file_contents import (
    Anchor,
    KeptText,
    ShownMemory,
    Snapshot,
    WrittenLine,
    digest_words,
)
from palimpsest.workspace.file_marks import (
    INTRODUCTION,
    write_confirmation,
    write_end,
    write_note,
)
from palimpsest.workspace.line_text import write_line
from palimpsest.workspace.sections import FILE_TITLES, list_sections, write_heading

SHORTEST_ID = 8
"""The characters of an id that stand in a file, unless two memories begin alike."""


def take_snapshot(file: MemoryFile, memories: Iterable[ShownMemory]) -> Snapshot:
    """Return the lines of a file, in the order in which they are written."""
    places = {section: place for place, section in enumerate(list_sections(file))}
    shown = [memory for memory in memories if memory.file is file]
    shown.sort(key=lambda memory: (places[memory.section], memory.order, memory.id))
    return Snapshot(
        lines=tuple(
            WrittenLine(id=memory.id, section=memory.section.english, text=memory.content)
            for memory in shown
        )
    )


def render_file(
    file: MemoryFile,
    snapshot: Snapshot,
    *,
    kept: Sequence[KeptText] = (),
    asked: Sequence[str] = (),
) -> str:
    """Return the text of a file.

    Args:
        file: which of the files.
        snapshot: its lines.
        kept: a person's own text, with its places.
        asked: ids of memories whose lines were gone, and of which the file asks.
    """
    short = shorten_ids([line.id for line in snapshot.lines])
    own_text = _KeptTexts(kept, snapshot, short)
    parts = [f"# {write_heading(FILE_TITLES[file])}", "", *INTRODUCTION]
    if asked:
        parts += ["", write_confirmation(digest_words(sorted(asked)), len(asked))]
    parts += own_text.at(Anchor())
    for section in list_sections(file):
        parts += ["", f"## {write_heading(section)}", ""]
        beginning = own_text.at(Anchor(section=section.english))
        lines: list[str] = []
        for line in snapshot.lines:
            if line.section == section.english:
                lines.append(f"- {write_line(line.text)} <!-- {short[line.id]} -->")
                lines += own_text.at(Anchor(section=line.section, line_id=short[line.id]))
        ending = own_text.at(Anchor(section=section.english, at_end=True))
        written = [*beginning, *lines, *ending]
        parts += written or []
        if not written:
            parts.pop()
    return "\n".join([*parts, "", write_end(snapshot.token), ""])


def shorten_ids(ids: Sequence[str]) -> Mapping[str, str]:
    """Return ids cut to as many characters as tell them apart."""
    length = SHORTEST_ID
    while len({memory_id[:length] for memory_id in ids}) < len(set(ids)):
        length += 1
    return {memory_id: memory_id[:length] for memory_id in ids}


class _KeptTexts:
    """A person's own text by its place; text behind a line that is gone moves to the section's end."""

    def __init__(
        self, kept: Sequence[KeptText], snapshot: Snapshot, short: Mapping[str, str]
    ) -> None:
        self._by_place: dict[Anchor, list[KeptText]] = {}
        places = {(line.section, short[line.id]) for line in snapshot.lines}
        by_id = {short[line.id]: line for line in snapshot.lines}
        for text in kept:
            anchor = text.anchor
            if anchor.line_id is not None and (anchor.section, anchor.line_id) not in places:
                line = by_id.get(anchor.line_id)
                anchor = (
                    Anchor(section=line.section, line_id=anchor.line_id)
                    if line is not None
                    else Anchor(section=anchor.section, at_end=True)
                )
            if anchor.section is None:
                anchor = Anchor()
            self._by_place.setdefault(anchor, []).append(text)

    def at(self, anchor: Anchor) -> list[str]:
        lines: list[str] = []
        for text in self._by_place.get(anchor, ()):
            note = [] if text.note is None else [write_note(text.note)]
            lines += ["", *note, *text.lines] if anchor.section is None else [*note, *text.lines]
        return lines

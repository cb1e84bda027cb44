"""Find the memory of each line of a file: by the id in its comment, or by its words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.workspace.file_contents import (
    FileLine,
    ParsedFile,
    ShownMemory,
    Snapshot,
    WrittenLine,
)


@dataclass(frozen=True)
class ReadFile:
    """A file as a person left it, and the snapshot that it is compared with."""

    file: MemoryFile
    parsed: ParsedFile
    written: Snapshot
    """The lines that the person's version began from."""
    is_known: bool = True
    """False if nobody knows which lines the person's version began with: then none of them is gone."""
    asked: frozenset[str] = frozenset()
    """Ids of the memories of which the file asks whether they are to be forgotten."""


@dataclass(frozen=True)
class MatchedLine:
    """A line with its memory."""

    file: MemoryFile
    line: FileLine
    id: str | None
    """The id of its memory; None for a new line."""
    written: WrittenLine | None = None
    """The line as the program wrote it; None if it did not."""


@dataclass(frozen=True)
class MatchedLines:
    lines: Sequence[MatchedLine] = ()
    present: frozenset[str] = frozenset()
    """Ids of memories that have a line, or stand in text that could not be read."""


@dataclass
class _Known:
    """Lines as they were written, and memories as they are."""

    memories: Mapping[str, ShownMemory]
    by_file: Mapping[MemoryFile, Mapping[str, WrittenLine]]
    taken: set[str] = field(default_factory=set)

    def resolve(self, short: str, file: MemoryFile) -> str | None:
        """Return the id that begins so; None if there is none, or more than one."""
        known = [self.by_file.get(file, {}), *self.by_file.values(), self.memories]
        for ids in known:
            matches = [memory_id for memory_id in ids if memory_id.startswith(short)]
            if len(matches) == 1:
                return matches[0]
        return None

    def written(self, memory_id: str, file: MemoryFile) -> WrittenLine | None:
        here = self.by_file.get(file, {}).get(memory_id)
        elsewhere = (lines.get(memory_id) for lines in self.by_file.values())
        return here or next((line for line in elsewhere if line is not None), None)

    def may_own(self, memory_id: str, file: MemoryFile, line: FileLine) -> bool:
        """Tell whether the memory stands, or its line is as it was written."""
        written = self.written(memory_id, file)
        return memory_id in self.memories or (written is not None and written.text == line.text)

    def find_by_words(self, text: str, file: MemoryFile) -> str | None:
        """Return a memory without a line that was written so, or says so now."""
        files = [file, *(other for other in self.by_file if other is not file)]
        for other in files:
            for line in self.by_file.get(other, {}).values():
                if line.text == text and line.id not in self.taken:
                    return line.id
        for memory in self.memories.values():
            if memory.content == text and memory.id not in self.taken:
                return memory.id
        return None


def match_lines(files: Sequence[ReadFile], memories: Mapping[str, ShownMemory]) -> MatchedLines:
    """Match the lines of the files of one scope; copies of a line are left out."""
    known = _Known(
        memories, {read.file: {line.id: line for line in read.written.lines} for read in files}
    )
    protected = {
        memory_id
        for read in files
        for short in read.parsed.protected
        if (memory_id := known.resolve(short, read.file)) is not None
    }
    owners = _choose_owners(files, known)
    known.taken |= set(owners) | protected
    by_line = {id(line): memory_id for memory_id, (_, line) in owners.items()}
    said = {line.text for _, line in owners.values()}
    matched: list[MatchedLine] = []
    for file, line in _every_line(files):
        memory_id = by_line.get(id(line))
        if memory_id is None:
            memory_id = known.find_by_words(line.text, file)
            if memory_id is not None:
                known.taken.add(memory_id)
            elif line.text in said:
                continue
            said.add(line.text)
        written = None if memory_id is None else known.written(memory_id, file)
        matched.append(MatchedLine(file, line, memory_id, written))
    return MatchedLines(matched, frozenset(known.taken))


def _every_line(files: Sequence[ReadFile]) -> Iterator[tuple[MemoryFile, FileLine]]:
    for read in files:
        for line in read.parsed.lines:
            yield read.file, line


def _choose_owners(
    files: Sequence[ReadFile], known: _Known
) -> dict[str, tuple[MemoryFile, FileLine]]:
    """Return the line of each memory; of several with its id the unchanged one, else the first.

    A changed line whose memory is gone says something new: it belongs to none.
    """
    candidates: dict[str, list[tuple[MemoryFile, FileLine]]] = {}
    for file, line in _every_line(files):
        memory_id = None if line.id is None else known.resolve(line.id, file)
        if memory_id is not None and known.may_own(memory_id, file, line):
            candidates.setdefault(memory_id, []).append((file, line))
    return {
        memory_id: max(lines, key=partial(_rate_owner, memory_id, known))
        for memory_id, lines in candidates.items()
    }


def _rate_owner(
    memory_id: str, known: _Known, place: tuple[MemoryFile, FileLine]
) -> tuple[bool, ...]:
    file, line = place
    written, memory = known.written(memory_id, file), known.memories.get(memory_id)
    return (
        written is not None and written.text == line.text,
        memory is not None and memory.content == line.text,
        memory is not None and memory.file is file,
    )

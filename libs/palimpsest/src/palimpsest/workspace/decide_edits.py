"""Decide what a person's edits of the files of one scope become. No I/O.

Three versions of each line are compared: as the program wrote it, as it stands in the file, and as
the memory is now. What a person changed holds. What they did not touch follows the memory.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.workspace.commands import WorkspaceCommand
from palimpsest.workspace.file_contents import (
    ORDER_FIELD,
    ShownMemory,
    digest_words,
)
from palimpsest.workspace.match_lines import MatchedLine, ReadFile, match_lines
from palimpsest.workspace.place_lines import place_lines
from palimpsest.workspace.sections import choose_kind

NOTHING_SETTLED: Mapping[str, str | None] = MappingProxyType({})

LARGEST_SHARE_GONE = 5
"""A fifth of the lines may go at once; a single line always may."""


@dataclass(frozen=True)
class Decision:
    """Commands for the edits of a person, and memories that wait for their confirmation."""

    commands: Sequence[WorkspaceCommand] = ()
    refused: Sequence[tuple[MatchedLine, str]] = ()
    """Lines whose words were refused, with the reason. They stay in the file as text."""
    asked: Mapping[MemoryFile, frozenset[str]] = field(default_factory=dict)
    """Memories whose lines are gone, by the file that is to ask whether to forget them."""


def decide_edits(
    files: Sequence[ReadFile],
    memories: Mapping[str, ShownMemory],
    *,
    settled: Mapping[str, str | None] = NOTHING_SETTLED,
    unmovable: frozenset[str] = frozenset(),
    confirmed: bool = False,
) -> Decision:
    """Decide what the edits of these files become. Of a file with conflict markers nothing is read.

    Args:
        files: the files of one scope.
        memories: the memories of the scope as they are now, by id.
        settled: words that were sent since the files were written, each with the reason of its
            refusal, or None if they were taken.
        unmovable: memories whose kind and place were refused.
        confirmed: forget what is gone from the files, however much it is.
    """
    files = [read for read in files if not read.parsed.has_conflict]
    matched = match_lines(files, memories)
    commands: list[WorkspaceCommand] = []
    refused: list[tuple[MatchedLine, str]] = []
    places = place_lines(files, matched, memories)
    for number, line in enumerate(matched.lines):
        command = _decide_line(line, memories, places.get(number))
        if command is None or (command.content is None and command.memory_id in unmovable):
            continue
        reason = settled.get(command.content) if command.content is not None else None
        if reason is not None:
            refused.append((line, reason))
        elif command.action != "add" or command.content not in settled:
            commands.append(command)
    edited = {command.memory_id for command in commands}
    asked: dict[MemoryFile, frozenset[str]] = {}
    for read in files:
        gone = [
            line.id
            for line in read.written.lines
            if line.id in memories and line.id not in matched.present
        ]
        going, asked[read.file] = _decide_gone(read, gone, confirmed=confirmed)
        still_there = read.asked & memories.keys() - edited
        asked[read.file] |= _keep_asking(read, still_there)
        going |= _confirmed(read, still_there)
        commands += [
            WorkspaceCommand(
                action="forget", memory_id=memory_id, line_stands=memory_id in matched.present
            )
            for memory_id in sorted(going)
        ]
    return Decision(commands=commands, refused=refused, asked=asked)


def _decide_line(
    matched: MatchedLine, memories: Mapping[str, ShownMemory], order: int | None
) -> WorkspaceCommand | None:
    line, written = matched.line, matched.written
    section = line.section
    memory = None if matched.id is None else memories.get(matched.id)
    is_reworded = written is None or line.text != written.text
    if memory is None:
        if matched.id is not None and written is not None and not is_reworded:
            return None
        kind = choose_kind(matched.file, section)
        return WorkspaceCommand(action="add", content=line.text, kind=kind, order=order)
    content = line.text if is_reworded and line.text != memory.content else None
    was_in = written.section if written is not None else memory.section.english
    is_moved = section is not None and section.english != was_in and memory.section != section
    new_kind = choose_kind(matched.file, section) if is_moved else None
    if content is None and new_kind is None and order is None:
        return None
    is_placed = order is not None
    return WorkspaceCommand(
        action="edit",
        memory_id=memory.id,
        content=content,
        kind=new_kind,
        order=order,
        data={**memory.data, ORDER_FIELD: order} if is_placed else None,
        version=memory.version if is_placed else None,
    )


def _decide_gone(
    read: ReadFile, gone: Sequence[str], *, confirmed: bool
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the memories to forget, and those to ask about: never many at once without asking."""
    if not gone:
        return frozenset(), frozenset()
    most = max(1, len(read.written.lines) // LARGEST_SHARE_GONE)
    is_whole = read.is_known and read.parsed.is_complete
    if confirmed or (is_whole and len(gone) <= most):
        return frozenset(gone), frozenset()
    return frozenset(), frozenset(gone)


def _keep_asking(read: ReadFile, asked: frozenset[str]) -> frozenset[str]:
    """Return the memories to ask about again: the question stands, or the file that bore it is gone."""
    confirmation = read.parsed.confirmation
    if confirmation is None:
        return frozenset() if read.parsed.is_complete else asked
    return frozenset() if confirmation.is_ticked else asked


def _confirmed(read: ReadFile, asked: frozenset[str]) -> frozenset[str]:
    confirmation = read.parsed.confirmation
    if confirmation is None or not confirmation.is_ticked:
        return frozenset()
    is_of_these = confirmation.token == digest_words(sorted(read.asked))
    return asked if is_of_these else frozenset()

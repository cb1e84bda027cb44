"""The effect of sent commands on what was last written, before the file is written anew. No I/O."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.kinds import KINDS
from palimpsest.workspace.commands import WorkspaceCommand
from palimpsest.workspace.file_contents import Snapshot, WrittenLine
from palimpsest.workspace.scope_memories import CommandOutcome


@dataclass(frozen=True)
class SentCommand:
    command: WorkspaceCommand
    outcome: CommandOutcome


MOST_ATTEMPTS = 3
"""Times that an edit is decided anew because its memory is another one by now."""

OUTDATED_WORDS = "its memory changed at the same time, again and again"


def list_settled_words(sent: Iterable[SentCommand]) -> dict[str, str | None]:
    """Return the words that were sent, with the reason of their refusal or None."""
    settled: dict[str, str | None] = {}
    for words, attempts in _group(sent, lambda command: command.content):
        last = attempts[-1]
        if last.state == "done":
            settled[words] = None
        elif last.state == "refused":
            settled[words] = last.words
        elif len(attempts) >= MOST_ATTEMPTS:
            settled[words] = OUTDATED_WORDS
    return settled


def list_unmovable(sent: Iterable[SentCommand]) -> frozenset[str]:
    """Return the memories whose kind and place cannot be changed: their lines go back."""
    moves = [attempt for attempt in sent if attempt.command.content is None]
    return frozenset(
        memory_id
        for memory_id, attempts in _group(moves, lambda command: command.memory_id)
        if attempts[-1].state == "refused" or len(attempts) >= MOST_ATTEMPTS
    )


def _group(
    sent: Iterable[SentCommand], name: Callable[[WorkspaceCommand], str | None]
) -> Iterable[tuple[str, list[CommandOutcome]]]:
    """Return the outcomes of the commands of each name, in their order."""
    groups: dict[str, list[CommandOutcome]] = {}
    for attempt in sent:
        if (named := name(attempt.command)) is not None:
            groups.setdefault(named, []).append(attempt.outcome)
    return groups.items()


def apply_sent(file: MemoryFile, written: Snapshot, sent: Sequence[SentCommand]) -> Snapshot:
    """Return the snapshot as if the file had been written after these commands.

    Then nothing that was sent is decided again, and what the person changed since is.
    """
    lines = {line.id: line for line in written.lines}
    for attempt in sent:
        command, memory_id = attempt.command, attempt.outcome.memory_id
        if attempt.outcome.state != "done":
            continue
        if command.action == "forget":
            if not command.line_stands:
                lines.pop(command.memory_id or "", None)
        elif memory_id is not None:
            _write(file, lines, command, memory_id)
    return Snapshot(lines=tuple(lines.values()))


def _write(
    file: MemoryFile, lines: dict[str, WrittenLine], command: WorkspaceCommand, memory_id: str
) -> None:
    before = lines.get(memory_id)
    if command.action == "add" and before is not None:
        # The services knew these words already: the line of that memory stands for both.
        return
    if command.kind is not None and KINDS[command.kind].file is not file:
        lines.pop(memory_id, None)
        return
    section = before.section if before else None
    text = before.text if before else None
    if command.kind is not None:
        section = KINDS[command.kind].section.english
    if command.content is not None:
        text = command.content
    if section is not None and text is not None:
        lines[memory_id] = WrittenLine(id=memory_id, section=section, text=text)

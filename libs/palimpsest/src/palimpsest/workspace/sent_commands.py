"""The effect of sent commands on what was last written, before the file is written anew. No I/O."""

from collections.abc import Iterable, Sequence
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


def list_settled_words(sent: Iterable[SentCommand]) -> dict[str, str | None]:
    """Return the words that were sent, with the reason of their refusal or None."""
    return {
        each.command.content: each.outcome.words if each.outcome.state == "refused" else None
        for each in sent
        if each.command.content is not None and each.outcome.state in {"done", "refused"}
    }


def apply_sent(file: MemoryFile, written: Snapshot, sent: Sequence[SentCommand]) -> Snapshot:
    """Return the snapshot as if the file had been written after these commands.

    Then nothing that was sent is decided again, and what the person changed since is.
    """
    lines = {line.id: line for line in written.lines}
    for each in sent:
        command, memory_id = each.command, each.outcome.memory_id
        if each.outcome.state != "done":
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

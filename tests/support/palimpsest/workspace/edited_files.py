"""Files of one scope as the program writes them, and what a person's edits of them become."""

from collections.abc import Callable, Iterable, Mapping

from palimpsest.model.identifiers import derive_id
from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.kinds import Kind
from palimpsest.workspace.decide_edits import Decision, decide_edits
from palimpsest.workspace.file_contents import STEP, ShownMemory, Snapshot
from palimpsest.workspace.match_lines import ReadFile
from palimpsest.workspace.parse_file import parse_file
from palimpsest.workspace.render_file import render_file, take_snapshot


def remember(content: str, kind: Kind = Kind.FACT, *, place: int = 0) -> ShownMemory:
    """A memory; its id follows from its first words."""
    return ShownMemory(
        id=derive_id("memory", content), kind=kind, content=content, order=place * STEP
    )


def remember_all(*contents: str, kind: Kind = Kind.FACT) -> list[ShownMemory]:
    return [remember(content, kind, place=place) for place, content in enumerate(contents)]


def write(memories: Iterable[ShownMemory], file: MemoryFile = MemoryFile.MEMORY) -> str:
    return render_file(file, take_snapshot(file, memories))


class EditedFiles:
    """Both files as they were written from `memories`, and edited since."""

    def __init__(self, memories: Iterable[ShownMemory]) -> None:
        self.memories: dict[str, ShownMemory] = {memory.id: memory for memory in memories}
        self.written: Mapping[MemoryFile, Snapshot] = {
            file: take_snapshot(file, self.memories.values()) for file in MemoryFile
        }
        self.texts = {file: render_file(file, snapshot) for file, snapshot in self.written.items()}
        self.asked: frozenset[str] = frozenset()

    def edit(
        self, change: Callable[[str], str], file: MemoryFile = MemoryFile.MEMORY
    ) -> "EditedFiles":
        before = self.texts[file]
        self.texts[file] = change(before)
        assert self.texts[file] != before
        return self

    def replace(self, old: str, new: str) -> "EditedFiles":
        return self.edit(lambda text: text.replace(old, new, 1))

    def drop(self, *words: str) -> "EditedFiles":
        """Delete the lines of memories in which these words stand."""
        return self.edit(
            lambda text: "\n".join(
                line
                for line in text.split("\n")
                if not (line.startswith("- ") and any(word in line for word in words))
            )
        )

    def change_memory(self, content: str, new: str) -> "EditedFiles":
        """Change a memory elsewhere, after the file was written."""
        for memory in list(self.memories.values()):
            if memory.content == content:
                changed = {"content": new, "version": memory.version + 1}
                self.memories[memory.id] = memory.model_copy(update=changed)
        return self

    def decide(self, *, confirmed: bool = False) -> Decision:
        files = [
            ReadFile(
                file,
                parse_file(file, text),
                self.written[file],
                asked=self.asked if file is MemoryFile.MEMORY else frozenset(),
            )
            for file, text in self.texts.items()
        ]
        return decide_edits(files, self.memories, confirmed=confirmed)

    def commands(self) -> list[tuple[str, str | None]]:
        """Each command: what is done, and the words that it is about."""
        return [
            (
                command.action,
                command.content
                if command.content is not None
                else self.memories[command.memory_id or ""].content,
            )
            for command in self.decide().commands
        ]

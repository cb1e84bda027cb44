"""A person who edits files at random while memories change and the program runs or dies."""

import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from palimpsest.model.kind_properties import MemoryFile
from palimpsest.model.kinds import Kind
from palimpsest.model.scope import Scope
from palimpsest.workspace.place_files import PlaceFiles
from palimpsest.workspace.place_sync import PlaceSync
from tests.support.palimpsest.workspace.dying import Died, DyingDisk, StepCounter
from tests.support.palimpsest.workspace.remembering import RememberingServices

ADA = Scope(user_id="ada")
KINDS = (Kind.FACT, Kind.GOAL, Kind.LESSON)
EDITS = ("change line", "add line", "delete line", "move line", "strip id", "write prose")
STEPS = (
    *("open", "save", *EDITS, "truncate", "remove", "tick"),
    *("remember", "edit memory", "forget memory", "synchronise", "synchronise", "die"),
)

_WORDS = re.compile(r"words \d+\.")
_PROSE = re.compile(r"^prose \d+\.$", re.MULTILINE)


@dataclass
class Buffer:
    """A file as an editor shows it, and the memories that the person means to forget by it."""

    lines: list[str]
    forgets: set[str] = field(default_factory=set)


class Person:
    """Keeps account of what must not be lost."""

    def __init__(self, root: Path) -> None:
        self.services = RememberingServices()
        self.counter = StepCounter()
        self.services.before_sending = self.counter.step
        self.files = PlaceFiles(root, ADA, DyingDisk(self.counter))
        self._buffers: dict[MemoryFile, Buffer] = {}
        self._count = 0
        self._own: set[str] = set()
        """Words that the person came up with."""
        self._ids: dict[str, set[str]] = {}
        """The ids of memories that ever said these words."""
        self.unsent: dict[MemoryFile, set[str]] = {file: set() for file in MemoryFile}
        self.sent: set[str] = set()
        self.forgotten: set[str] = set()
        """Memories that somebody meant to forget."""

    def read(self, file: MemoryFile) -> str:
        path = self.files.path(file)
        return path.read_text() if path.exists() else ""

    async def take(self, step: str, number: int) -> None:
        file = list(MemoryFile)[number % 2]
        if step in EDITS:
            self._edit(step, file, number)
        elif step == "open":
            self._buffers[file] = Buffer(self.read(file).split("\n"))
        elif step == "save":
            self._save(file)
        elif step in {"truncate", "remove", "tick"}:
            self._break(step, file, number)
        elif step in {"synchronise", "die"}:
            await self._synchronise(number if step == "die" else None)
        else:
            self._change_memory(step, number)
        for memory in self.services.memories.values():
            self._ids.setdefault(memory.content, set()).add(memory.id)

    def _edit(self, step: str, file: MemoryFile, number: int) -> None:
        buffer = self._buffers.get(file)
        if buffer is None:
            return
        lines = buffer.lines
        if step == "add line":
            headings = [place for place, line in enumerate(lines) if line.startswith("##")]
            if headings:
                lines.insert(headings[number % len(headings)] + 1, f"- {self._invent()}")
            return
        places = [place for place, line in enumerate(lines) if _WORDS.search(line)]
        if not places:
            return
        place = places[number % len(places)]
        words = _WORDS.findall(lines[place])[0]
        if step == "write prose":
            self._count += 1
            lines.insert(place + 1, f"prose {self._count}.")
        elif step == "change line":
            if "<!--" not in lines[place]:
                buffer.forgets |= self._ids.get(words, set())
            lines[place] = lines[place].replace(words, self._invent())
        elif step == "delete line":
            buffer.forgets |= self._find_ids(lines[place], words)
            del lines[place]
        elif step == "move line":
            lines.insert(places[0], lines.pop(place))
        else:
            buffer.forgets |= self._find_ids(lines[place], words)
            lines[place] = lines[place].partition(" <!--")[0]

    def _invent(self) -> str:
        self._count += 1
        self._own.add(f"words {self._count}.")
        return f"words {self._count}."

    def _find_ids(self, line: str, words: str) -> set[str]:
        short = re.findall(r"<!-- ([0-9a-f-]+) -->", line)
        known = {memory_id for ids in self._ids.values() for memory_id in ids}
        by_id = {memory_id for memory_id in known if memory_id.startswith(tuple(short))}
        return by_id if short else self._ids.get(words, set())

    def _save(self, file: MemoryFile) -> None:
        buffer = self._buffers.pop(file, None)
        if buffer is not None:
            self.forgotten |= buffer.forgets
            self._put(file, "\n".join(buffer.lines))

    def _put(self, file: MemoryFile, text: str) -> None:
        """Put a text in the place of a file: what it does not hold any more is the person's to lose."""
        path = self.files.path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.unsent[file] = self._own & set(_WORDS.findall(text))

    def _break(self, step: str, file: MemoryFile, number: int) -> None:
        text = self.read(file)
        if step == "tick" and "- [ ]" in text:
            self.forgotten |= self.files.load_state().asked.get(file, frozenset())
            self._put(file, text.replace("- [ ]", "- [x]"))
        elif step == "truncate":
            self._put(file, text[: len(text) * (number % 10) // 10])
        elif step == "remove":
            self.files.path(file).unlink(missing_ok=True)
            self.unsent[file] = set()

    def _change_memory(self, step: str, number: int) -> None:
        memories = list(self.services.memories.values())
        if step == "remember":
            self._count += 1
            self.services.remember(ADA, f"words {self._count}.", KINDS[number % len(KINDS)])
        elif memories:
            memory = memories[number % len(memories)]
            if step == "forget memory":
                self.forgotten.add(memory.id)
                self.services.forget(memory.id)
            else:
                self._count += 1
                self.services.edit(memory.id, content=f"words {self._count}.")

    async def _synchronise(self, dies_before: int | None) -> None:
        prose = {file: _PROSE.findall(self.read(file)) for file in MemoryFile}
        self.counter.count, self.counter.dies_at = 0, dies_before
        with suppress(Died):
            await PlaceSync(ADA, self.files, self.services).run()
            for words in self.unsent.values():
                self.sent |= words
                words.clear()
        self.counter.dies_at = None
        for file, lines in prose.items():
            assert sorted(_PROSE.findall(self.read(file))) == sorted(lines)

    def check(self) -> None:
        """Check that nothing is lost, and that the files say what is remembered."""
        ever = {memory_id for ids in self._ids.values() for memory_id in ids}
        assert ever - self.services.memories.keys() <= self.forgotten
        contents = set(self.services.contents)
        assert self.sent <= contents | set(self.services.history)
        shown = [line for file in MemoryFile for line in self.read(file).split("\n")]
        for words in contents:
            assert any(line.startswith(f"- {words} <!-- ") for line in shown)

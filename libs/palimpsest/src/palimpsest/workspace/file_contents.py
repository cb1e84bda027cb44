"""Values of the files: a memory as a file shows it, a line as a person left it, and text beside."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Self

from palimpsest.model.kind_properties import MemoryFile, SectionTitle
from palimpsest.model.kinds import KINDS, Kind
from palimpsest.model.memory import Memory
from palimpsest.model.value_types import Value

ORDER_FIELD = "file_order"
"""The name in `data` under which the place of a moved line is kept."""

_FRACTION_BITS = 12
STEP = 1 << _FRACTION_BITS
"""The distance between the places of two memories that were kept a millisecond apart."""


class ShownMemory(Value):
    """The part of a memory that a file shows."""

    id: str
    kind: Kind
    content: str
    order: int
    """The place in its section: when it was kept, unless a person moved its line."""
    version: int = 1
    data: Mapping[str, Any] = {}

    @classmethod
    def of(cls, memory: Memory) -> Self:
        stated = memory.data.get(ORDER_FIELD)
        is_stated = isinstance(stated, int) and not isinstance(stated, bool)
        return cls(
            id=memory.id,
            kind=memory.kind,
            content=memory.content,
            order=stated if is_stated else _place_by_time(memory),
            version=memory.version,
            data=memory.data,
        )

    @property
    def file(self) -> MemoryFile | None:
        return KINDS[self.kind].file

    @property
    def section(self) -> SectionTitle:
        return KINDS[self.kind].section


def _place_by_time(memory: Memory) -> int:
    """Return a place by time; memories of one millisecond are told apart by their ids."""
    digest = hashlib.sha256(memory.id.encode()).digest()
    fraction = int.from_bytes(digest[:2], "big") % STEP
    return round(memory.recorded_at.timestamp() * 1000) * STEP + fraction


class WrittenLine(Value):
    """One line of a memory as the program last wrote it."""

    id: str
    section: str
    """The English title of its section."""
    text: str


class Snapshot(Value):
    """The lines of a file as the program wrote it, in their order."""

    lines: tuple[WrittenLine, ...] = ()

    @property
    def token(self) -> str:
        """The name of the snapshot, which the file bears: the same memories have the same token."""
        content = json.dumps(
            [[line.id, line.section, line.text] for line in self.lines], ensure_ascii=False
        )
        return hashlib.sha256(content.encode()).hexdigest()[:12]


class Anchor(Value):
    """The place of a person's own text: behind a line, or at the end of a section."""

    section: str | None = None
    """The English title of the section; None for the top of the file."""
    line_id: str | None = None
    """The id in the comment of the line before; None for none."""
    at_end: bool = False


class KeptText(Value):
    """Lines that are no memories. They stay in the file."""

    anchor: Anchor
    lines: tuple[str, ...]
    note: str | None = None
    """The words above them; None for comments and other text that needs none."""


class FileLine(Value):
    """A line of a memory in a file that a person may have edited."""

    id: str | None
    """The id in its comment, shortened; None for a new line."""
    section: SectionTitle | None
    """None outside of every section of ours."""
    text: str
    raw: str
    """The line as it stands in the file."""
    anchor: Anchor
    """The place of the line."""


class Confirmation(Value):
    """The question at the top of a file whether lines that were gone are to be forgotten."""

    token: str
    is_ticked: bool


class ParsedFile(Value):
    """A file as it was read."""

    token: str | None
    """The snapshot that the file was written from; None if its last line is missing."""
    lines: tuple[FileLine, ...] = ()
    kept: tuple[KeptText, ...] = ()
    protected: frozenset[str] = frozenset()
    """Ids that stand in text that could not be read: their memories are not forgotten."""
    confirmation: Confirmation | None = None
    has_conflict: bool = False
    """True while conflict markers of git stand in it: nothing of it is read."""

    @property
    def is_complete(self) -> bool:
        return self.token is not None


def digest_words(parts: Sequence[str]) -> str:
    """Return a short digest of these words."""
    return hashlib.sha256(json.dumps(list(parts)).encode()).hexdigest()[:12]

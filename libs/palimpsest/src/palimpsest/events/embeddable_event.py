"""Events with text to embed, and the texts to embed for their subjects."""

from abc import ABC, abstractmethod

from palimpsest.events.envelope import Event
from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.memory import MemoryAtVersion
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.value_types import Value
from palimpsest.model.vectors import EmbeddableText


class VectorCarrier(Event):
    """An event whose texts are embedded. The embedder fills `vectors`, one for each text."""

    vectors: tuple[TextVectors, ...] = ()


class EmbeddableEvent(VectorCarrier, ABC):
    """An event that says which of its texts are embedded."""

    @abstractmethod
    def texts(self) -> tuple[EmbeddableText, ...]: ...


class MemoryText(Value):
    """The text of one memory at one version."""

    memory_id: str
    version: int
    text: str

    @property
    def at(self) -> MemoryAtVersion:
        return MemoryAtVersion(memory_id=self.memory_id, version=self.version)


def build_summary_text(summary: SessionSummary) -> EmbeddableText:
    """Return the texts to embed; words include the day, because people ask what was said on a day."""
    day = summary.ended_at
    dated = f"{summary.embedded_text}\n{day:%d %B %Y} {day:%Y年%m月%d日}"
    return EmbeddableText(dense=summary.embedded_text, sparse=dated)

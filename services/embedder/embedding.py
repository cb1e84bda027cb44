"""Vectors for whatever carries text; the rest is passed on, and everything in its order."""

from collections.abc import Mapping, Sequence

from palimpsest.contracts.envelope import Event
from palimpsest.contracts.texts import VectorCarrier
from palimpsest.contracts.topics import WRITES
from palimpsest.contracts.vectors import TextVectors
from palimpsest.delivery.publishing import Publisher
from palimpsest.delivery.stage import Rejection
from palimpsest.domain.vectors import EmbeddableText
from palimpsest.providers.embedded_texts import texts_of
from palimpsest.providers.embedding import Embedder
from services.embedder.metrics import EmbedderMetrics

Vectors = Mapping[EmbeddableText, TextVectors]


class Embedding:
    def __init__(self, embedder: Embedder, publisher: Publisher, metrics: EmbedderMetrics) -> None:
        self._embedder = embedder
        self._publisher = publisher
        self._metrics = metrics

    async def handle(self, events: Sequence[Event]) -> Sequence[Rejection]:
        vectors = await self._embedded(distinct_texts(events))
        await self._publisher.publish(WRITES, [with_vectors(event, vectors) for event in events])
        return []

    async def _embedded(self, texts: Sequence[EmbeddableText]) -> Vectors:
        if not texts:
            return {}
        with self._metrics.embedding(len(texts)):
            vectors = await self._embedder.embed_documents(texts)
        return dict(zip(texts, vectors, strict=True))


def distinct_texts(events: Sequence[Event]) -> list[EmbeddableText]:
    """Every text of a batch, once, in the order of its first appearance."""
    return list(
        dict.fromkeys(
            text for event in events if isinstance(event, VectorCarrier) for text in texts_of(event)
        )
    )


def with_vectors(event: Event, vectors: Vectors) -> Event:
    """The event with one vector for each of its texts; what carries none stays as it is.

    Vectors that came with it are replaced: who sent them may not have used our model.
    """
    if not isinstance(event, VectorCarrier):
        return event
    return event.model_copy(update={"vectors": tuple(vectors[text] for text in texts_of(event))})

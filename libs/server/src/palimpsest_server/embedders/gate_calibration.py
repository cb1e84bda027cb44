"""The relevance gate of the embedding model in use, calibrated once."""

from palimpsest.model.vectors import EmbeddableText
from palimpsest_server.domain.ranking.fitted_gates import load_fitted_gate
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.domain.ranking.similarity_calibration import calibrate_between
from palimpsest_server.embedders.async_cached import AsyncCached
from palimpsest_server.embedders.calibration_texts import ORDINARY_TEXTS, STRANGE_QUESTIONS
from palimpsest_server.embedders.embedder import Embedder


class GateCalibrator:
    """Calibrates the gate at the first call, with about forty embeddings, and caches it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._gate = AsyncCached(self._calibrate)

    async def __call__(self) -> Gate:
        """Return the gate.

        Raises:
            TransientError: the model is not available now.
        """
        return await self._gate()

    async def _calibrate(self) -> Gate:
        texts = await self._embedder.embed_documents(
            [EmbeddableText(dense=text, sparse=text) for text in ORDINARY_TEXTS]
        )
        documents = [text.dense_values() for text in texts]
        questions = [
            (await self._embedder.embed_query(question)).dense for question in STRANGE_QUESTIONS
        ]
        strangers = calibrate_between(questions, documents)
        return Gate(calibration=strangers, openings=load_fitted_gate(self._embedder.model.name))

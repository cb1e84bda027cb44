"""From which cosine memories may be one: set, shipped, or measured once the model answers."""

from collections.abc import Sequence

import pytest

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.errors import TransientError
from palimpsest.model.vectors import EmbeddableText, EmbeddingModel
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.embedders.merge_threshold import MergeThreshold


class RemoteEmbedder(HashingEmbedder):
    """A model that nobody has calibrated, away at first."""

    model = EmbeddingModel(name="openai-text-embedding-3-small", dimension=64)

    def __init__(self, *, failures: int = 0) -> None:
        super().__init__()
        self.failures = failures
        self.calls = 0

    async def embed_documents(self, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
        self.calls += 1
        if self.calls <= self.failures:
            raise TransientError("away")
        return await super().embed_documents(texts)


async def test_a_model_that_nobody_knows_is_measured_once() -> None:
    embedder = RemoteEmbedder()
    threshold = MergeThreshold(embedder, {})
    assert threshold.value is None
    await threshold.measure()
    await threshold.measure()
    assert threshold.value is not None
    assert 0 < threshold.value < 1
    assert embedder.calls == 1


async def test_a_model_that_is_away_is_measured_later() -> None:
    threshold = MergeThreshold(RemoteEmbedder(failures=1), {})
    with pytest.raises(TransientError):
        await threshold.measure()
    assert threshold.value is None
    await threshold.measure()
    assert threshold.value is not None


async def test_what_is_set_need_not_be_measured() -> None:
    embedder = RemoteEmbedder()
    threshold = MergeThreshold(embedder, {embedder.model.slug: 0.83})
    await threshold.measure()
    assert (threshold.value, embedder.calls) == (0.83, 0)


async def test_vectors_of_words_alone_are_never_compared() -> None:
    threshold = MergeThreshold(HashingEmbedder(), {})
    await threshold.measure()
    assert threshold.value is None

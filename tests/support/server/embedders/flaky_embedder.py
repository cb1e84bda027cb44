"""An embedder that fails at the first call."""

from collections.abc import Sequence

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.errors import TransientError
from palimpsest.model.vectors import EmbeddableText
from tests.support.services.recall.stand_ins import shared_embedder


class FlakyEmbedder:
    """The embedder of tests, away at the first call."""

    def __init__(self) -> None:
        self._calls = 0
        self.model = shared_embedder().model
        self.embed_query = shared_embedder().embed_query

    async def start(self) -> None:
        """Nothing to start."""

    async def stop(self) -> None:
        """Nothing to stop."""

    async def check(self) -> None:
        """Well."""

    async def embed_documents(self, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
        self._calls += 1
        if self._calls == 1:
            raise TransientError("not yet")
        return await shared_embedder().embed_documents(texts)

"""Local models as an embedder: documents in a child process, questions here and at once."""

import asyncio
from collections.abc import Sequence

from palimpsest.contracts.vectors import TextVectors
from palimpsest.domain.errors import TransientError
from palimpsest.domain.vectors import EmbeddableText, EmbeddingModel
from palimpsest.providers.embedding import QueryVectors
from palimpsest.providers.embedding_process import EmbeddingProcess
from palimpsest.providers.local_models import dense_model_named, identity_named
from palimpsest.providers.questions import Questions
from palimpsest.providers.sparse import sparse_encoder


class LocalEmbedder:
    """A model beside a busy thread falls to a twentieth of its speed: hence the child.

    A question takes 2 ms and is embedded in this process; going through the
    child, it would wait behind a batch of documents.
    """

    def __init__(self, name: str, *, batch_texts: int) -> None:
        self._name = name
        self._batch_texts = batch_texts
        self._identity = identity_named(name)
        self._process = EmbeddingProcess(name)
        self._questions: Questions | None = None

    @property
    def model(self) -> EmbeddingModel:
        return self._identity

    @property
    def child_pid(self) -> int | None:
        return self._process.pid

    async def start(self) -> None:
        """Load the model twice at once: in the child, and here for questions."""
        starting = asyncio.create_task(self._process.start())
        try:
            self._questions = await asyncio.to_thread(self._load)
            await starting
        except BaseException:
            starting.cancel()
            await self._process.stop()
            raise

    async def stop(self) -> None:
        await self._process.stop()

    async def check(self) -> None:
        self._process.check()

    async def embed_documents(self, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
        slug, size = self.model.slug, self._batch_texts
        pairs = [(text.dense, text.sparse) for text in texts]
        answers = await asyncio.gather(
            *(
                self._process.embed(pairs[start : start + size])
                for start in range(0, len(pairs), size)
            )
        )
        return [
            TextVectors(model=slug, dense=dense, sparse_indices=indices, sparse_values=values)
            for answer in answers
            for dense, indices, values in answer
        ]

    async def embed_query(self, text: str) -> QueryVectors:
        if self._questions is None:
            raise TransientError("the embedder has not been started")
        return await self._questions.embed(text)

    def _load(self) -> Questions:
        return Questions(dense_model_named(self._name), sparse_encoder())

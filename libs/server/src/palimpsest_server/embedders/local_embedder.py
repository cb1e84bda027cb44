"""Local models as an embedder: documents in a child process, most questions in this process."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.errors import PalimpsestError, TransientError
from palimpsest.model.vectors import EmbeddableText, EmbeddingModel
from palimpsest_server.embedders.child_process import DEFAULT_TIMES, ChildTimes
from palimpsest_server.embedders.dense_model import DenseModel
from palimpsest_server.embedders.embedder import QueryVectors
from palimpsest_server.embedders.embedding_process import EmbeddingProcess
from palimpsest_server.embedders.local_models import get_model_identity, load_dense_model
from palimpsest_server.embedders.query_batcher import QueryBatcher
from palimpsest_server.embedders.sparse_encoder import SparseEncoder, get_sparse_encoder

BESIDE_SECONDS = 0.2
"""Time limit of the child for a question; documents that came just before may take half of it."""

LATE_SECONDS = 5.0
"""Time without questions for the child after it missed the limit, so that nobody waits for it again."""

CACHED_QUERIES = 256
"""Questions are repeated soon or never (a page reloaded, a retry); each takes 16 KB or more."""


class LocalEmbedder:
    """A local model in a child process, because beside a busy thread it falls to a twentieth of its speed.

    A question takes 1 to 2 ms and is embedded in this process; in the child it would wait behind a
    batch of documents. If many questions arrive at once and no documents, the child takes questions,
    because this process is busy enough then.
    """

    def __init__(
        self,
        name: str,
        *,
        batch_texts: int,
        beside_seconds: float = BESIDE_SECONDS,
        child_times: ChildTimes = DEFAULT_TIMES,
    ) -> None:
        """`beside_seconds` is the time limit of the child for a question, before it is embedded here."""
        self._name = name
        self._batch_texts = batch_texts
        self._beside_seconds = beside_seconds
        self._identity = get_model_identity(name)
        self._process = EmbeddingProcess(name, times=child_times)
        self._beside = QueryBatcher(self._process.embed_questions)
        self._documents_underway = 0
        self._late_until = 0.0
        self._questions: tuple[DenseModel, SparseEncoder] | None = None
        self._cache: OrderedDict[str, QueryVectors] = OrderedDict()

    @property
    def model(self) -> EmbeddingModel:
        return self._identity

    @property
    def child_pid(self) -> int | None:
        return self._process.pid

    async def start(self) -> None:
        """Load the model twice at the same time: in the child, and here for questions."""
        starting = asyncio.create_task(self._process.start())
        try:
            self._questions = await asyncio.to_thread(self._load)
            await starting
        except BaseException:
            starting.cancel()
            await self._process.stop()
            raise

    async def stop(self) -> None:
        await self._beside.stop()
        await self._process.stop()

    async def check(self) -> None:
        self._process.check()

    async def embed_documents(self, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
        size = self._batch_texts
        pairs = [(text.dense, text.sparse) for text in texts]
        self._documents_underway += 1
        try:
            answers = await asyncio.gather(
                *(
                    self._process.embed(pairs[start : start + size])
                    for start in range(0, len(pairs), size)
                )
            )
        finally:
            self._documents_underway -= 1
        return [vectors for answer in answers for vectors in answer]

    async def embed_query(self, text: str, *, crowded: bool = False) -> QueryVectors:
        cached = self._cache.get(text)
        if cached is not None:
            self._cache.move_to_end(text)
            return cached
        vectors = None
        if crowded and self._child_has_time():
            vectors = await self._embedded_beside(text)
        if vectors is None:
            vectors = self._embedded_here(text)
        self._cache[text] = vectors
        if len(self._cache) > CACHED_QUERIES:
            self._cache.popitem(last=False)
        return vectors

    def _embedded_here(self, text: str) -> QueryVectors:
        if self._questions is None:
            raise TransientError("the embedder has not been started")
        dense, sparse = self._questions
        return QueryVectors(dense=dense.query(text), sparse=sparse.query(text))

    def _child_has_time(self) -> bool:
        now = asyncio.get_running_loop().time()
        return not self._documents_underway and now >= self._late_until

    async def _embedded_beside(self, text: str) -> QueryVectors | None:
        """Embed a question in the child; None if the child is late, which is then not asked for a while."""
        try:
            async with asyncio.timeout(self._beside_seconds):
                return await self._beside.embed(text)
        except (TimeoutError, PalimpsestError):
            self._late_until = asyncio.get_running_loop().time() + LATE_SECONDS
            return None

    def _load(self) -> tuple[DenseModel, SparseEncoder]:
        return load_dense_model(self._name), get_sparse_encoder()

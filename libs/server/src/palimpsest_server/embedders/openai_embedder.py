"""Embeddings by OpenAI or a compatible server; the sparse vectors are made here."""

import asyncio
import math
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence

import openai
import structlog

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.bilingual_text import display_width
from palimpsest.model.clock import Clock
from palimpsest.model.errors import EmbeddingModelMismatch, TransientError
from palimpsest.model.vectors import EmbeddableText, EmbeddingModel
from palimpsest_server.embedders.embedder import QueryVectors
from palimpsest_server.embedders.sparse_encoder import SparseEncoder, get_sparse_encoder
from palimpsest_server.models.model_errors import PromptRefused, UnreadableResponse
from palimpsest_server.models.vendor_errors import translate_vendor_errors

LONGEST_TEXT_WIDTH = 12_000
"""6,000 Chinese or 12,000 Latin characters, within the 8,192 tokens allowed for a text with any
tokenizer. Words cut off are still found by the sparse vector."""

LONGEST_BATCH_WIDTH = 300_000
"""Half of the 300,000 tokens allowed for a request."""

BATCHES_AT_ONCE = 4

CACHED_QUERIES = 1_024
"""Questions are repeated (a page reloaded, a retry); at 1,536 dimensions they take some 50 MB."""

LONGEST_WAIT_SECONDS = 30.0

NO_TEXT = "-"
"""Stands for a text without characters, which no server accepts."""

_PROBE = "dimension"

_log = structlog.get_logger("palimpsest.embedding")


class OpenAIEmbedder:
    """A remote embedder. The dimension is part of the model's identity: requested, and checked at the start."""

    def __init__(
        self,
        name: str,
        client: openai.AsyncOpenAI,
        *,
        vendor: str,
        dimension: int,
        batch_texts: int,
        clock: Clock,
        first_wait_seconds: float,
    ) -> None:
        """`first_wait_seconds` is the wait before a server that is away at the start is asked again; it doubles."""
        self._first_wait_seconds = first_wait_seconds
        self.model = EmbeddingModel(name=_slug(f"{vendor}-{name}"), dimension=dimension)
        self._name = name
        self._client = client
        self._vendor = vendor
        self._batch_texts = batch_texts
        self._clock = clock
        self._asks_for_dimension = True
        """True until the server is known to refuse that parameter."""
        self._started = False
        self._at_once = asyncio.Semaphore(BATCHES_AT_ONCE)
        self._sparse: SparseEncoder | None = None
        self._cache: OrderedDict[str, QueryVectors] = OrderedDict()

    async def start(self) -> None:
        """Wait for the server, however long it takes; returns when it has answered.

        Raises:
            EmbeddingModelMismatch: its vectors have another dimension than the configured one.
            PermanentError: the server refuses to embed anything.
        """
        self._sparse = await asyncio.to_thread(get_sparse_encoder)
        wait = self._first_wait_seconds
        while not self._started:
            try:
                await self._probe()
                self._started = True
            except TransientError as error:
                _log.warning("embeddings cannot be had yet", error=str(error))
                await asyncio.sleep(wait)
                wait = min(wait * 2, LONGEST_WAIT_SECONDS)

    async def stop(self) -> None:
        await self._client.close()

    async def check(self) -> None:
        if not self._started:
            raise TransientError("the embedding model has not answered yet")

    async def embed_documents(self, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
        if self._sparse is None:
            raise TransientError("the embedder has not been started")
        dense = await asyncio.gather(
            *(self._embed(batch) for batch in self._batches([text.dense for text in texts]))
        )
        slug, sparse = self.model.slug, self._sparse
        vectors = [vector for batch in dense for vector in batch]
        packed: list[TextVectors] = []
        for text, vector in zip(texts, vectors, strict=True):
            packed.append(TextVectors.pack(slug, vector, sparse.document(text.sparse)))
            # Splitting Chinese takes a millisecond for each text, so other tasks run in between.
            await asyncio.sleep(0)
        return packed

    async def embed_query(self, text: str, *, crowded: bool = False) -> QueryVectors:  # noqa: ARG002
        if text in self._cache:
            self._cache.move_to_end(text)
            return self._cache[text]
        if self._sparse is None:
            raise TransientError("the embedder has not been started")
        [dense] = await self._embed([_embeddable(text)])
        vectors = QueryVectors(dense=dense, sparse=self._sparse.query(text))
        self._cache[text] = vectors
        if len(self._cache) > CACHED_QUERIES:
            self._cache.popitem(last=False)
        return vectors

    async def _probe(self) -> None:
        try:
            [vector] = await self._embed([_PROBE])
        except PromptRefused:
            # Many servers support only the model's own dimension.
            self._asks_for_dimension = False
            [vector] = await self._embed([_PROBE])
        if len(vector) != self.model.dimension:
            raise EmbeddingModelMismatch(
                f"{self._vendor}/{self._name} makes vectors of {len(vector)} dimensions; "
                f"PALIMPSEST_EMBEDDER_DIMENSION is {self.model.dimension}"
            )

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        room = LONGEST_BATCH_WIDTH
        for text in map(_embeddable, texts):
            taken = display_width(text)
            if batch and (len(batch) == self._batch_texts or taken > room):
                yield batch
                batch, room = [], LONGEST_BATCH_WIDTH
            batch.append(text)
            room -= taken
        if batch:
            yield batch

    async def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return vectors of length 1, in order."""
        dimensions = self.model.dimension if self._asks_for_dimension else openai.omit
        async with self._at_once:
            with translate_vendor_errors(openai, self._vendor, self._clock):
                answered = await self._client.embeddings.create(
                    model=self._name, input=list(texts), dimensions=dimensions
                )
                by_index = {
                    embedding.index: _unit(embedding.embedding) for embedding in answered.data
                }
        if by_index.keys() != set(range(len(texts))):
            raise UnreadableResponse(f"{self._vendor} did not embed each text once")
        return [by_index[index] for index in range(len(texts))]


def _embeddable(text: str) -> str:
    """Return the text, cut to the length that a model reads."""
    if display_width(text) <= LONGEST_TEXT_WIDTH:
        return text if text.strip() else NO_TEXT
    cut = text[:LONGEST_TEXT_WIDTH]
    while display_width(cut) > LONGEST_TEXT_WIDTH:
        cut = cut[: len(cut) - max(1, (display_width(cut) - LONGEST_TEXT_WIDTH) // 2)]
    return cut if cut.strip() else NO_TEXT


def _unit(vector: Sequence[float]) -> list[float]:
    length = math.sqrt(sum(value * value for value in vector))
    return [value / length for value in vector] if length else list(vector)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")

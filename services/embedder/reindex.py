"""Makes all vectors again from MongoDB beside the current ones, and then switches to the new ones.

This is also how the embedding model is changed. Nothing else may write meanwhile: a change after a
record was read would be missing from the new vectors.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from palimpsest.api.recall import RecordType
from palimpsest.events.embeddable_event import build_summary_text
from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.memory import Memory, Status
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.turn import Turn
from palimpsest.model.vectors import EmbeddableText
from palimpsest_server.domain.summaries.summary_visibility import is_erased
from palimpsest_server.embedders.embedded_texts import turn_text
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.vector_points import (
    memory_point,
    memory_text,
    summary_point,
    turn_point,
)
from palimpsest_server.stores.vectors import ReplaceableVectorStore, VectorPoint, VectorReplacement

PAGE_RECORDS = 256

ReindexProgress = Callable[[RecordType, int], None]
"""Called after each page with the type of record and the number done."""


RecordT = TypeVar("RecordT")


@dataclass(frozen=True)
class RecordProjection(Generic[RecordT]):
    """The embedded text of a record, and the place of its vectors."""

    record: RecordType
    text: Callable[[RecordT], EmbeddableText]
    point: Callable[[RecordT, TextVectors], VectorPoint]


MEMORIES = RecordProjection(RecordType.MEMORY, memory_text, memory_point)
TURNS = RecordProjection(RecordType.TURN, turn_text, turn_point)
SUMMARIES = RecordProjection(RecordType.SUMMARY, build_summary_text, summary_point)


class TurnPageReader(Protocol):
    async def page(self, *, limit: int, after: str | None) -> Sequence[Turn]:
        """Return the turns with a number behind the id `after`, in order of id."""
        ...


class SummaryPageReader(Protocol):
    async def page(self, *, limit: int, after: str | None) -> Sequence[SessionSummary]:
        """Return the summaries behind the id `after`, in order of id."""
        ...


@dataclass(frozen=True, kw_only=True)
class ReindexSources:
    """The sources of truth for a reindex."""

    namespaces: NamespaceRegistry
    memories: MemoryStore
    turns: TurnPageReader
    summaries: SummaryPageReader
    users: UserStates


@dataclass(frozen=True)
class ReindexCounts:
    memories: int
    turns: int
    summaries: int


async def reindex_vectors(
    sources: ReindexSources,
    vectors: ReplaceableVectorStore,
    embedder: Embedder,
    *,
    progress: ReindexProgress = lambda _record, _done: None,
) -> ReindexCounts:
    """Make every vector again with `embedder`, then switch to all new vectors at once.

    `embedder` must be started. `vectors` must belong to its model, and need not be open. If
    anything fails, the current vectors stay in use.
    """
    replacement = await vectors.begin_replacement()
    try:
        ways = replacement, embedder, progress
        memories = await _made(MEMORIES, _memory_pages(sources), *ways)
        turns = await _made(TURNS, _turn_pages(sources), *ways)
        summaries = await _made(SUMMARIES, _summary_pages(sources), *ways)
    except BaseException:
        await replacement.discard()
        raise
    await replacement.switch()
    await sources.namespaces.adopt_model(embedder.model.slug)
    return ReindexCounts(memories, turns, summaries)


async def _made(
    projection: RecordProjection[RecordT],
    pages: AsyncIterator[Sequence[RecordT]],
    replacement: VectorReplacement,
    embedder: Embedder,
    progress: ReindexProgress,
) -> int:
    done = 0
    async for page in pages:
        texts = [projection.text(turn) for turn in page]
        vectors = await embedder.embed_documents(texts) if texts else []
        await replacement.upsert(
            [projection.point(*pair) for pair in zip(page, vectors, strict=True)]
        )
        done += len(page)
        progress(projection.record, done)
    return done


async def _memory_pages(sources: ReindexSources) -> AsyncIterator[Sequence[Memory]]:
    for registered in await sources.namespaces.everything():
        namespace = registered.namespace
        state = (await sources.users.of([namespace.user_id]))[namespace.user_id]
        async for page in sources.memories.pages(namespace, size=PAGE_RECORDS):
            yield [
                memory
                for memory in page
                if memory.epoch >= state.epoch and memory.status is not Status.PURGED
            ]


async def _turn_pages(sources: ReindexSources) -> AsyncIterator[Sequence[Turn]]:
    after: str | None = None
    while page := await sources.turns.page(limit=PAGE_RECORDS, after=after):
        after = page[-1].id
        states = await sources.users.of({turn.user_id for turn in page})
        # Turns of an older epoch, or of an erasure under way, are erased but may still be stored.
        yield [turn for turn in page if not is_erased(turn, states[turn.user_id])]


async def _summary_pages(sources: ReindexSources) -> AsyncIterator[Sequence[SessionSummary]]:
    after: str | None = None
    while page := await sources.summaries.page(limit=PAGE_RECORDS, after=after):
        after = page[-1].id
        states = await sources.users.of({turn.scope.user_id for turn in page})
        yield [
            turn
            for turn in page
            if not turn.failed and not is_erased(turn, states[turn.scope.user_id])
        ]

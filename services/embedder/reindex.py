"""All vectors made again from MongoDB, beside those that serve, and then put in their place.

It is also the way to another embedding model. Nothing else may write
meanwhile: what changed after it was read would be missing from the new.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from palimpsest.contracts.recall import Record
from palimpsest.contracts.texts import summary_text
from palimpsest.contracts.vectors import TextVectors
from palimpsest.domain.memory import Memory, Status
from palimpsest.domain.summaries.summary import SessionSummary
from palimpsest.domain.summaries.telling import is_erased
from palimpsest.domain.turn import Turn
from palimpsest.domain.vectors import EmbeddableText
from palimpsest.providers.embedding import Embedder
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.namespaces import NamespaceRegistry
from palimpsest.stores.users import UserStates
from palimpsest.stores.vector_points import (
    memory_point,
    memory_text,
    summary_point,
    turn_point,
    turn_text,
)
from palimpsest.stores.vectors import ReplaceableVectorStore, VectorPoint, VectorReplacement

PAGE_RECORDS = 256

Progress = Callable[[Record, int], None]
"""Told after each page: so many of this record are done."""


class TurnPages(Protocol):
    async def page(self, *, limit: int, after: str | None) -> Sequence[Turn]:
        """Numbered turns by id, those after this one, for whoever looks at every one of them."""
        ...


class SummaryPages(Protocol):
    async def page(self, *, limit: int, after: str | None) -> Sequence[SessionSummary]:
        """Summaries by id, those after this one, for whoever looks at every one of them."""
        ...


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Where the truth is."""

    namespaces: NamespaceRegistry
    memories: MemoryStore
    turns: TurnPages
    summaries: SummaryPages
    users: UserStates


@dataclass(frozen=True)
class Reindexed:
    memories: int
    turns: int
    summaries: int


async def reindex(
    sources: Sources,
    vectors: ReplaceableVectorStore,
    embedder: Embedder,
    *,
    progress: Progress = lambda _record, _done: None,
) -> Reindexed:
    """Make every vector again with `embedder`, then switch to the new ones as a whole.

    `embedder` is started; `vectors` is of its model and need not be open.
    When anything fails, the old vectors stay as they were.
    """
    replacement = await vectors.begin_replacement()
    try:
        memories = await _memories(sources, replacement, embedder, progress)
        turns = await _turns(sources, replacement, embedder, progress)
        summaries = await _summaries(sources, replacement, embedder, progress)
    except BaseException:
        await replacement.discard()
        raise
    await replacement.switch()
    await sources.namespaces.adopt_model(embedder.model.slug)
    return Reindexed(memories, turns, summaries)


async def _memories(
    sources: Sources, replacement: VectorReplacement, embedder: Embedder, progress: Progress
) -> int:
    done = 0
    async for page in _memory_pages(sources):
        kept = [memory for memory in page if memory.status is not Status.PURGED]
        vectors = await _embedded(embedder, [memory_text(memory) for memory in kept])
        points = [memory_point(*pair) for pair in zip(kept, vectors, strict=True)]
        done = await _written(replacement, points, Record.MEMORY, done, progress)
    return done


async def _turns(
    sources: Sources, replacement: VectorReplacement, embedder: Embedder, progress: Progress
) -> int:
    done = 0
    after: str | None = None
    while page := await sources.turns.page(limit=PAGE_RECORDS, after=after):
        after = page[-1].id
        states = await sources.users.of({turn.user_id for turn in page})
        # What is of an older epoch or going was erased; its turn may not be gone yet.
        kept = [turn for turn in page if not is_erased(turn, states[turn.user_id])]
        vectors = await _embedded(embedder, [turn_text(turn) for turn in kept])
        points = [turn_point(*pair) for pair in zip(kept, vectors, strict=True)]
        done = await _written(replacement, points, Record.TURN, done, progress)
    return done


async def _summaries(
    sources: Sources, replacement: VectorReplacement, embedder: Embedder, progress: Progress
) -> int:
    done = 0
    after: str | None = None
    while page := await sources.summaries.page(limit=PAGE_RECORDS, after=after):
        after = page[-1].id
        states = await sources.users.of({one.scope.user_id for one in page})
        kept = [
            one for one in page if not one.failed and not is_erased(one, states[one.scope.user_id])
        ]
        vectors = await _embedded(embedder, [summary_text(one) for one in kept])
        points = [summary_point(*pair) for pair in zip(kept, vectors, strict=True)]
        done = await _written(replacement, points, Record.SUMMARY, done, progress)
    return done


async def _memory_pages(sources: Sources) -> AsyncIterator[Sequence[Memory]]:
    for registered in await sources.namespaces.everything():
        namespace = registered.namespace
        state = (await sources.users.of([namespace.user_id]))[namespace.user_id]
        async for page in sources.memories.pages(namespace, size=PAGE_RECORDS):
            yield [memory for memory in page if memory.epoch >= state.epoch]


async def _embedded(embedder: Embedder, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
    return await embedder.embed_documents(texts) if texts else []


async def _written(
    replacement: VectorReplacement,
    points: Sequence[VectorPoint],
    record: Record,
    done: int,
    progress: Progress,
) -> int:
    await replacement.upsert(points)
    progress(record, done + len(points))
    return done + len(points)

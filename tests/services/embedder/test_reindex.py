"""Reindexing from a real database into real shards on disk."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.events.text_vectors import TextVectors
from palimpsest.model import erasure
from palimpsest.model.change_set import MemoryChange
from palimpsest.model.erasure import Erasure
from palimpsest.model.errors import EmbeddingModelMismatch, TransientError
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, MemorySource, Status
from palimpsest.model.scope import Layout, Scope
from palimpsest.model.session_summary import SessionSummary, summary_id
from palimpsest.model.turn import Role, Turn, turn_id
from palimpsest.model.user import UserState
from palimpsest.model.vectors import EmbeddableText, EmbeddingModel
from palimpsest_server.embedders.embedded_texts import turn_text
from palimpsest_server.embedders.embedder import Embedder
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.stores.edge.vectors import EdgeVectorStore
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.memories import MongoMemories
from palimpsest_server.stores.mongo.turn_pages import MongoTurnPages
from palimpsest_server.stores.mongo.turns import MongoTurns
from palimpsest_server.stores.namespaces import MongoNamespaces
from palimpsest_server.stores.summaries import InMemorySummaries
from palimpsest_server.stores.turns import TurnPlacement
from palimpsest_server.stores.vector_points import memory_point, memory_text, turn_point
from palimpsest_server.stores.vectors import VectorHit, VectorQuery
from services.embedder.reindex import ReindexCounts, ReindexSources, reindex_vectors

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
ALICE = Scope(user_id="alice")
ALICES_AGENT = Scope(user_id="alice", agent_id="dev")
BOB = Scope(user_id="bob")
QUESTIONS = ("green tea", "什么时候去上海", "cat", "deadline of the launch")


def memory(
    content: str,
    scope: Scope = ALICE,
    *,
    status: Status = Status.ACTIVE,
    epoch: int = 0,
    version: int = 1,
) -> Memory:
    return Memory(
        id=turn_id(scope.user_id, "memory", content),
        scope=scope,
        kind=Kind.FACT,
        content=content,
        summary=content,
        importance=0.5,
        confidence=0.5,
        source=MemorySource.DISCUSSION,
        occurred_at=NOW,
        recorded_at=NOW,
        valid_from=NOW,
        status=status,
        lifetime=Lifetime.CORE,
        evidence=(),
        epoch=epoch,
        version=version,
    )


def turn(text: str, sequence: int, *, user_id: str = "alice", epoch: int = 0) -> Turn:
    return Turn(
        id=turn_id(user_id, "s", text),
        event_id=text,
        user_id=user_id,
        session_id="s",
        message_id=text,
        role=Role.USER,
        speaker="Alice",
        text=text,
        occurred_at=NOW,
        received_at=NOW,
        epoch=epoch,
        sequence=sequence,
    )


MEMORIES = (
    memory("prefers green tea"),
    memory("下周去上海出差"),
    memory("works on the launch", ALICES_AGENT),
    memory("preferred black coffee", status=Status.SUPERSEDED, version=4),
    memory("has a cat", BOB),
)
TURNS = (
    turn("my cat is called Mimi", 1),
    turn("the launch has a deadline in May", 2),
    turn("我想喝茶", 1, user_id="bob"),
)


class OtherTwin(HashingEmbedder):
    """Another model as far as any store can tell."""

    model = EmbeddingModel(name="other-twin", dimension=32)


SUMMARIES = [
    SessionSummary(
        id=summary_id("carol", "s1"),
        scope=Scope(user_id="carol"),
        session_id="s1",
        text="The user wants to sail to Norway.",
        topics=("sailing",),
        made_by="local",
        failed=failed,
        message_count=4,
        through=4,
        started_at=NOW,
        ended_at=NOW,
        made_at=NOW,
        expires_at=NOW + timedelta(days=1),
        epoch=1,
    ).model_copy(update={"id": identity})
    for failed, identity in ((False, summary_id("carol", "s1")), (True, summary_id("carol", "s2")))
]


class Epochs:
    def __init__(self, **epochs: int) -> None:
        self._epochs = epochs

    async def of(self, user_ids: Iterable[str]) -> dict[str, UserState]:
        return {user: UserState(epoch=self._epochs.get(user, 0)) for user in user_ids}


async def stored(database: MongoDatabase, model: EmbeddingModel, **epochs: int) -> ReindexSources:
    """The memories and turns, as their owners would have left them in MongoDB."""
    namespaces = MongoNamespaces(database, layout=Layout.POOLED, model=model.slug)
    memories = MongoMemories(database)
    await namespaces.register(one.scope.namespace for one in MEMORIES)
    for one in MEMORIES:
        before = None if one.version == 1 else one.model_copy(update={"version": one.version - 1})
        await memories.apply([MemoryChange(before=before, after=one)])
    await MongoTurns(database).place([TurnPlacement(one, accepted=False) for one in TURNS], now=NOW)
    summaries = InMemorySummaries()
    await summaries.write(SUMMARIES)
    return ReindexSources(
        namespaces=namespaces,
        memories=memories,
        turns=MongoTurnPages(database),
        summaries=summaries,
        users=Epochs(**epochs),
    )


async def projected(store: EdgeVectorStore, embedder: Embedder) -> None:
    """The vectors, as the flow would have made them one by one."""
    for one in MEMORIES:
        (vectors,) = await embedder.embed_documents([memory_text(one)])
        await store.upsert([memory_point(one, vectors)])
    for other in TURNS:
        (vectors,) = await embedder.embed_documents([turn_text(other)])
        await store.upsert([turn_point(other, vectors)])


async def answers(store: EdgeVectorStore, embedder: Embedder) -> list[list[VectorHit]]:
    scopes = (ALICE, ALICES_AGENT, BOB)
    statuses = frozenset({Status.ACTIVE, Status.SUPERSEDED})
    found = []
    for question in QUESTIONS:
        vectors = await embedder.embed_query(question)
        query = VectorQuery(
            scopes=scopes, statuses=statuses, dense=vectors.dense, sparse=vectors.sparse
        )
        found.append(list(await store.search(query)))
    return found


async def test_what_was_reindexed_answers_as_before(
    database: MongoDatabase, tmp_path: Path
) -> None:
    embedder = HashingEmbedder()
    store = EdgeVectorStore(tmp_path, embedder.model)
    sources = await stored(database, embedder.model)
    await store.open()
    await projected(store, embedder)
    before = await answers(store, embedder)
    await store.close()
    told: list[tuple[RecordType, int]] = []

    done = await reindex_vectors(
        sources, store, embedder, progress=lambda record, done: told.append((record, done))
    )
    await store.open()

    assert done == ReindexCounts(memories=len(MEMORIES), turns=len(TURNS), summaries=1)
    assert told[-1] == (RecordType.SUMMARY, 1)
    assert (RecordType.TURN, len(TURNS)) in told
    assert (RecordType.MEMORY, len(MEMORIES)) in told
    assert await answers(store, embedder) == before
    superseded = MEMORIES[3]
    assert await store.versions({superseded.id: ALICE}) == {superseded.id: 4}
    await store.close()


async def test_reindexing_is_the_way_to_another_model(
    database: MongoDatabase, tmp_path: Path
) -> None:
    first, second = OtherTwin(), HashingEmbedder()
    sources = await stored(database, first.model)
    old = EdgeVectorStore(tmp_path, first.model)
    await old.open()
    await projected(old, first)
    await old.close()

    new = EdgeVectorStore(tmp_path, second.model)
    with pytest.raises(EmbeddingModelMismatch, match="palimpsest reindex"):
        await new.open()
    as_configured = MongoNamespaces(database, layout=Layout.POOLED, model=second.model.slug)
    with pytest.raises(EmbeddingModelMismatch, match="palimpsest reindex"):
        await as_configured.verify()

    await reindex_vectors(sources, new, second)

    await new.open()
    await as_configured.verify()
    hits = (await answers(new, second))[0]
    assert hits[0].id == MEMORIES[0].id
    await new.close()
    with pytest.raises(EmbeddingModelMismatch, match="palimpsest reindex"):
        await old.open()


async def test_what_was_erased_does_not_come_back(database: MongoDatabase, tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    sources = await stored(database, embedder.model, alice=1)
    store = EdgeVectorStore(tmp_path, embedder.model)

    done = await reindex_vectors(sources, store, embedder)

    assert done == ReindexCounts(memories=1, turns=1, summaries=1)


async def test_nor_does_what_is_erased_and_may_still_be_there(
    database: MongoDatabase, tmp_path: Path
) -> None:
    embedder = HashingEmbedder()
    sources = await stored(database, embedder.model)
    gone = Erasure(epoch=0, turn_ids=(TURNS[0].id,), summary_ids=(SUMMARIES[0].id,))

    class Going(Epochs):
        async def of(self, user_ids: Iterable[str]) -> dict[str, UserState]:
            going = (erasure.PendingErasure(erasure=gone, revision=1),)
            return {user: UserState(going=going) for user in user_ids}

    store = EdgeVectorStore(tmp_path, embedder.model)

    done = await reindex_vectors(replace(sources, users=Going()), store, embedder)

    assert done == ReindexCounts(memories=len(MEMORIES), turns=len(TURNS) - 1, summaries=0)


async def test_a_turn_that_ingest_has_not_numbered_yet_is_left_to_it(
    database: MongoDatabase, tmp_path: Path
) -> None:
    embedder = HashingEmbedder()
    sources = await stored(database, embedder.model)
    waiting = turn("came over HTTP a moment ago", 9).model_copy(update={"sequence": None})
    await MongoTurns(database).accept([waiting], now=NOW)

    done = await reindex_vectors(sources, EdgeVectorStore(tmp_path, embedder.model), embedder)

    assert done.turns == len(TURNS)


async def test_when_it_fails_the_old_vectors_go_on(database: MongoDatabase, tmp_path: Path) -> None:
    class Failing(OtherTwin):
        async def embed_documents(self, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
            raise TransientError(f"the model is away, {len(texts)} texts wait")

    embedder = HashingEmbedder()
    sources = await stored(database, embedder.model)
    store = EdgeVectorStore(tmp_path, embedder.model)
    await store.open()
    await projected(store, embedder)
    before = await answers(store, embedder)
    await store.close()

    with pytest.raises(TransientError):
        await reindex_vectors(sources, EdgeVectorStore(tmp_path, OtherTwin.model), Failing())

    await store.open()
    assert await answers(store, embedder) == before
    await store.close()
    folders = [path.name for path in (tmp_path / "vectors").iterdir() if path.is_dir()]
    assert folders == ["hashing-64-1.1"]

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from prometheus_client import CollectorRegistry

from palimpsest.events.commands import ForgetMemory, SetSettings
from palimpsest.events.conversations import RememberRequested
from palimpsest.events.embeddable_event import MemoryText, VectorCarrier
from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.events.text_vectors import TextVectors
from palimpsest.events.topics import WRITES, Topic
from palimpsest.events.writes import ReprojectionRequested, TurnStored
from palimpsest.model.errors import TransientError
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, MemorySource
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role, Turn, turn_id
from palimpsest.model.vectors import EmbeddableText
from palimpsest_server.embedders.embedded_texts import texts_of
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from services.embedder.add_vectors import VectorEnricher
from services.embedder.handlers import CandidateHandler
from services.embedder.metrics import EmbedderMetrics

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


class Published:
    def __init__(self) -> None:
        self.events: list[Event] = []
        self.away = False

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        if self.away:
            raise TransientError("Kafka is away")
        assert topic is WRITES
        self.events.extend(events)


class CountingEmbedder(HashingEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.calls: list[list[EmbeddableText]] = []

    async def embed_documents(self, texts: Sequence[EmbeddableText]) -> list[TextVectors]:
        self.calls.append(list(texts))
        return await super().embed_documents(texts)


@pytest.fixture
def published() -> Published:
    return Published()


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
def embedding(
    embedder: CountingEmbedder, published: Published, registry: CollectorRegistry
) -> CandidateHandler:
    return CandidateHandler(VectorEnricher(embedder, EmbedderMetrics(registry)), published)


def remember(content: str, *, summary: str | None = None) -> RememberRequested:
    return RememberRequested(
        event_id=content, occurred_at=NOW, user_id="alice", content=content, summary=summary
    )


def forget(memory_id: str) -> ForgetMemory:
    return ForgetMemory(event_id=memory_id, occurred_at=NOW, user_id="alice", memory_id=memory_id)


def turn_stored(text: str) -> TurnStored:
    turn = Turn(
        id=turn_id("alice", "s", text),
        event_id="e",
        user_id="alice",
        session_id="s",
        message_id=text,
        role=Role.USER,
        text=text,
        occurred_at=NOW,
        received_at=NOW,
        epoch=0,
        sequence=1,
    )
    return TurnStored(event_id=text, occurred_at=NOW, user_id="alice", session_id="s", turn=turn)


def candidates(*contents: str) -> CandidatesProposed:
    return CandidatesProposed(
        event_id="candidates",
        occurred_at=NOW,
        user_id="alice",
        window_id="w",
        provider="local",
        candidates=tuple(
            Candidate(
                id=content,
                scope=Scope(user_id="alice"),
                kind=Kind.FACT,
                content=content,
                summary=content,
                importance=0.5,
                confidence=0.5,
                lifetime=Lifetime.CORE,
                source=MemorySource.DISCUSSION,
                occurred_at=NOW,
                valid_from=NOW,
                evidence=(),
            )
            for content in contents
        ),
    )


async def test_everything_comes_out_once_and_in_its_order(
    embedding: CandidateHandler, published: Published
) -> None:
    events: list[Event] = [
        turn_stored("I moved to Shanghai"),
        forget("m1"),
        candidates("lives in Shanghai", "住在上海"),
        SetSettings(event_id="s", occurred_at=NOW, user_id="alice", memory_enabled=False),
        remember("the cat is called Mimi"),
        candidates(),
        ReprojectionRequested(
            event_id="r",
            occurred_at=NOW,
            user_id="bob",
            memories=(MemoryText(memory_id="m", version=3, text="old words"),),
        ),
    ]

    rejections = await embedding.handle(events)

    assert list(rejections) == []
    assert [event.event_id for event in published.events] == [event.event_id for event in events]
    for sent, came in zip(events, published.events, strict=True):
        assert type(came) is type(sent)
        if isinstance(came, VectorCarrier):
            assert len(came.vectors) == len(texts_of(came))
            assert {vector.model for vector in came.vectors} <= {"hashing-64-1"}
            assert came.model_copy(update={"vectors": ()}) == sent
        else:
            assert came == sent


async def test_each_text_has_its_own_vectors(
    embedding: CandidateHandler, embedder: CountingEmbedder, published: Published
) -> None:
    await embedding.handle([candidates("green tea", "black coffee"), turn_stored("red wine")])

    for event in published.events:
        assert isinstance(event, VectorCarrier)
        assert list(event.vectors) == await HashingEmbedder().embed_documents(texts_of(event))


async def test_a_batch_is_one_call_and_equal_texts_are_embedded_once(
    embedding: CandidateHandler, embedder: CountingEmbedder
) -> None:
    await embedding.handle([remember("same"), turn_stored("other"), remember("same")])

    assert [[text.dense for text in call] for call in embedder.calls] == [["same", "other"]]


async def test_a_batch_without_text_asks_the_model_nothing(
    embedding: CandidateHandler, embedder: CountingEmbedder, published: Published
) -> None:
    await embedding.handle([forget("a"), forget("b")])

    assert embedder.calls == []
    assert len(published.events) == 2


async def test_vectors_that_a_sender_put_in_are_not_believed(
    embedding: CandidateHandler, published: Published
) -> None:
    forged = TextVectors(model="mine", dense="", sparse_indices="", sparse_values="")

    await embedding.handle([remember("x").model_copy(update={"vectors": (forged, forged)})])

    (event,) = published.events
    assert isinstance(event, VectorCarrier)
    assert [vector.model for vector in event.vectors] == ["hashing-64-1"]


async def test_with_kafka_away_the_batch_fails_as_a_whole_and_can_come_again(
    embedding: CandidateHandler, published: Published
) -> None:
    published.away = True
    with pytest.raises(TransientError):
        await embedding.handle([remember("a")])

    published.away = False
    await embedding.handle([remember("a")])
    assert len(published.events) == 1


async def test_a_summary_is_embedded_with_its_content_but_nothing_twice(
    embedding: CandidateHandler, embedder: CountingEmbedder
) -> None:
    await embedding.handle(
        [remember("likes tea", summary="tea"), remember("likes tea in summer", summary="likes tea")]
    )

    assert [text.dense for text in embedder.calls[0]] == ["tea\nlikes tea", "likes tea in summer"]


async def test_what_was_embedded_is_counted_and_timed(
    embedding: CandidateHandler, registry: CollectorRegistry
) -> None:
    await embedding.handle([remember("a b"), remember("c d")])

    assert registry.get_sample_value("palimpsest_embedder_texts_total") == 2
    assert registry.get_sample_value("palimpsest_embedder_batch_texts_sum") == 2
    assert registry.get_sample_value("palimpsest_embedder_batch_duration_seconds_count") == 1

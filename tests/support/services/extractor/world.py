"""An extractor around a ledger, with a provider that says what a test tells it to."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from prometheus_client import CollectorRegistry

from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.events.topics import CANDIDATES, Topic
from palimpsest.model.erasure import PendingErasure
from palimpsest.model.errors import EventTooLarge, TransientError
from palimpsest.model.kinds import Kind
from palimpsest.model.user import UserState
from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.proposals import ExtractionAnswer, MessageQuote, Proposal
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.extraction.provider import ExtractionProvider
from palimpsest_server.extraction.summaries.local_summaries import LocalSummaries
from palimpsest_server.extraction.summaries.summariser import Summariser
from palimpsest_server.stores.dead_letters import InMemoryDeadLetters
from palimpsest_server.stores.decided_erasures import InMemoryErasures
from palimpsest_server.stores.ledger import Ledger
from palimpsest_server.stores.spending import InMemorySpending
from palimpsest_server.stores.summaries import InMemorySummaries
from palimpsest_server.stores.summary_needs import InMemorySummaryNeeds
from palimpsest_server.stores.usage import InMemoryUsage
from services.extractor.app import ExtractorTimes, build
from services.extractor.extractor_stores import ExtractorStores
from services.extractor.reconciler import PUBLISHED_MARK_DELAY
from services.extractor.settle_answers import BATCH_WAIT_SECONDS
from services.extractor.task_providers import TaskProviders
from tests.support.given_settings import GivenSettings
from tests.support.platform import InMemoryPlatform
from tests.support.services.recall.stand_ins import shared_embedder
from tests.support.stores.memories import InMemoryMemories
from tests.support.stores.sessions import InMemorySessions
from tests.support.stores.turns import InMemoryTurns

Clock = Callable[[], datetime]


class ScriptedProvider:
    """Finds one fact in each window: its first fresh message. Counts how often it is asked."""

    name = "scripted"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.at_once = 0
        self.most_at_once = 0
        self.failures: dict[str, list[Exception]] = {}
        """What it raises, one after another, for a window beginning with this text."""
        self.stalled = asyncio.Event()
        self.stalled.set()

    async def extract(self, request: ExtractionRequest) -> ExtractionAnswer:
        first = next(message for message in request.messages if message.fresh)
        self.asked.append(first.text)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await self.stalled.wait()
        finally:
            self.at_once -= 1
        if self.failures.get(first.text):
            raise self.failures[first.text].pop(0)
        proposal = Proposal(
            kind=Kind.FACT,
            content=first.text,
            subject="user",
            evidence=(MessageQuote(message=first.number, quote=first.text),),
        )
        return ExtractionAnswer(proposals=(proposal,))


class RecordingPublisher:
    """Takes what is published, or fails as often as told."""

    def __init__(self) -> None:
        self.published: list[Event] = []
        self.failures: list[Exception] = []
        self.too_large: set[str] = set()
        """Windows whose answers are refused, and whatever is published with them."""
        self.progress = asyncio.Event()

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        assert topic is CANDIDATES
        if self.failures:
            raise self.failures.pop(0)
        windows = {event.window_id for event in events if isinstance(event, CandidatesProposed)}
        if windows & self.too_large:
            raise EventTooLarge("big")
        self.published += events
        self.progress.set()

    @property
    def windows(self) -> list[str]:
        return [
            event.window_id for event in self.published if isinstance(event, CandidatesProposed)
        ]


class SettableStates:
    """Every user has the defaults, but for what was set."""

    def __init__(self) -> None:
        self.epochs: dict[str, int] = {}
        self.going: tuple[PendingErasure, ...] = ()
        self.not_told: Mapping[str, frozenset[str]] = {}

    async def of(self, user_ids: Iterable[str]) -> Mapping[str, UserState]:
        return {
            user_id: UserState(
                epoch=self.epochs.get(user_id, 0), going=self.going, not_told=self.not_told
            )
            for user_id in user_ids
        }


class KnownChangeSets:
    """The consolidator, as far as the extractor can see it."""

    def __init__(self) -> None:
        self.decided: set[str] = set()

    async def known(self, change_set_ids: Sequence[str]) -> set[str]:
        return self.decided & set(change_set_ids)


@dataclass
class World:
    """One process of the extractor. `restarted` is the next one, on the same ledger."""

    ledger: Ledger
    clock: Clock
    provider: ScriptedProvider = field(default_factory=ScriptedProvider)
    model: ExtractionProvider | None = None
    """Asked in the scripted one's place."""
    fallback: ExtractionProvider | None = None
    room: Callable[[], int | None] = lambda: None
    publisher: RecordingPublisher = field(default_factory=RecordingPublisher)
    states: SettableStates = field(default_factory=SettableStates)
    change_sets: KnownChangeSets = field(default_factory=KnownChangeSets)
    dead_letters: InMemoryDeadLetters = field(default_factory=InMemoryDeadLetters)
    dead_lettered: list[tuple[str, Event, Exception]] = field(default_factory=list)
    turns: InMemoryTurns = field(default_factory=InMemoryTurns)
    sessions: InMemorySessions = field(default_factory=InMemorySessions)
    summaries: InMemorySummaries = field(default_factory=InMemorySummaries)
    memories: InMemoryMemories = field(default_factory=InMemoryMemories)
    needs: InMemorySummaryNeeds = field(default_factory=InMemorySummaryNeeds)
    erasures: InMemoryErasures = field(default_factory=InMemoryErasures)
    summariser: Summariser | None = None
    marks_late: bool = False
    """Marks of what was published wait until a test has `published` flush them."""
    answer_wait_seconds: float = BATCH_WAIT_SECONDS
    requests_at_once: int = 4
    maximum_attempts: int = 3

    def __post_init__(self) -> None:
        self.registry = CollectorRegistry()
        platform = InMemoryPlatform(
            settings=GivenSettings(
                extractor_concurrent_requests=self.requests_at_once,
                extractor_maximum_attempts=self.maximum_attempts,
            ),
            clock=self.clock,
            embedder=shared_embedder(),
            vectors=None,
            registry=self.registry,
            user_states=self.states,
            publisher=self.publisher,
        )
        stores = ExtractorStores(
            ledger=self.ledger,
            summary_needs=self.needs,
            erasures=self.erasures,
            sessions=self.sessions,
            turns=self.turns,
            summaries=self.summaries,
            memories=self.memories,
            calls=InMemoryUsage(),
            spending=InMemorySpending(),
            change_sets=self.change_sets,
            dead_letters=self.dead_letters,
        )
        providers = TaskProviders(
            first=self.model or self.provider,
            fallback=self.fallback,
            summariser=self.summariser or LocalSummaries(LocalExtractor()),
            room=self.room,
        )
        times = ExtractorTimes(
            published_mark_delay=PUBLISHED_MARK_DELAY if self.marks_late else timedelta(),
            answer_wait_seconds=self.answer_wait_seconds,
            settlement_backoff=Backoff(first_seconds=0.001, maximum_seconds=0.01),
        )
        self.service = build(platform, stores=stores, providers=providers, times=times)
        platform.buses["extractor"].dead_letters = self.dead_lettered
        self.wake = self.service.wake
        self.published = self.service.published_marks
        self.summing_up = self.service.summary_scheduler
        self.intake = self.service.handler
        self.workers = self.service.workers
        self.reconciler = self.service.reconciler

    def restarted(self) -> "World":
        """Another process: same ledger, provider, Kafka and users; nothing else survives."""
        return World(
            self.ledger,
            self.clock,
            provider=self.provider,
            model=self.model,
            fallback=self.fallback,
            room=self.room,
            publisher=self.publisher,
            states=self.states,
            change_sets=self.change_sets,
            dead_letters=self.dead_letters,
            dead_lettered=self.dead_lettered,
            turns=self.turns,
            sessions=self.sessions,
            summaries=self.summaries,
            needs=self.needs,
            erasures=self.erasures,
            summariser=self.summariser,
            requests_at_once=self.requests_at_once,
            maximum_attempts=self.maximum_attempts,
            marks_late=self.marks_late,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Workers and settling run meanwhile; at the end they are killed, not stopped."""
        tasks = [
            asyncio.create_task(self.workers.run()),
            asyncio.create_task(self.workers.settle()),
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(30):
            while not condition():  # noqa: ASYNC110 - a condition of several parties
                await asyncio.sleep(0.002)

    def counted(self, name: str, **labels: str) -> float:
        return self.registry.get_sample_value(f"palimpsest_extractor_{name}", labels) or 0.0


class KafkaAway(TransientError):
    """What a publisher raises while Kafka is away."""

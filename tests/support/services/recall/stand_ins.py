"""Stand-ins for the rest of Palimpsest around a recall: Kafka, the users, the model's gate."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from palimpsest.events.envelope import Event
from palimpsest.events.topics import Topic
from palimpsest.events.writes import MemoriesAccessed
from palimpsest.model.errors import EventTooLarge, TransientError
from palimpsest.model.user import UserSettings, UserState
from palimpsest_server.domain.ranking.gate_weights import ChineseGateWeights, FittedGate
from palimpsest_server.domain.ranking.relevance_gate import Gate
from palimpsest_server.domain.ranking.similarity_calibration import Calibration
from palimpsest_server.embedders.hashing_embedder import HashingEmbedder
from palimpsest_server.embedders.topic_directions import TopicDirectionsCalibrator
from tests.support.openings import ENGLISH

GATE = Gate(
    calibration=Calibration(average=0.2, spread=0.1),
    openings=FittedGate(
        english=ENGLISH,
        chinese=ChineseGateWeights(
            constant=-3.09,
            nearest=0.718,
            agreement=0.0,
            seen=4.688,
            finds=-1.433,
            fewest=8,
            opens_from=-1.422,
            opens_among_memories=-1.422,
            opens_from_deviations=7.85,
            opens_among_few=7.85,
            relevant_deviations=5.0,
        ),
    ),
)
"""For the embedder of tests, whose cosines are those of words in common."""


@dataclass
class Published:
    """A log of what was handed to Kafka; empty while Kafka is away."""

    events: list[tuple[Topic, Event]] = field(default_factory=list)
    away: bool = False
    refusing: bool = False

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        if self.away:
            raise TransientError("Kafka is away", retry_after_seconds=0.01)
        if self.refusing:
            raise EventTooLarge("no topic takes that much")
        self.events += [(topic, event) for event in events]

    @property
    def accesses(self) -> list[MemoriesAccessed]:
        return [event for _, event in self.events if isinstance(event, MemoriesAccessed)]


@dataclass
class States:
    """Users as they are set, and who was asked about."""

    by_user: dict[str, UserState] = field(default_factory=dict)

    async def of(self, user_ids: Iterable[str]) -> dict[str, UserState]:
        return {user_id: self.by_user.get(user_id, UserState()) for user_id in user_ids}

    def forget(self, user_ids: Iterable[str]) -> None:
        """Nothing is kept from before."""

    def turn_memory_off(self, user_id: str) -> None:
        self.by_user[user_id] = UserState(settings=UserSettings(memory_enabled=False))

    def erase(self, user_id: str, epoch: int) -> None:
        self.by_user[user_id] = UserState(epoch=epoch)


@cache
def shared_embedder() -> HashingEmbedder:
    """One for all tests: reading the Chinese dictionary takes a second."""
    return HashingEmbedder()


@cache
def shared_topics() -> TopicDirectionsCalibrator:
    return TopicDirectionsCalibrator(shared_embedder())

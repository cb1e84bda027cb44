from collections.abc import Sequence
from datetime import timedelta

import pytest
from prometheus_client import CollectorRegistry
from pydantic import ValidationError

from palimpsest.events.envelope import Event
from palimpsest.events.maintenance import TurnsExpired
from palimpsest.events.topics import CANDIDATES, Topic
from palimpsest.model.errors import TransientError
from palimpsest_server.runtime.settings import Settings
from palimpsest_server.stores.turns import TurnPlacement
from services.ingest.metrics import IngestMetrics
from services.ingest.turn_retention import TurnRetention
from tests.support.clock import SettableClock
from tests.support.stores.turns import InMemoryTurns
from tests.support.turns import MORNING, turn


class Kafka:
    def __init__(self) -> None:
        self.events: list[tuple[Topic, Event]] = []
        self.away = False

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        if self.away:
            raise TransientError("Kafka is away")
        self.events += [(topic, event) for event in events]


@pytest.fixture
def clock() -> SettableClock:
    clock = SettableClock()
    clock.now = MORNING
    return clock


async def test_turns_go_after_their_time_and_their_vectors_are_told_of_first(
    clock: SettableClock,
) -> None:
    turns, kafka = InMemoryTurns(), Kafka()
    expiring = TurnRetention(
        turns,
        publisher=kafka,
        metrics=IngestMetrics(CollectorRegistry()),
        clock=clock,
        retention=timedelta(days=30),
    )
    mine = [turn(1), turn(2, agent_id="coach")]
    await turns.place([TurnPlacement(each, accepted=False) for each in mine], now=MORNING)
    clock.now = MORNING + timedelta(days=30)
    assert await expiring.look() == 0

    clock.advance(timedelta(seconds=1))
    kafka.away = True
    with pytest.raises(TransientError):
        await expiring.look()
    assert len(await turns.standing([each.id for each in mine])) == 2

    kafka.away = False
    assert await expiring.look() == 2
    assert await turns.standing([each.id for each in mine]) == {}
    assert await expiring.look() == 0
    told = {
        (topic.name, event.agent_id): event.turn_ids
        for topic, event in kafka.events
        if isinstance(event, TurnsExpired)
    }
    assert told == {
        (CANDIDATES.name, None): (mine[0].id,),
        (CANDIDATES.name, "coach"): (mine[1].id,),
    }


@pytest.mark.parametrize(
    ("days", "allowed"), [(0, True), (6, False), (7, True), (30, True), (31, False)]
)
def test_a_week_at_least_and_a_month_at_most_or_for_ever(days: int, *, allowed: bool) -> None:
    if allowed:
        assert Settings(_env_file=None, turn_retention_days=days).turn_retention_days == days
    else:
        with pytest.raises(ValidationError):
            Settings(_env_file=None, turn_retention_days=days)

"""Deletes raw turns after their retention; memories made of them stay."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

import structlog

from palimpsest.events.envelope import derive_event_id
from palimpsest.events.maintenance import TurnsExpired
from palimpsest.events.topics import CANDIDATES
from palimpsest.model.clock import Clock
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Turn
from palimpsest.model.value_types import Instant
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.stores.turns import TurnStore
from services.ingest.metrics import IngestMetrics

RETENTION_INTERVAL = timedelta(hours=1)
TURNS_PER_DELETION = 256

_log = structlog.get_logger("palimpsest.ingest")


class TurnRetention:
    """Deletes turns by the time of receipt, so that imported history is kept as long as new turns.

    The consolidator removes their vectors. It is told first, and told again if this process dies
    before the turns are deleted.
    """

    def __init__(
        self,
        turns: TurnStore,
        *,
        publisher: Publisher,
        metrics: IngestMetrics,
        clock: Clock,
        retention: timedelta,
    ) -> None:
        self._turns = turns
        self._publisher = publisher
        self._metrics = metrics
        self._clock = clock
        self._retention = retention

    async def watch(self) -> None:
        """Delete expired turns periodically, until cancelled; the first time after one interval."""
        await run_periodically(
            self.look,
            every=RETENTION_INTERVAL,
            log=_log,
            failure="old turns could not be deleted",
            at_once=False,
        )

    async def look(self) -> int:
        """Delete expired turns, and return their number."""
        now = self._clock()
        gone = 0
        while old := await self._turns.received_before(
            now - self._retention, limit=TURNS_PER_DELETION
        ):
            await self._publisher.publish(CANDIDATES, list(_expired(old, now)))
            await self._turns.remove([turn.id for turn in old])
            self._metrics.reconciled("turn", "expired", len(old))
            gone += len(old)
        return gone


def _expired(turns: Sequence[Turn], now: Instant) -> Iterator[TurnsExpired]:
    by_scope: dict[tuple[Scope, int], list[str]] = {}
    for turn in turns:
        by_scope.setdefault((turn.scope, turn.epoch), []).append(turn.id)
    for (scope, epoch), ids in by_scope.items():
        yield TurnsExpired(
            event_id=derive_event_id("TurnsExpired", scope.user_id, *sorted(ids)),
            occurred_at=now,
            received_at=now,
            epoch=epoch,
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            project_id=scope.project_id,
            turn_ids=tuple(ids),
        )

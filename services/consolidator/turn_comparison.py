"""Compares raw turns with their points: turns whose points were lost become searchable again."""

from collections.abc import Mapping

from palimpsest.events.topics import CANDIDATES
from palimpsest.events.writes import build_turn_stored
from palimpsest.model.scope import Scope
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.domain.summaries.summary_visibility import is_erased
from palimpsest_server.stores.turns import ConfirmedTurns
from palimpsest_server.stores.user_states import UserStates
from palimpsest_server.stores.vectors import VectorStore
from services.consolidator.metrics import ConsolidatorMetrics


class TurnComparison:
    """Compares all turns round by round, and republishes those that lacked a point twice.

    It covers turns that ingest has seen as searchable; ingest looks after all others.
    """

    def __init__(
        self,
        turns: ConfirmedTurns,
        users: UserStates,
        vectors: VectorStore,
        *,
        publisher: Publisher,
        metrics: ConsolidatorMetrics,
    ) -> None:
        self._turns = turns
        self._users = users
        self._vectors = vectors
        self._publisher = publisher
        self._metrics = metrics
        self._after: str | None = None
        self._suspects: set[str] = set()
        self._missing = 0

    async def look(self) -> None:
        """Compare the next turns, at most up to the end of the round."""
        page = await self._turns.confirmed(after=self._after)
        await self._compare(page.scopes)
        self._after = page.last
        if page.last is None:
            self._metrics.drifting_turns.set(self._missing)
            self._missing = 0

    async def _compare(self, scopes: Mapping[str, Scope]) -> None:
        missing = scopes.keys() - (await self._vectors.versions(scopes)).keys()
        lost = missing & self._suspects
        self._suspects = (self._suspects - scopes.keys()) | missing
        self._missing += len(missing)
        if lost:
            await self._publish_again(lost)

    async def _publish_again(self, ids: set[str]) -> None:
        turns = await self._turns.by_ids(ids)
        states = await self._users.of({turn.user_id for turn in turns})
        kept = [turn for turn in turns if not is_erased(turn, states[turn.user_id])]
        await self._publisher.publish(CANDIDATES, [build_turn_stored(turn) for turn in kept])
        self._metrics.republished_turns.inc(len(kept))

"""Reconciler of commands that were accepted and whose effect was not seen: confirmed or sent again."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog

from palimpsest.events.topics import CANDIDATES
from palimpsest.model.change_set import change_set_id
from palimpsest.model.clock import Clock
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.delivery.reconciliation import PeriodicReconciliation, ReconcilerTimes
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.commands import CommandState, CommandStore, StoredCommand
from palimpsest_server.stores.dead_letters import DeadLetterReader, EventKey
from palimpsest_server.stores.user_states import UserStates
from services.console.metrics import ConsoleMetrics

UNPUBLISHED_GRACE = timedelta(seconds=10)
"""A command is published right after it is stored. After this time its publisher must have died."""

_log = structlog.get_logger("palimpsest.console")


class CommandReconciler:
    def __init__(
        self,
        store: CommandStore,
        *,
        publisher: Publisher,
        change_sets: ChangeSetReader,
        dead_letters: DeadLetterReader,
        users: UserStates,
        metrics: ConsoleMetrics,
        clock: Clock,
        times: ReconcilerTimes,
    ) -> None:
        self._store = store
        self._publisher = publisher
        self._change_sets = change_sets
        self._dead_letters = dead_letters
        self._users = users
        self._metrics = metrics
        self._clock = clock
        self._times = times
        self._loop = PeriodicReconciliation(
            self.look, times, log=_log, failure="commands could not be reconciled"
        )
        self.check = self._loop.check

    async def watch(self, *, log_was_lost: bool) -> None:
        """Reconcile commands periodically, until cancelled.

        With `log_was_lost` every command accepted before now is checked first, because Kafka has
        lost its events.
        """
        await self._loop.run(lost_before=self._clock() if log_was_lost else None)

    async def look(self, lost_before: datetime | None = None) -> None:
        """Check every unfinished command that is old enough, oldest first."""
        now = self._clock()
        stored = await self._unfinished(CommandState.STORED, lost_before or now - UNPUBLISHED_GRACE)
        published = await self._unfinished(
            CommandState.PUBLISHED, lost_before or now - self._times.grace
        )
        await self._settle(sorted([*stored, *published], key=lambda command: command.accepted_at))

    async def _unfinished(self, state: CommandState, before: datetime) -> Sequence[StoredCommand]:
        return await self._store.unfinished(state, since_before=before)

    async def _settle(self, commands: Sequence[StoredCommand]) -> None:
        if not commands:
            return
        causes = {command.id: change_set_id(*_event_of(command)) for command in commands}
        known = await self._change_sets.known(list(causes.values()))
        states = await self._users.of({command.user_id for command in commands})
        # A command of an older epoch is dropped by every stage, and never leaves a change set.
        over = {
            command.id
            for command in commands
            if (command.event.epoch or 0) < states[command.user_id].epoch
        }
        done = {
            command.id for command in commands if causes[command.id] in known or command.id in over
        }
        waiting = [command for command in commands if command.id not in done]
        aside = await self._find_dead_lettered(waiting)
        lost = [command for command in waiting if command.id not in aside]
        await self._store.confirmed([*done, *aside], self._clock())
        await self._publisher.publish(CANDIDATES, [command.event for command in lost])
        await self._store.published([command.id for command in lost], self._clock())
        self._metrics.reconciled.labels("confirmed").inc(len(done))
        self._metrics.reconciled.labels("set_aside").inc(len(aside))
        self._metrics.reconciled.labels("published_again").inc(len(lost))

    async def _find_dead_lettered(self, commands: Sequence[StoredCommand]) -> set[str]:
        """Return commands that a later stage dead-lettered. Only a replay may help them."""
        known = await self._dead_letters.known([*map(_event_of, commands)])
        return {command.id for command in commands if _event_of(command) in known}


def _event_of(command: StoredCommand) -> EventKey:
    return (command.user_id, command.event.event_id)

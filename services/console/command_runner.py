"""Runs commands: stores each, sends it to the one writer, and waits for its change."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from time import perf_counter

from palimpsest.events.topics import CANDIDATES
from palimpsest.model.change_set import ChangeSet, ChangeSetProgress, change_set_id
from palimpsest.model.clock import Clock
from palimpsest.model.errors import PermanentError
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.commands import (
    AcceptedCommand,
    CommandState,
    CommandStore,
    StoredCommand,
    command_key,
)
from palimpsest_server.stores.dead_letters import EventKey
from palimpsest_server.stores.user_states import UserStates
from services.console.change_waiters import ChangeFuture, ChangeWaiters
from services.console.metrics import ConsoleMetrics


class CommandRunner:
    """Runs commands. An accepted command survives a crash at any point: the reconciler resumes it."""

    def __init__(
        self,
        store: CommandStore,
        *,
        publisher: Publisher,
        change_sets: ChangeSetReader,
        announcements: ChangeWaiters,
        users: UserStates,
        metrics: ConsoleMetrics,
        clock: Clock,
        patience: timedelta,
    ) -> None:
        self._store = store
        self._publisher = publisher
        self._change_sets = change_sets
        self._announcements = announcements
        self._users = users
        self._metrics = metrics
        self._clock = clock
        self._patience = patience

    async def run(self, event: AcceptedCommand) -> ChangeSet | None:
        """Run a command and return its change set; None if the change is still under way.

        Raises:
            ConflictingDuplicate: the id is known with another request.
            TransientError: Kafka or MongoDB is away. The same command may be given again.
        """
        started = perf_counter()
        change_set = await self._through(event)
        outcome = "under_way" if change_set is None else "applied"
        if change_set is not None and change_set.refusal is not None:
            outcome = "refused"
        self._metrics.commands.labels(event.type, outcome).inc()
        self._metrics.waited.labels(event.type).observe(perf_counter() - started)
        return change_set

    async def take(self, events: Sequence[AcceptedCommand]) -> Mapping[EventKey, PermanentError]:
        """Store commands and send them on in order, without waiting for their changes.

        Returns:
            The refused commands, by user and event id, each with its error.

        Raises:
            TransientError: Kafka or MongoDB is away. Taking them again is safe.
        """
        refused: dict[EventKey, PermanentError] = {}
        going: list[StoredCommand] = []
        for event in events:
            try:
                command = await self._accept(event)
            except PermanentError as error:
                refused[event.user_id, event.event_id] = error
            else:
                # A command that was published before may be settled already: its reconciler knows.
                going += [command] if command.state is CommandState.STORED else []
                self._metrics.commands.labels(event.type, "taken").inc()
        await self._publisher.publish(
            CANDIDATES, [stored_command.event for stored_command in going]
        )
        await self._store.published([stored_command.id for stored_command in going], self._clock())
        return refused

    async def _through(self, event: AcceptedCommand) -> ChangeSet | None:
        with self._announcements.expect(event.user_id, event.event_id) as announced:
            command = await self._accept(event)
            if command.state is not CommandState.STORED and (known := await self._decided(command)):
                return known
            await self._publisher.publish(CANDIDATES, [command.event])
            await self._store.published([command.id], self._clock())
            change_set = await self._caused(command, announced)
        if change_set is not None:
            await self._store.confirmed([command.id], self._clock())
        return change_set

    async def _accept(self, event: AcceptedCommand) -> StoredCommand:
        now = self._clock()
        states = await self._users.of([event.user_id])
        stamp = {"received_at": now, "epoch": states[event.user_id].epoch}
        return await self._store.accept(
            StoredCommand(
                id=command_key(event.user_id, event.event_id),
                user_id=event.user_id,
                event=event.model_copy(update=stamp),
                accepted_at=now,
                since=now,
            )
        )

    async def _caused(self, command: StoredCommand, announced: ChangeFuture) -> ChangeSet | None:
        try:
            async with asyncio.timeout(self._patience.total_seconds()):
                return await announced
        except TimeoutError:
            # The announcement waits for the projection; a change that is applied is valid without
            # it.
            return await self._decided(command)

    async def _decided(self, command: StoredCommand) -> ChangeSet | None:
        cause = change_set_id(command.user_id, command.event.event_id)
        change_sets = await self._change_sets.by_ids([cause])
        return next(
            (
                change_set
                for change_set in change_sets
                if change_set.progress is not ChangeSetProgress.DECIDED
            ),
            None,
        )

"""The schedule of purges: memories forgotten a year ago are erased, once a week per namespace."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta

import structlog

from palimpsest.events.commands import PurgeForgotten
from palimpsest.events.envelope import derive_event_id
from palimpsest.events.topics import CANDIDATES
from palimpsest.model.clock import Clock
from palimpsest.model.identifiers import derive_id
from palimpsest.model.memory import Memory, MemoryAtVersion
from palimpsest.model.scope import Namespace
from palimpsest_server.delivery.periodic import run_periodically
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.domain.forgetting.purge import RESTORABLE_FOR, select_purgeable
from palimpsest_server.stores.change_sets import ChangeSetReader
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.user_states import UserStates
from services.consolidator.commands.command_reader import MAXIMUM_COMMAND_MEMORIES

PURGE_INTERVAL = timedelta(hours=1)
DAYS_BETWEEN_PURGES = 7
"""Each purge has its user's profile rewritten, so it does not run every night."""

_log = structlog.get_logger("palimpsest.consolidator")


class PurgeScheduler:
    """Sends purge commands. A repeated command has the same id, and restored memories are not purged.

    Its memory only saves work.
    """

    def __init__(
        self,
        *,
        namespaces: NamespaceRegistry,
        memories: MemoryStore,
        change_sets: ChangeSetReader,
        users: UserStates,
        publisher: Publisher,
        owns: Callable[[str], bool],
        clock: Clock,
    ) -> None:
        self._namespaces = namespaces
        self._memories = memories
        self._change_sets = change_sets
        self._users = users
        self._publisher = publisher
        self._owns = owns
        self._clock = clock
        self._looked: dict[Namespace, date] = {}

    async def watch(self) -> None:
        """Send due purges periodically, until cancelled; the first time after one interval."""
        await run_periodically(
            self.look,
            every=PURGE_INTERVAL,
            log=_log,
            failure="could not purge what is long forgotten",
            at_once=False,
        )

    async def look(self) -> int:
        """Send purges for the namespaces that are due today; return the number of memories."""
        now = self._clock()
        count = 0
        for registered_namespace in await self._namespaces.everything():
            namespace = registered_namespace.namespace
            if self._is_due(namespace, now.date()):
                count += await self._purge(namespace, now)
                self._looked[namespace] = now.date()
        return count

    def _is_due(self, namespace: Namespace, day: date) -> bool:
        place = int(derive_id("purge", namespace.user_id, namespace.agent_id)[:8], 16)
        its_day = (day.toordinal() + place) % DAYS_BETWEEN_PURGES == 0
        return its_day and self._looked.get(namespace) != day and self._owns(namespace.user_id)

    async def _purge(self, namespace: Namespace, now: datetime) -> int:
        memories = await self._memories.forgotten(namespace, recorded_before=now - RESTORABLE_FOR)
        if not memories:
            return 0
        ids = [memory.id for memory in memories]
        changed = await self._change_sets.last_changed(namespace.user_id, ids)
        over = sorted(select_purgeable(memories, changed, now=now), key=lambda memory: memory.id)
        states = await self._users.of([namespace.user_id])
        epoch = states[namespace.user_id].epoch
        await self._publisher.publish(CANDIDATES, list(_commands(namespace, over, epoch, now)))
        return len(over)


def _commands(
    namespace: Namespace, memories: Sequence[Memory], epoch: int, now: datetime
) -> Iterator[PurgeForgotten]:
    for start in range(0, len(memories), MAXIMUM_COMMAND_MEMORIES):
        part = memories[start : start + MAXIMUM_COMMAND_MEMORIES]
        named = (f"{memory.id} {memory.version}" for memory in part)
        yield PurgeForgotten(
            event_id=derive_event_id("PurgeForgotten", namespace.user_id, *named),
            occurred_at=now,
            received_at=now,
            epoch=epoch,
            user_id=namespace.user_id,
            agent_id=namespace.agent_id,
            memories=tuple(
                MemoryAtVersion(memory_id=memory.id, version=memory.version) for memory in part
            ),
        )

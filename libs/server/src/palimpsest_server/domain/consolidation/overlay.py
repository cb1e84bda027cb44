"""Known memories during a run of events: those that were read, overlaid by decisions since."""

from collections.abc import Iterable, Mapping

from palimpsest.model.change_set import MemoryChange
from palimpsest.model.memory import Memory
from palimpsest.model.profile import Profile
from palimpsest.model.scope import Namespace
from palimpsest.model.session_summary import SessionSummary
from palimpsest.model.todo import Todo
from palimpsest_server.domain.consolidation.memory_keys import lookup_keys as keys_of
from palimpsest_server.domain.entities.entity_overlay import EntityOverlay
from palimpsest_server.domain.todos.todo_overlay import TodoOverlay


class Overlay:
    """Memories by id and key, with all changes until they are taken. No I/O."""

    def __init__(
        self,
        memories: Iterable[Memory] = (),
        todos: Iterable[Todo] = (),
        summaries: Iterable[SessionSummary] = (),
        profiles: Mapping[tuple[str, str | None], Profile] | None = None,
        epochs: Mapping[str, int] | None = None,
    ) -> None:
        """Make an overlay of stored records.

        Args:
            memories: the memories that decisions may concern.
            todos: the todos that decisions may concern.
            summaries: of sessions.
            profiles: by user and agent; no agent for the user layer.
            epochs: by user; memories of an older epoch count as unknown.
        """
        self._epochs = epochs or {}
        self.profiles = {
            layer: profile
            for layer, profile in (profiles or {}).items()
            if profile.epoch >= self._epochs.get(profile.user_id, 0)
        }
        self.todos = TodoOverlay(todos)
        self.summaries = {
            summary.id: summary
            for summary in summaries
            if summary.epoch >= self._epochs.get(summary.scope.user_id, 0)
        }
        self.entities = EntityOverlay()
        self.recalled: dict[str, list[str]] = {}
        """Memory ids by the id of the recall that returned them."""
        self._memories: dict[str, Memory] = {}
        self._by_key: dict[str, dict[str, None]] = {}
        self._before: dict[str, Memory | None] = {}
        self._user_id: str | None = None
        self.read(memories)

    def read(self, memories: Iterable[Memory]) -> None:
        """Add memories read from a store."""
        for memory in memories:
            if memory.epoch >= self._epochs.get(memory.scope.user_id, 0):
                self._keep(memory)

    def decide_for(self, user_id: str) -> None:
        """Restrict lookups by id to this user's memories; other users' memories stay in the overlay."""
        self._user_id = user_id

    def get(self, memory_id: str) -> Memory | None:
        memory = self._memories.get(memory_id)
        if memory is None or self._user_id in (None, memory.scope.user_id):
            return memory
        return None

    def with_key(self, key: str) -> list[Memory]:
        return [self._memories[memory_id] for memory_id in self._by_key.get(key, ())]

    def everything(self) -> list[Memory]:
        return list(self._memories.values())

    def of_namespace(self, namespace: Namespace) -> list[Memory]:
        """List the known memories of a namespace, of any status."""
        # Compared field by field: making a namespace of each scope takes ten times as long.
        place = (namespace.user_id, namespace.agent_id)
        return [
            memory
            for memory in self._memories.values()
            if (memory.scope.user_id, memory.scope.agent_id) == place
        ]

    def put(self, memory: Memory) -> None:
        """Change a memory, or add it. Versions are raised when the changes are taken."""
        self._before.setdefault(memory.id, self._memories.get(memory.id))
        self._keep(memory)

    def coming_changes(self) -> list[MemoryChange]:
        """Return the changes that would be taken now, without new versions."""
        return [
            MemoryChange(before=before, after=self._memories[memory_id])
            for memory_id, before in self._before.items()
            if self._memories[memory_id] != before
        ]

    def take_changes(self) -> tuple[MemoryChange, ...]:
        """Return the changes since the last call: each memory once, one version up."""
        changes = []
        for memory_id, before in self._before.items():
            after = self._memories[memory_id]
            if after == before:
                continue
            version = 1 if before is None else before.version + 1
            self._memories[memory_id] = after.model_copy(update={"version": version})
            changes.append(MemoryChange(before=before, after=self._memories[memory_id]))
        self._before.clear()
        return tuple(changes)

    def _keep(self, memory: Memory) -> None:
        self._memories[memory.id] = memory
        for key in keys_of(memory):
            self._by_key.setdefault(key, {})[memory.id] = None

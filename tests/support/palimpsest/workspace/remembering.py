"""Services that remember, in memory: commands with a known key have no further effect."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from palimpsest.model.identifiers import derive_id
from palimpsest.model.kinds import KINDS, Kind
from palimpsest.model.memory import Evidence, Memory, MemorySource, Status
from palimpsest.model.scope import Scope
from palimpsest.workspace.commands import WorkspaceCommand
from palimpsest.workspace.file_contents import ORDER_FIELD
from palimpsest.workspace.scope_memories import CommandOutcome

MARCH = datetime(2026, 3, 2, 9, tzinfo=UTC)


class RememberingServices:
    """`ScopeMemories` without services: what the console does with the commands of a workspace."""

    def __init__(self) -> None:
        self.memories: dict[str, Memory] = {}
        self.history: list[str] = []
        """Everything that was ever said, and is not said any more."""
        self.memory_on = True
        self.effects: list[str] = []
        """The keys of commands that had an effect."""
        self.before_sending: Callable[[], None] = lambda: None
        self.refusing: str | None = None
        """Words that are refused."""
        self.outdating: set[str] = set()
        """Ids of memories whose edits always come too late."""
        self._known: dict[str, CommandOutcome] = {}
        self._count = 0

    async def list_active(self, scope: Scope) -> Sequence[Memory] | None:
        if not self.memory_on:
            return None
        return [
            memory
            for memory in self.memories.values()
            if memory.scope == scope and KINDS[memory.kind].file is not None
        ]

    async def send(self, scope: Scope, command: WorkspaceCommand) -> CommandOutcome:
        self.before_sending()
        assert command.key
        if command.key in self._known:
            return self._known[command.key]
        outcome = self._execute(scope, command)
        if outcome.state == "done":
            self.effects.append(command.key)
        if outcome.state != "outdated":
            self._known[command.key] = outcome
        self.before_sending()
        return outcome

    def _execute(self, scope: Scope, command: WorkspaceCommand) -> CommandOutcome:
        if self.refusing is not None and self.refusing in (command.content or ""):
            return CommandOutcome(state="refused", words="too -- large")
        if command.memory_id is None:
            memory = self.remember(
                scope, command.content or "", command.kind or Kind.FACT, order=command.order
            )
            return CommandOutcome(state="done", memory_id=memory.id)
        if command.memory_id not in self.memories.keys() - self.outdating:
            return CommandOutcome(state="done" if command.action == "forget" else "outdated")
        if command.action == "forget":
            self.forget(command.memory_id)
            return CommandOutcome(state="done", memory_id=command.memory_id)
        memory = self.memories[command.memory_id]
        if command.version not in {None, memory.version}:
            return CommandOutcome(state="outdated")
        edits = command.model_dump(include={"content", "kind", "data"}, exclude_none=True)
        self.edit(memory.id, **edits)
        return CommandOutcome(state="done", memory_id=memory.id)

    def remember(
        self, scope: Scope, content: str, kind: Kind = Kind.FACT, *, order: int | None = None
    ) -> Memory:
        self._count += 1
        moment = MARCH + timedelta(seconds=self._count)
        memory = Memory(
            id=derive_id("memory", str(self._count)),
            scope=scope,
            content=content,
            summary=content,
            kind=kind,
            importance=0.5,
            confidence=1.0,
            lifetime=KINDS[kind].lifetime,
            source=MemorySource.FILE,
            occurred_at=moment,
            valid_from=moment,
            recorded_at=moment,
            evidence=(Evidence(quote=content),),
            status=Status.ACTIVE,
            epoch=0,
            data={} if order is None else {ORDER_FIELD: order},
        )
        self.memories[memory.id] = memory
        return memory

    def edit(self, memory_id: str, **edits: Any) -> None:
        memory = self.memories[memory_id]
        self.history.append(memory.content)
        update = {**edits, "version": memory.version + 1}
        self.memories[memory_id] = memory.model_copy(update=update)

    def forget(self, memory_id: str) -> None:
        self.history.append(self.memories.pop(memory_id).content)

    @property
    def contents(self) -> list[str]:
        return [memory.content for memory in self.memories.values()]

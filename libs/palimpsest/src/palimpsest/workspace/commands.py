"""Commands that edits of files become."""

from typing import Literal

from palimpsest.model.identifiers import derive_id
from palimpsest.model.kinds import Kind
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Value


class WorkspaceCommand(Value):
    """One command. Its key is derived from what it does, so that sending it again changes nothing."""

    action: Literal["add", "edit", "forget"]
    key: str = ""
    """The idempotency key; empty until the command is written into the journal."""
    memory_id: str | None = None
    """The memory that is edited or forgotten; None for a new one."""
    content: str | None = None
    """The new content; None if it stays."""
    kind: Kind | None = None
    """The kind of a new line, or of one that was moved to another section; None if it stays."""
    order: int | None = None
    """The place of the line in its section; None if it stays."""
    data: dict[str, object] | None = None
    """The data of the memory with its new place; None if the place stays."""
    line_stands: bool = False
    """The line of a memory that is forgotten stands in the file, and goes with it."""
    version: int | None = None
    """The version to which `data` belongs; None if no data is sent."""

    def with_key(self, scope: Scope, batch: int, number: int) -> "WorkspaceCommand":
        """Return the command as one of a batch of the journal of this scope."""
        parts = (
            scope.user_id,
            scope.agent_id,
            scope.project_id,
            str(batch),
            str(number),
            self.model_dump_json(exclude={"key"}),
        )
        return self.model_copy(update={"key": derive_id("workspace command", *parts)})

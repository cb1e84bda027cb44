"""Handlers of commands that come over Kafka: redacted, stored and sent on; results are announced."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from palimpsest.api.command_requests import MergeRequest, ReasonRequest
from palimpsest.events.command_registry import require_commands
from palimpsest.events.commands import (
    CommandEvent,
    EditMemory,
    ImportMemories,
    MergeMemories,
)
from palimpsest.events.envelope import Event
from palimpsest.events.event_ids import assign_event_id
from palimpsest.model.errors import ErasedSince, InvalidEvent, PermanentError
from palimpsest.model.memory import Memory
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_server.delivery.event_decoder import build_invalid_event_error
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.domain.consolidation.manual_edits import embedded_text_after_edits
from palimpsest_server.stores.dead_letters import EventKey
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from services.console.command_runner import CommandRunner
from services.console.request_redaction import redact_records, redact_request

RequestT = TypeVar("RequestT", bound=BaseModel)


class KafkaCommandHandler:
    def __init__(
        self,
        commands: CommandRunner,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        privacy: PrivacyPolicy,
    ) -> None:
        self._commands = commands
        self._memories = memories
        self._namespaces = namespaces
        self._privacy = privacy

    async def handle(self, events: Sequence[Event]) -> Sequence[EventRejection]:
        """Take commands and return those that can never be taken, each with its error.

        Raises:
            TransientError: Kafka or MongoDB is away.
        """
        rejections: list[EventRejection] = []
        # Clients choose event ids: two users may use the same id.
        ready: dict[EventKey, Any] = {}
        given: dict[EventKey, Event] = {}
        for event in events:
            try:
                command = await self._ready(event)
            except PermanentError as error:
                rejections.append(EventRejection(event, error))
            else:
                key = (command.user_id, command.event_id)
                ready.setdefault(key, command)
                given.setdefault(key, event)
        refused = await self._commands.take(list(ready.values()))
        rejections += [
            EventRejection(given[one], error)
            for one, error in refused.items()
            # A dead letter would keep erased content.
            if not isinstance(error, ErasedSince)
        ]
        return rejections

    async def _ready(self, event: Event) -> CommandEvent:
        """Return the command as it may be stored: with an id, and without secrets."""
        if not isinstance(event, CommandEvent):
            raise InvalidEvent(f"{event.type} is no command")
        named = assign_event_id(event)
        preparer = _PREPARERS.get(type(named))
        if preparer is not None:
            return await preparer(self, named)
        if named.PROPERTIES.takes_reason_alone:
            said = self._said(ReasonRequest, reason=getattr(named, "reason", None))
            return named.model_copy(update={"reason": said.reason})
        return named

    async def prepare_edit(self, event: EditMemory) -> CommandEvent:
        edits = redact_request(event.edits, self._privacy)
        memory = await self._memory(event.user_id, event.memory_id)
        text = None if memory is None else embedded_text_after_edits(memory, edits)
        return event.model_copy(update={"edits": edits, "text": text, "vectors": ()})

    async def prepare_merge(self, event: MergeMemories) -> CommandEvent:
        said = self._said(
            MergeRequest,
            memory_ids=event.memory_ids,
            content=event.content,
            summary=event.summary,
        )
        texts = {"content": said.content, "summary": said.summary, "vectors": ()}
        return event.model_copy(update=texts)

    async def prepare_import(self, event: ImportMemories) -> CommandEvent:
        memories = redact_records(event.memories, self._privacy)
        return event.model_copy(update={"memories": memories, "vectors": ()})

    def _said(self, request: type[RequestT], **fields: Any) -> RequestT:
        """Validate the fields that a person wrote, within the limits of the HTTP API."""
        try:
            return redact_request(request(**fields), self._privacy)
        except ValidationError as error:
            raise build_invalid_event_error(error) from None

    async def _memory(self, user_id: str, memory_id: str) -> Memory | None:
        """Return the memory of this id, of any agent; None if it does not exist.

        The consolidator reports a missing memory.
        """
        namespaces = await self._namespaces.of_user(user_id)
        memories = await self._memories.of_namespaces(dict.fromkeys(namespaces, (memory_id,)))
        return next(iter(memories), None)


_PREPARERS: Mapping[
    type[CommandEvent], Callable[[KafkaCommandHandler, Any], Awaitable[CommandEvent]]
] = {
    EditMemory: KafkaCommandHandler.prepare_edit,
    MergeMemories: KafkaCommandHandler.prepare_merge,
    ImportMemories: KafkaCommandHandler.prepare_import,
}
"""Redaction of each command that carries more free text than a reason."""

require_commands(
    "the intake of commands over Kafka",
    _PREPARERS.keys(),
    lambda command: (
        command.given_by_people and bool(command.free_text) and not command.takes_reason_alone
    ),
)

"""Commands that come over Kafka: freed of secrets, stored, sent on. What came of them is announced."""

from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from palimpsest.client.identities import identified
from palimpsest.contracts.command_requests import MergeRequest, ReasonRequest
from palimpsest.contracts.commands import (
    CloseProject,
    CommandEvent,
    EditMemory,
    ForgetMemory,
    MergeMemories,
    RejectMemory,
)
from palimpsest.contracts.envelope import Event
from palimpsest.delivery.decoding import invalid_event
from palimpsest.delivery.stage import Rejection
from palimpsest.domain.errors import ErasedSince, InvalidEvent, PermanentError
from palimpsest.domain.evolution.editing import edited_text
from palimpsest.domain.memory import Memory
from palimpsest.domain.privacy.policy import PrivacyPolicy
from palimpsest.stores.dead_letters import EventKey
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.namespaces import NamespaceRegistry
from services.console.commands import Commands
from services.console.preparing import prepared

RequestT = TypeVar("RequestT", bound=BaseModel)


class Intake:
    def __init__(
        self,
        commands: Commands,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        privacy: PrivacyPolicy,
    ) -> None:
        self._commands = commands
        self._memories = memories
        self._namespaces = namespaces
        self._privacy = privacy

    async def handle(self, events: Sequence[Event]) -> Sequence[Rejection]:
        """Raises TransientError where Kafka or MongoDB is away."""
        rejections: list[Rejection] = []
        # Event ids are the clients' own: two users may use the same.
        ready: dict[EventKey, Any] = {}
        given: dict[EventKey, Event] = {}
        for event in events:
            try:
                command = await self._ready(event)
            except PermanentError as error:
                rejections.append(Rejection(event, error))
            else:
                key = (command.user_id, command.event_id)
                ready.setdefault(key, command)
                given.setdefault(key, event)
        refused = await self._commands.take(list(ready.values()))
        rejections += [
            Rejection(given[one], error)
            for one, error in refused.items()
            # A letter would keep what was erased.
            if not isinstance(error, ErasedSince)
        ]
        return rejections

    async def _ready(self, event: Event) -> CommandEvent:
        """As it may be stored: with an id, without secrets, with what is to be embedded."""
        if not isinstance(event, CommandEvent):
            raise InvalidEvent(f"{event.type} is no command")
        named = identified(event)
        match named:
            case EditMemory():
                edits = prepared(named.edits, self._privacy)
                memory = await self._memory(named.user_id, named.memory_id)
                text = None if memory is None else edited_text(memory, edits)
                return named.model_copy(update={"edits": edits, "text": text, "vectors": ()})
            case MergeMemories():
                said = self._said(
                    MergeRequest,
                    memory_ids=named.memory_ids,
                    content=named.content,
                    summary=named.summary,
                )
                texts = {"content": said.content, "summary": said.summary, "vectors": ()}
                return named.model_copy(update=texts)
            case ForgetMemory() | RejectMemory() | CloseProject():
                said_why = self._said(ReasonRequest, reason=named.reason)
                return named.model_copy(update={"reason": said_why.reason})
            case _:
                return named

    def _said(self, request: type[RequestT], **fields: Any) -> RequestT:
        """What a person wrote of a command, within what a console takes over HTTP."""
        try:
            return prepared(request(**fields), self._privacy)
        except ValidationError as error:
            raise invalid_event(error) from None

    async def _memory(self, user_id: str, memory_id: str) -> Memory | None:
        """Of whichever agent it is; where there is none, the one writer says so."""
        namespaces = await self._namespaces.of_user(user_id)
        found = await self._memories.of_namespaces(dict.fromkeys(namespaces, (memory_id,)))
        return next(iter(found), None)

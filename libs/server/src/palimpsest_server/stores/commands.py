"""Commands of people, from their acceptance until their effect is confirmed."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Protocol

from pydantic import BeforeValidator, SerializeAsAny, ValidationInfo
from pymongo.errors import DuplicateKeyError

from palimpsest.events.command_registry import PEOPLES_COMMANDS, get_command_name
from palimpsest.events.commands import CommandEvent
from palimpsest.events.conversations import RememberRequested
from palimpsest.events.envelope import Event
from palimpsest.model.errors import ConflictingDuplicate, ErasedSince
from palimpsest.model.identifiers import derive_id
from palimpsest.model.value_types import Instant, Value
from palimpsest_server.stores import collections
from palimpsest_server.stores.mongo.database import Document, MongoDatabase, from_document

_ACCEPTED: Mapping[str, type[Event]] = {
    "RememberRequested": RememberRequested,
    **{get_command_name(one) or "": one for one in PEOPLES_COMMANDS},
}


def parse_accepted_command(value: Any, info: ValidationInfo) -> Any:
    """Parse the command of a stored document by its `type`; return a command object unchanged.

    Raises:
        ValueError: the console takes no command of this type.
    """
    event_type = value.get("type") if isinstance(value, Mapping) else getattr(value, "type", None)
    model = _ACCEPTED.get(event_type) if isinstance(event_type, str) else None
    if model is None:
        raise ValueError("no command that people give")
    return model.model_validate(value, context=info.context)


AcceptedCommand = Annotated[
    SerializeAsAny[RememberRequested | CommandEvent], BeforeValidator(parse_accepted_command)
]
"""A command that the console takes: a command of a person, or a request to remember something."""


def command_key(user_id: str, event_id: str) -> str:
    """Derive the id of a command from its user and its event id, since two clients may use one event id."""
    return derive_id("command", user_id, event_id)


class CommandState(StrEnum):
    """The progress of a command; it never goes back."""

    STORED = "stored"
    PUBLISHED = "published"
    CONFIRMED = "confirmed"
    """The command's change set exists, even if it changed nothing; or the command can have none, because
    its epoch is over or a later stage dead-lettered it."""


class StoredCommand(Value):
    id: str
    """Key made by `command_key`."""
    user_id: str
    event: AcceptedCommand
    state: CommandState = CommandState.STORED
    accepted_at: Instant
    since: Instant
    """When the command entered its state. Publishing it again renews the time."""

    @property
    def request(self) -> dict[str, Any]:
        """The request without the fields of its arrival, so that a retry compares equal."""
        arrival = {"occurred_at", "received_at", "epoch", "trace"}
        event = self.event
        filled_in = event.FILLED_IN if isinstance(event, CommandEvent) else frozenset[str]()
        return event.model_dump(mode="json", exclude={*arrival, *filled_in})


class CommandStore(Protocol):
    async def accept(self, command: StoredCommand) -> StoredCommand:
        """Store a command durably unless its id is known; return the stored command.

        Raises:
            ConflictingDuplicate: the id is known with another request.
            ErasedSince: the command of this id was erased.
        """
        ...

    async def published(self, ids: Sequence[str], at: Instant) -> None: ...

    async def confirmed(self, ids: Sequence[str], at: Instant) -> None: ...

    async def unfinished(
        self, state: CommandState, *, since_before: Instant, limit: int = 500
    ) -> Sequence[StoredCommand]:
        """Return commands in this state that entered it before the moment, longest waiting first."""
        ...


def match_known_command(command: StoredCommand, known: StoredCommand) -> StoredCommand:
    """Return the stored command for a command that came again.

    Raises:
        ConflictingDuplicate: the command requests something else under the same id.
    """
    if command.request != known.request:
        raise ConflictingDuplicate("this idempotency key was used for another command")
    return known


class InMemoryCommands:
    """The twin of `MongoCommands`."""

    def __init__(self) -> None:
        self._commands: dict[str, StoredCommand] = {}

    async def accept(self, command: StoredCommand) -> StoredCommand:
        return match_known_command(command, self._commands.setdefault(command.id, command))

    async def published(self, ids: Sequence[str], at: Instant) -> None:
        self._move(ids, CommandState.PUBLISHED, at)

    async def confirmed(self, ids: Sequence[str], at: Instant) -> None:
        self._move(ids, CommandState.CONFIRMED, at)

    async def unfinished(
        self, state: CommandState, *, since_before: Instant, limit: int = 500
    ) -> Sequence[StoredCommand]:
        commands = [
            command
            for command in self._commands.values()
            if command.state is state and command.since < since_before
        ]
        return sorted(commands, key=lambda command: (command.since, command.id))[:limit]

    def _move(self, ids: Sequence[str], state: CommandState, at: Instant) -> None:
        for each in ids:
            command = self._commands.get(each)
            if command is not None and command.state is not CommandState.CONFIRMED:
                moved = command.model_copy(update={"state": state, "since": at})
                self._commands[each] = moved


class MongoCommands:
    def __init__(self, database: MongoDatabase) -> None:
        self._collection = database.collection(collections.COMMANDS)

    async def accept(self, command: StoredCommand) -> StoredCommand:
        try:
            await self._collection.insert_one(_document(command))
        except DuplicateKeyError:
            known = await self._collection.find_one({"_id": command.id})
            if known is not None and "event" not in known:
                raise ErasedSince("a command of this id was given and erased since") from None
            return match_known_command(
                command, from_document(StoredCommand, known or _document(command))
            )
        return command

    async def published(self, ids: Sequence[str], at: Instant) -> None:
        await self._move(ids, CommandState.PUBLISHED, {"since": at})

    async def confirmed(self, ids: Sequence[str], at: Instant) -> None:
        # `confirmed_at` belongs to the index that deletes commands confirmed long ago.
        await self._move(ids, CommandState.CONFIRMED, {"since": at, "confirmed_at": at})

    async def unfinished(
        self, state: CommandState, *, since_before: Instant, limit: int = 500
    ) -> Sequence[StoredCommand]:
        documents = (
            await self._collection.find({"state": str(state), "since": {"$lt": since_before}})
            .sort([("since", 1), ("_id", 1)])
            .to_list(limit)
        )
        return [from_document(StoredCommand, document) for document in documents]

    async def _move(self, ids: Sequence[str], state: CommandState, fields: Document) -> None:
        if ids:
            await self._collection.update_many(
                {"_id": {"$in": list(ids)}, "state": {"$ne": str(CommandState.CONFIRMED)}},
                {"$set": {"state": str(state), **fields}},
            )


def _document(command: StoredCommand) -> Document:
    return {
        "_id": command.id,
        "user_id": command.user_id,
        "event": command.event.model_dump(mode="json"),
        "state": str(command.state),
        "accepted_at": command.accepted_at,
        "since": command.since,
    }

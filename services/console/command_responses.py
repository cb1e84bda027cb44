"""Answer a person's command over HTTP with the change that it caused."""

from collections.abc import Sequence
from typing import Annotated, Any, TypeVar

from fastapi import Header, Response

from palimpsest.api.resources import CommandResult, HttpProblem
from palimpsest.events.envelope import Event, derive_event_id
from palimpsest.model.change_set import ChangeSet, SettingsChange
from palimpsest.model.errors import CommandRefused, RecordNotFound
from palimpsest.model.memory import Memory
from palimpsest.model.user import UserSettings
from palimpsest.model.value_types import Identifier, Instant
from palimpsest_server.stores.commands import AcceptedCommand
from services.console.command_runner import CommandRunner
from services.console.entity_tags import set_entity_tag

IdempotencyKey = Annotated[Identifier | None, Header()]

NOT_FOUND_RESPONSE = {
    "model": HttpProblem,
    "description": "Nothing stands under this id for this user.",
}
CONFLICT_RESPONSE = {
    "model": HttpProblem,
    "description": "It does not fit what stands, or the idempotency key is known with another "
    "request.",
}
PRECONDITION_RESPONSE = {
    "model": HttpProblem,
    "description": "`If-Match` names another version than the one that stands.",
}
PENDING_RESPONSE = {"model": CommandResult, "description": "Accepted, and still under way."}

ResponseDescriptions = dict[int | str, dict[str, Any]]

COMMAND_RESPONSES: ResponseDescriptions = {202: PENDING_RESPONSE, 409: CONFLICT_RESPONSE}
"""Responses of a command about a user, beside the change itself."""
SINGLE_ITEM_COMMAND_RESPONSES: ResponseDescriptions = {
    202: PENDING_RESPONSE,
    404: NOT_FOUND_RESPONSE,
    409: CONFLICT_RESPONSE,
}
"""Responses of a command about one item that must exist, beside the change itself."""

CommandT = TypeVar("CommandT", bound=Event)


def derive_command_id(kind: str, user_id: str, key: str | None, otherwise: Sequence[str]) -> str:
    """Derive a command's id from the idempotency key, or from the parts that make the request unique."""
    identity = ("key", key) if key else tuple(otherwise)
    return derive_event_id(kind, user_id, *identity)


def list_unique_request_parts(now: Instant, *request: str) -> tuple[str, ...]:
    """Return parts that make a request without a key unique: only its sender knows of retries."""
    return ("at", now.isoformat(), *request)


def build_unique_command(
    kind: type[CommandT],
    user_id: str,
    key: str | None,
    *request: str,
    now: Instant,
    **fields: Any,
) -> CommandT:
    """Build the command of a request. Without a key, each request is a command of its own.

    `request` are the parts that tell it from other requests made at the same moment.
    """
    return kind(
        event_id=derive_command_id(
            kind.__name__, user_id, key, list_unique_request_parts(now, *request)
        ),
        occurred_at=now,
        user_id=user_id,
        **fields,
    )


async def answer_command(
    commands: CommandRunner,
    event: AcceptedCommand,
    response: Response,
    *,
    about: str | None = None,
    unchanged: Memory | None = None,
) -> CommandResult:
    """Run the command, wait for its change and return the result; status 202 while it is under way.

    The result holds the changed memory with the id `about`, or the only memory that was changed. If
    no memory was changed it holds `unchanged`.

    Raises:
        CommandRefused: the command did not fit the state at the time of the decision.
        RecordNotFound: its subject did not exist then.
    """
    change_set = await run_command(commands, event, response)
    if change_set is None:
        return build_command_result(event, None)
    memory = _memory(change_set, about) or unchanged
    if memory is not None:
        set_entity_tag(response, memory.version)
    return build_command_result(
        event,
        change_set,
        memory=memory,
        settings=find_settings_after(change_set),
    )


async def run_command(
    commands: CommandRunner, event: AcceptedCommand, response: Response
) -> ChangeSet | None:
    """Run the command and return its change set; None, with status 202, while it is under way.

    Raises:
        CommandRefused: the command did not fit the state at the time of the decision.
        RecordNotFound: its subject did not exist then.
    """
    change_set = await commands.run(event)
    if change_set is None:
        response.status_code = 202
        return None
    if (refusal := change_set.refusal) is not None:
        if refusal.reason == RecordNotFound.reason:
            raise RecordNotFound(refusal.message)
        raise CommandRefused(
            refusal.message, reason=refusal.reason, change_set_id=refusal.change_set_id
        )
    return change_set


def build_command_result(
    event: AcceptedCommand, change_set: ChangeSet | None, **left: Any
) -> CommandResult:
    """Build the result of a command.

    `left` holds fields of the result: the subject of the command as it is now.
    """
    if change_set is None:
        return CommandResult(command_id=event.event_id, applied=False)
    return CommandResult(
        command_id=event.event_id,
        applied=True,
        revision=change_set.revision,
        change_set_id=change_set.id,
        changed=len(change_set.memory_changes),
        **left,
    )


def _memory(change_set: ChangeSet, memory_id: str | None) -> Memory | None:
    """Return the memory of this id after the change set, or the only memory that was changed."""
    left = [change.after for change in change_set.memory_changes]
    about = [memory for memory in left if memory.id == memory_id]
    return next(iter(about or (left if len(left) == 1 else [])), None)


def find_settings_after(change_set: ChangeSet) -> UserSettings | None:
    changes = [change for change in change_set.changes if isinstance(change, SettingsChange)]
    return changes[-1].after if changes else None

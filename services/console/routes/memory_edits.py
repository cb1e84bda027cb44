"""Edits of memories by people, one route for each command."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from palimpsest.api.command_requests import (
    AddRequest,
    EditRequest,
    MergeRequest,
    ReasonRequest,
    RelateRequest,
)
from palimpsest.api.resources import CommandResult
from palimpsest.events.commands import EditMemory, MergeMemories, RelateMemory, SingleMemoryCommand
from palimpsest.events.conversations import RememberRequested
from palimpsest.model.clock import Clock
from palimpsest.model.errors import CommandRefused
from palimpsest.model.memory import Memory, memory_id
from palimpsest.model.scope import Scope
from palimpsest.model.value_types import Identifier
from palimpsest_language.redaction.policy import PrivacyPolicy
from palimpsest_server.domain.consolidation.manual_edits import embedded_text_after_edits
from palimpsest_server.runtime.http import Permission, declare_permission
from services.console.command_responses import (
    PRECONDITION_RESPONSE,
    SINGLE_ITEM_COMMAND_RESPONSES,
    IdempotencyKey,
    answer_command,
    build_unique_command,
    derive_command_id,
    list_unique_request_parts,
)
from services.console.command_runner import CommandRunner
from services.console.entity_tags import IfMatch, read_expected_version, refuse_precondition
from services.console.request_redaction import redact_request
from services.console.routes.memories import VisibleMemories

ScopeParameter = Annotated[Scope, Query()]


class MemoryCommandFactory:
    """Builds commands about memories that a scope can see."""

    def __init__(self, memories: VisibleMemories, clock: Clock, privacy: PrivacyPolicy) -> None:
        self._memories = memories
        self._clock = clock
        self._privacy = privacy

    def add(self, scope: Scope, request: AddRequest, key: str | None) -> RememberRequested:
        said = redact_request(request, self._privacy)
        now = self._clock()
        alone = list_unique_request_parts(
            now, scope.agent_id or "", scope.project_id or "", said.content
        )
        return RememberRequested(
            event_id=derive_command_id("RememberRequested", scope.user_id, key, alone),
            **scope.model_dump(),
            **{**said.model_dump(), "occurred_at": said.occurred_at or now},
        )

    async def about(
        self,
        kind: type[SingleMemoryCommand],
        scope: Scope,
        memory_id: str,
        key: str | None,
        **fields: Any,
    ) -> tuple[Any, Memory]:
        """Return the command and the memory. Without a key, equal requests are one command.

        Raises:
            RecordNotFound: this scope sees no memory of this id.
        """
        memory = await self._memories.one(scope, memory_id)
        asked = [f"{name}={value}" for name, value in sorted(fields.items())]
        otherwise = [memory.id, str(memory.version), *asked]
        return self._event(kind, memory, key, otherwise, fields), memory

    async def edit(
        self,
        scope: Scope,
        memory_id: str,
        request: EditRequest,
        key: str | None,
        if_match: str | None = None,
    ) -> EditMemory:
        memory = await self._memories.one(scope, memory_id)
        edits = redact_request(request, self._privacy).edits()
        expected = read_expected_version(if_match, memory.version)
        if request.version is not None and expected in {None, memory.version}:
            # Where the header and the body name a version, the edit is of both or of none.
            expected = request.version
        fields = {
            "edits": edits,
            "version": expected,
            "text": embedded_text_after_edits(memory, edits),
        }
        alone = [memory.id, str(memory.version), edits.model_dump_json()]
        alone += [] if expected is None else [str(expected)]
        event: EditMemory = self._event(EditMemory, memory, key, alone, fields)
        return event

    async def merge(self, scope: Scope, request: MergeRequest, key: str | None) -> MergeMemories:
        """Return the command.

        Raises:
            RecordNotFound: this scope does not see one of the memories.
        """
        await self._memories.all_of(scope, request.memory_ids)
        said = redact_request(request, self._privacy)
        return build_unique_command(
            MergeMemories,
            scope.user_id,
            key,
            *said.memory_ids,
            now=self._clock(),
            agent_id=scope.agent_id,
            project_id=scope.project_id,
            **said.model_dump(),
        )

    def reason(self, request: ReasonRequest | None) -> dict[str, str]:
        said = redact_request(request or ReasonRequest(), self._privacy)
        return {} if said.reason is None else {"reason": said.reason}

    def _event(
        self,
        kind: type[SingleMemoryCommand],
        memory: Memory,
        key: str | None,
        otherwise: list[str],
        fields: dict[str, Any],
    ) -> Any:
        scope = memory.scope
        name = kind.__name__
        # The memory is part of the id with a key too: one key for two memories makes two commands.
        identity = f"{memory.id} {key}" if key else None
        return kind(
            event_id=derive_command_id(name, scope.user_id, identity, otherwise),
            type=name,
            occurred_at=self._clock(),
            **scope.model_dump(),
            memory_id=memory.id,
            **fields,
        )


def requested_memory_id(event: RememberRequested) -> str:
    """Return the id of the memory that a request to remember becomes."""
    return memory_id(event.user_id, event.candidate_id)


def build_router(editing: MemoryCommandFactory, commands: CommandRunner) -> APIRouter:
    router = APIRouter(prefix="/v1/memories", tags=["memories"])
    declared: dict[str, Any] = {
        "openapi_extra": declare_permission(Permission.WRITE),
        "responses": SINGLE_ITEM_COMMAND_RESPONSES,
    }

    @router.post("", **declared)
    async def add(
        scope: ScopeParameter,
        request: AddRequest,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Remember this, as its author states it: active at once, nothing is asked."""
        event = editing.add(scope, request, idempotency_key)
        return await answer_command(commands, event, response, about=requested_memory_id(event))

    @router.post("/merge", **declared)
    async def merge(
        scope: ScopeParameter,
        request: MergeRequest,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """Make one memory of several of one scope: their evidence united, the others archived."""
        event = await editing.merge(scope, request, idempotency_key)
        return await answer_command(commands, event, response, about=event.memory_ids[0])

    @router.patch(
        "/{memory_id}",
        openapi_extra=declare_permission(Permission.WRITE),
        responses={**SINGLE_ITEM_COMMAND_RESPONSES, 412: PRECONDITION_RESPONSE},
    )
    async def edit(
        memory_id: Identifier,
        scope: ScopeParameter,
        request: EditRequest,
        response: Response,
        idempotency_key: IdempotencyKey = None,
        if_match: IfMatch = None,
    ) -> CommandResult:
        """Change what a memory says; what it said before stays in its history.

        With `If-Match` only the version that was looked at is edited, else the answer is 412.
        """
        event = await editing.edit(scope, memory_id, request, idempotency_key, if_match)
        try:
            return await answer_command(commands, event, response, about=event.memory_id)
        except CommandRefused as error:
            raise refuse_precondition(error, if_match) from None

    @router.post("/{memory_id}/relations", **declared)
    async def relate(
        memory_id: Identifier,
        scope: ScopeParameter,
        request: RelateRequest,
        response: Response,
        idempotency_key: IdempotencyKey = None,
    ) -> CommandResult:
        """State that a memory supports, refines or contradicts another one of its scope."""
        event, memory = await editing.about(
            RelateMemory, scope, memory_id, idempotency_key, **request.model_dump()
        )
        return await answer_command(commands, event, response, about=memory_id, unchanged=memory)

    return router

"""Calls that change memories by hand, over HTTP."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

from pydantic import BaseModel

from palimpsest.api.command_requests import (
    AddRequest,
    BulkRequest,
    BulkResult,
    ChangeList,
    ChangeQuery,
    EditRequest,
    ForgetEverythingRequest,
    ForgetEverythingResult,
    ForgetTopicRequest,
    ForgetTopicResult,
    MergeRequest,
    ReasonRequest,
    RelateRequest,
    TierUpdate,
)
from palimpsest.api.recall import TraceList, TraceQuery
from palimpsest.api.resources import CommandResult, ExtractionStarted
from palimpsest.api.scoped_request import ScopedRequest
from palimpsest.client.call_fields import AddFields, EditFields, ScopeFields
from palimpsest.client.connections import ClientConnections
from palimpsest.client.request_validation import build_valid_request, encode_path_id
from palimpsest.events.commands import CommandEvent
from palimpsest.events.event_ids import assign_event_id
from palimpsest.model.change_set import ChangeSet
from palimpsest.model.memory import RelationType
from palimpsest.model.scope import Scope
from palimpsest.model.user import Tier
from palimpsest.model.value_types import Value

if TYPE_CHECKING:
    from palimpsest.api.answer_wording import AnswerRequest, WordedAnswer
    from palimpsest.api.extraction_preview import ExtractionPreview, PreviewRequest


class _Whose(ScopedRequest):
    """Parameters of a call: the user, the agent and the project from which memories are seen."""

    dry_run: bool | None = None


class _Nobody(Value):
    """No parameters: the body says whose it is."""


class CommandCalls:
    """Commands to change memories. All attempts of a call are one command, by an idempotency key.

    Give `idempotency_key` where a later call, such as after a restart, must be the same command.

    `whose` is the scope in which a memory is looked for: `user_id`, with `agent_id` and
    `project_id` if the memory is not the user's own. `applied` is false while an accepted command
    is under way. A command that does not fit the current state raises `Conflict`; for an undo its
    `change_set_id` is the later change that conflicts. A missing record raises `NotFound`.
    """

    _connections: ClientConnections

    async def command(self, event: CommandEvent) -> str:
        """Publish a command as an event over Kafka, and return its id once Kafka has it.

        The result, or the reason of a refusal, is announced on `changes`, in a change set whose
        `cause.event_id` is this id: see `subscribe`.

        Raises:
            NotConnected: the client was given no `kafka_bootstrap_servers`.
            Unavailable: Kafka did not take it in time. Giving it again is safe.
        """
        named = assign_event_id(event)
        await self._connections.commands.command(named)
        return named.event_id

    async def add(
        self,
        content: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        idempotency_key: str | None = None,
        **fields: Unpack[AddFields],
    ) -> CommandResult:
        """Add a memory at once and return it; `fields` are those of `AddRequest`."""
        whose = build_valid_request(
            _Whose, user_id=user_id, agent_id=agent_id, project_id=project_id
        )
        request = build_valid_request(AddRequest, content=content, **fields)
        return await self._send("POST", "/v1/memories", whose, request, idempotency_key)

    async def extract(self, session_id: str, *, user_id: str) -> ExtractionStarted:
        """Extract what was said so far in a session now, and summarise the session.

        `change(change_set_id)` returns the result of a window once it exists. A repeated request
        returns the same window if nothing was said since.
        """
        whose = build_valid_request(_Whose, user_id=user_id)
        path = f"/v1/sessions/{encode_path_id(session_id)}/extract"
        return await self._connections.console.command("POST", path, whose, None, ExtractionStarted)

    async def preview(self, request: "PreviewRequest") -> "ExtractionPreview":
        """Return what would be remembered of messages, and why not the rest; nothing is stored.

        Where a language model is configured it is asked, and counted.
        """
        from palimpsest.api.extraction_preview import (  # noqa: PLC0415 - few need this
            ExtractionPreview,
        )

        path, nobody = "/v1/extractions/preview", _Nobody()
        return await self._connections.console.command(
            "POST", path, nobody, request, ExtractionPreview
        )

    async def word_answer(self, request: "AnswerRequest") -> "WordedAnswer":
        """Return the answer of a question from memories, in the words of a language model."""
        from palimpsest.api.answer_wording import WordedAnswer  # noqa: PLC0415 - few need this

        path, nobody = "/v1/extractions/answer", _Nobody()
        return await self._connections.console.command("POST", path, nobody, request, WordedAnswer)

    async def change(
        self, change_set_id: str, *, user_id: str, agent_id: str | None = None
    ) -> ChangeSet:
        """Return one change of this user, with an agent as far as that sees it.

        Raises:
            NotFound: the change does not exist, or not yet.
        """
        whose = build_valid_request(_Whose, user_id=user_id, agent_id=agent_id)
        path = f"/v1/changes/{encode_path_id(change_set_id)}"
        return await self._connections.console.command("GET", path, whose, None, ChangeSet)

    async def edit(
        self,
        memory_id: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        idempotency_key: str | None = None,
        **edits: Unpack[EditFields],
    ) -> CommandResult:
        """Change what a memory says, by the names of `EditRequest`; None clears."""
        whose = build_valid_request(
            _Whose, user_id=user_id, agent_id=agent_id, project_id=project_id
        )
        request = build_valid_request(EditRequest, **edits)
        return await self._send("PATCH", _path(memory_id), whose, request, idempotency_key)

    async def pin(self, memory_id: str, **whose: Unpack[ScopeFields]) -> CommandResult:
        """Keep a memory, whatever the forgetting policies say."""
        return await self._about(memory_id, "pin", whose)

    async def unpin(self, memory_id: str, **whose: Unpack[ScopeFields]) -> CommandResult:
        """Leave a memory to the forgetting policies again."""
        return await self._about(memory_id, "unpin", whose)

    async def confirm(self, memory_id: str, **whose: Unpack[ScopeFields]) -> CommandResult:
        """Confirm a memory that waits for its user's confirmation."""
        return await self._about(memory_id, "confirm", whose)

    async def reject(
        self, memory_id: str, *, reason: str | None = None, **whose: Unpack[ScopeFields]
    ) -> CommandResult:
        """Reject a memory that waits for its user's confirmation."""
        return await self._about(
            memory_id, "reject", whose, build_valid_request(ReasonRequest, reason=reason)
        )

    async def forget(
        self,
        memory_id: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        reason: str | None = None,
        idempotency_key: str | None = None,
    ) -> CommandResult:
        """Forget one memory, so that it can be restored. `applied` is false while that is under way.

        The messages that it quotes are not recalled either, until it is restored.

        Raises:
            NotFound: this scope sees no memory of this id.
        """
        scope = build_valid_request(
            Scope, user_id=user_id, agent_id=agent_id, project_id=project_id
        )
        return await self._connections.console.forget(
            scope, memory_id, reason, idempotency_key=idempotency_key
        )

    async def restore(self, memory_id: str, **whose: Unpack[ScopeFields]) -> CommandResult:
        """Restore a memory that was forgotten, archived or rejected."""
        return await self._about(memory_id, "restore", whose)

    async def bulk(
        self,
        action: str,
        *memory_ids: str,
        reason: str | None = None,
        **whose: Unpack[ScopeFields],
    ) -> BulkResult:
        """Pin, unpin, confirm, reject, forget or restore up to 100 memories, each by itself."""
        request = build_valid_request(
            BulkRequest, action=action, memory_ids=memory_ids, reason=reason
        )
        return await self._connections.console.command(
            "POST", "/v1/memories/bulk", build_valid_request(_Whose, **whose), request, BulkResult
        )

    async def merge(
        self,
        *memory_ids: str,
        content: str | None = None,
        summary: str | None = None,
        **whose: Unpack[ScopeFields],
    ) -> CommandResult:
        """Merge several memories of one scope: the first stays, the others are archived."""
        request = build_valid_request(
            MergeRequest, memory_ids=memory_ids, content=content, summary=summary
        )
        return await self._send(
            "POST", "/v1/memories/merge", build_valid_request(_Whose, **whose), request
        )

    async def relate(
        self,
        memory_id: str,
        other_id: str,
        relation: RelationType | str,
        *,
        strength: float = 0.5,
        **whose: Unpack[ScopeFields],
    ) -> CommandResult:
        """State that a memory supports, refines or contradicts another; strength 0 removes that."""
        request = build_valid_request(
            RelateRequest, other_id=other_id, relation=relation, strength=strength
        )
        return await self._about(memory_id, "relations", whose, request)

    async def purge(
        self, memory_id: str, *, dry_run: bool = False, **whose: Unpack[ScopeFields]
    ) -> CommandResult:
        """Erase one memory for good, with its history and the messages that it quotes.

        Other memories that rest on those messages stay, and are returned as `also_said`.
        """
        return await self._about(memory_id, "purge", {**whose, "dry_run": dry_run})

    async def traces(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> TraceList:
        """List the recalls of the last thirty days with their results and use, newest first.

        With `agent_id` only those of this agent.
        """
        asked = build_valid_request(
            TraceQuery, user_id=user_id, agent_id=agent_id, limit=limit, cursor=cursor
        )
        return await self._connections.console.command("GET", "/v1/traces", asked, None, TraceList)

    async def changes(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        memory_id: str | None = None,
        limit: int = 50,
        cursor: int | None = None,
    ) -> ChangeList:
        """List change sets, the newest first, one page at a time."""
        asked = build_valid_request(
            ChangeQuery,
            user_id=user_id,
            agent_id=agent_id,
            memory_id=memory_id,
            limit=limit,
            cursor=cursor,
        )
        return await self._connections.console.command(
            "GET", "/v1/changes", asked, None, ChangeList
        )

    async def undo(self, change_set_id: str, *, user_id: str) -> CommandResult:
        """Undo everything that one change set did, unless something changed it again since."""
        path = f"/v1/changes/{encode_path_id(change_set_id)}/undo"
        return await self._send("POST", path, build_valid_request(_Whose, user_id=user_id))

    async def close_project(
        self, project_id: str, *, user_id: str, agent_id: str | None = None
    ) -> CommandResult:
        """Archive up to 500 memories of a project, of one agent or of all."""
        whose = build_valid_request(_Whose, user_id=user_id, agent_id=agent_id)
        return await self._send("POST", f"{_project(project_id)}/close", whose)

    async def delete_project(
        self,
        project_id: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        dry_run: bool = False,
    ) -> CommandResult:
        """Erase for good what was said and remembered in a project, 500 memories at once."""
        whose = build_valid_request(_Whose, user_id=user_id, agent_id=agent_id, dry_run=dry_run)
        return await self._send("DELETE", _project(project_id), whose)

    async def set_tier(self, user_id: str, tier: Tier | str | None) -> CommandResult:
        """Set how much is kept for each agent of a user; None gives the deployment's default."""
        whose, update = (
            build_valid_request(_Whose, user_id=user_id),
            build_valid_request(TierUpdate, tier=tier),
        )
        return await self._send("PUT", "/v1/settings/tier", whose, update)

    async def run_maintenance(self, user_id: str, *, agent_id: str | None = None) -> CommandResult:
        """Run maintenance of the memories of a user and agent, or of no agent, now."""
        whose = build_valid_request(_Whose, user_id=user_id, agent_id=agent_id)
        return await self._send("POST", "/v1/maintenance", whose)

    async def refresh_profile(self, user_id: str) -> CommandResult:
        """Have the user's profiles written anew; the new version is there some seconds later."""
        whose = build_valid_request(_Whose, user_id=user_id)
        return await self._send("POST", "/v1/profile/refresh", whose)

    async def forget_topic(
        self, topic: str, *, user_id: str, at_least: float = 0.9, dry_run: bool = False
    ) -> ForgetTopicResult:
        """Erase for good what was said and remembered on a topic; try a dry run first.

        Memories that rest on those messages but are not on the topic stay, and are returned as
        `also_said`.
        """
        request = build_valid_request(
            ForgetTopicRequest, topic=topic, at_least=at_least, dry_run=dry_run
        )
        whose = build_valid_request(_Whose, user_id=user_id)
        return await self._connections.console.command(
            "POST", "/v1/forget-topic", whose, request, ForgetTopicResult
        )

    async def forget_everything(
        self, user_id: str, *, dry_run: bool = False
    ) -> ForgetEverythingResult:
        """Erase all data of a user for good; a dry run only counts it."""
        request = build_valid_request(
            ForgetEverythingRequest, confirm_user_id=user_id, dry_run=dry_run
        )
        whose = build_valid_request(_Whose, user_id=user_id)
        return await self._connections.console.command(
            "POST", "/v1/forget-everything", whose, request, ForgetEverythingResult
        )

    async def _about(
        self, memory_id: str, what: str, whose: Mapping[str, Any], body: BaseModel | None = None
    ) -> CommandResult:
        path = f"{_path(memory_id)}/{what}"
        return await self._send("POST", path, build_valid_request(_Whose, **whose), body)

    async def _send(
        self,
        method: str,
        path: str,
        whose: BaseModel,
        body: BaseModel | None = None,
        idempotency_key: str | None = None,
    ) -> CommandResult:
        return await self._connections.console.command(
            method, path, whose, body, CommandResult, idempotency_key=idempotency_key
        )


def _path(memory_id: str) -> str:
    return f"/v1/memories/{encode_path_id(memory_id)}"


def _project(project_id: str) -> str:
    return f"/v1/projects/{encode_path_id(project_id)}"

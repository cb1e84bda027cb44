"""The client of a chat service: publishes what is said, and recalls what matters now."""

from collections.abc import AsyncGenerator, Collection, Sequence
from datetime import date, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Self, Unpack

from palimpsest.api.context import ContextRequest, ContextResponse
from palimpsest.api.recall import (
    DEFAULT_RECORD_TYPES,
    RecallDetail,
    RecallRequest,
    RecallResponse,
    RecordType,
)
from palimpsest.api.resources import (
    CommandResult,
    MemoryDetail,
    MemoryList,
    MemoryQuery,
    MemorySort,
    SettingsUpdate,
    UsageQuery,
    UserUsage,
)
from palimpsest.client.call_fields import ContextFields, SettingsFields
from palimpsest.client.commands import CommandCalls
from palimpsest.client.connections import ClientConnections
from palimpsest.client.conversations import ConversationCalls
from palimpsest.client.exports import ExportCalls
from palimpsest.client.figures import FigureCalls
from palimpsest.client.kafka_address import KafkaAddress
from palimpsest.client.profiles import ProfileCalls
from palimpsest.client.request_validation import build_valid_request
from palimpsest.client.todos import TodoCalls
from palimpsest.events.command_registry import PEOPLES_COMMANDS, require_surfaces
from palimpsest.events.kafka_security import KafkaSecurity
from palimpsest.model.clock import Clock, system_clock
from palimpsest.model.context_format import FormatName
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Status
from palimpsest.model.ranking_policy import PolicyName
from palimpsest.model.scope import Layer, Scope
from palimpsest.model.user import UserSettings

if TYPE_CHECKING:
    from palimpsest.api.change_events import ChangeEvent, ChangeEventType
    from palimpsest.api.conversations import SessionUndoResult
    from palimpsest.api.graph import MemoryGraph
    from palimpsest.client.access_keys import AccessKeyCalls
    from palimpsest.client.chats import ChatCalls
    from palimpsest.client.operations import OperationCalls
    from palimpsest.client.sessions import SessionCalls
    from palimpsest.client.standing_questions import QuestionCalls
    from palimpsest.client.subscription import Subscription
    from palimpsest.client.webhooks import WebhookCalls


class PalimpsestClient(
    ConversationCalls, CommandCalls, TodoCalls, ProfileCalls, ExportCalls, FigureCalls
):
    """Over HTTP, over Kafka, or both: then events and recalls go over Kafka, the rest over HTTP.

    Every call tries again while nobody answers, with growing waits, for
    `timeout_seconds` altogether; repeating is safe, for ids are set before the
    first attempt. Errors are `palimpsest.client.errors.ClientError`, with a
    reason and the fields at fault.

        async with PalimpsestClient(http_url="http://127.0.0.1:8000") as client:
            await client.remember("I am allergic to peanuts", user_id="ann")
            answer = await client.recall("what can she not eat?", user_id="ann")
    """

    def __init__(
        self,
        *,
        http_url: str | None = None,
        kafka_bootstrap_servers: str | None = None,
        kafka_topic_prefix: str = "",
        kafka_security: KafkaSecurity | None = None,
        api_key: str | None = None,
        timeout_seconds: float = 10.0,
        clock: Clock = system_clock,
    ) -> None:
        """`api_key` is a key or a token, shown with every request over HTTP and Kafka."""
        kafka = kafka_bootstrap_servers and KafkaAddress(
            bootstrap_servers=kafka_bootstrap_servers,
            topic_prefix=kafka_topic_prefix,
            security=kafka_security or KafkaSecurity(),
        )
        self._timeout_seconds = timeout_seconds
        self._clock = clock
        self._connections = ClientConnections(
            http_url, kafka or None, timeout_seconds=timeout_seconds, clock=clock, api_key=api_key
        )

    async def __aenter__(self) -> Self:
        """Connect. Over Kafka this includes everything that the first recall needs.

        Raises:
            NotAllowed: Kafka refuses the connection.
            Unavailable: Kafka is not at the address, or the services never started on it.
        """
        await self._connections.open()
        return self

    async def __aexit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._connections.close()

    async def recall(  # noqa: PLR0913 - the fields of RecallRequest, by name
        self,
        query: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        context: Sequence[str] = (),
        policy: PolicyName | str = PolicyName.DEFAULT,
        limit: int | None = None,
        token_budget: int | None = None,
        records: Collection[RecordType | str] = tuple(DEFAULT_RECORD_TYPES),
        layers: Collection[Layer | str] | None = None,
        kinds: Collection[Kind | str] | None = None,
        memory_ids: Collection[str] | None = None,
        as_of: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        include: Collection[RecallDetail | str] = (),
        min_revision: int | None = None,
        preview: bool = False,
        incognito: bool = False,
    ) -> RecallResponse:
        """Return memories and messages relevant to a question, best first, each with its evidence."""
        request = build_valid_request(
            RecallRequest,
            user_id=user_id,
            agent_id=agent_id,
            project_id=project_id,
            query=query,
            context=tuple(context),
            policy=policy,
            limit=limit,
            token_budget=token_budget,
            records=records,
            layers=layers,
            kinds=kinds,
            memory_ids=memory_ids,
            as_of=as_of,
            since=since,
            until=until,
            include=include,
            min_revision=min_revision,
            preview=preview,
            incognito=incognito,
        )
        return await self._connections.conversations.recall(request)

    async def context(
        self, query: str | None = None, *, user_id: str, **fields: Unpack[ContextFields]
    ) -> ContextResponse:
        """Return what is known and relevant now, written as a block for a prompt.

        `fields` are those of `ContextRequest`: the format, the token budget, the
        session that goes on.

            context = await client.context("what can she eat?", user_id="ann", format="gated")
            prompt = context.system_prompt
        """
        request = build_valid_request(ContextRequest, query=query, user_id=user_id, **fields)
        return await self._connections.conversations.context(request)

    async def load_context(
        self, *, user_id: str, **fields: Unpack[ContextFields]
    ) -> ContextResponse:
        """Return the context for a new conversation: who the user is, and recent conversations."""
        fields.setdefault("format", FormatName.PROFILE)
        return await self.context(user_id=user_id, **fields)

    async def list(  # noqa: PLR0913 - the fields of MemoryQuery, by name
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        layers: Collection[Layer | str] | None = None,
        everywhere: bool = False,
        status: Collection[Status | str] | None = None,
        kind: Collection[Kind | str] | None = None,
        as_of: datetime | None = None,
        tag: Collection[str] | None = None,
        text: str | None = None,
        record_key: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        sort: MemorySort | str = MemorySort.NEWEST,
        limit: int = 50,
        cursor: str | None = None,
    ) -> MemoryList:
        """List the memories that can be seen from here, one page at a time.

        With `everywhere` those of all projects, and of all agents if none is named. Active ones where
        no status is asked for; with `as_of` those that held then. `tag` are words under which all of
        them are filed, `text` words that stand in them, `record_key` the key under which one was added.
        """
        query = build_valid_request(
            MemoryQuery,
            user_id=user_id,
            agent_id=agent_id,
            project_id=project_id,
            layers=layers,
            everywhere=everywhere,
            status=status,
            kind=kind,
            as_of=as_of,
            tag=tag,
            text=text,
            record_key=record_key,
            since=since,
            until=until,
            sort=sort,
            limit=limit,
            cursor=cursor,
        )
        return await self._connections.console.list(query)

    async def get(
        self,
        memory_id: str,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
    ) -> MemoryDetail:
        """Return one memory and its history.

        Raises:
            NotFound: this scope sees no memory of this id.
        """
        scope = build_valid_request(
            Scope, user_id=user_id, agent_id=agent_id, project_id=project_id
        )
        return await self._connections.console.get(scope, memory_id)

    async def settings(self, user_id: str) -> UserSettings:
        """Return the settings of a user; the defaults if none were set."""
        return await self._connections.console.settings(user_id)

    async def set_settings(self, user_id: str, **changes: Unpack[SettingsFields]) -> CommandResult:
        """Change some settings, by the names of `SettingsUpdate`; the others stay."""
        return await self._connections.console.set_settings(
            user_id, build_valid_request(SettingsUpdate, **changes)
        )

    async def usage(
        self,
        user_id: str,
        *,
        agent_id: str | None = None,
        since: date | None = None,
        until: date | None = None,
    ) -> UserUsage:
        """Return the tokens and cost of language models for a user, by day of UTC, task and model.

        Without days these are the last 30. Both named days are included.
        """
        query = build_valid_request(
            UsageQuery, user_id=user_id, agent_id=agent_id, since=since, until=until
        )
        return await self._connections.console.usage(query)

    async def graph(
        self,
        *,
        user_id: str,
        agent_id: str | None = None,
        project_id: str | None = None,
        layers: Collection[Layer | str] | None = None,
        entity_id: str | None = None,
        limit: int = 500,
    ) -> "MemoryGraph":
        """Return entities and memories as nodes, and mentions, links and relations as edges.

        With `entity_id` only what is linked to that entity.
        """
        from palimpsest.api.graph import GraphQuery, MemoryGraph  # noqa: PLC0415 - few need these

        query = build_valid_request(
            GraphQuery,
            user_id=user_id,
            agent_id=agent_id,
            project_id=project_id,
            layers=layers,
            entity_id=entity_id,
            limit=limit,
        )
        return await self._connections.console.command("GET", "/v1/graph", query, None, MemoryGraph)

    @property
    def chats(self) -> "ChatCalls":
        """Calls on the model that the deployment passes chats on to: `answer, models`.

        words = await client.chats.answer(messages, model="gpt-5-mini", user_id="ann")
        """
        from palimpsest.client.chats import ChatCalls  # noqa: PLC0415 - few need these

        return ChatCalls(self._connections)

    @property
    def sessions(self) -> "SessionCalls":
        """Calls that look at conversations: `list, messages, summary, changes, undo`.

        changed = await client.sessions.changes("monday", user_id="ann")
        """
        from palimpsest.client.sessions import SessionCalls  # noqa: PLC0415 - few need these

        return SessionCalls(self._connections)

    async def undo_session(
        self, session_id: str, *, user_id: str, agent_id: str | None = None, dry_run: bool = False
    ) -> "SessionUndoResult":
        """Undo everything that a conversation changed; what was changed again since stays.

        A dry run only shows what would be put back. With `agent_id` only changes that the agent
        sees are undone.
        """
        return await self.sessions.undo(
            session_id, user_id=user_id, agent_id=agent_id, dry_run=dry_run
        )

    @property
    def questions(self) -> "QuestionCalls":
        """Calls on questions that are kept with their answers: `add, list, get, delete, watch`.

        kept = await client.questions.add("What may she not eat?", user_id="ann")
        """
        from palimpsest.client.standing_questions import QuestionCalls  # noqa: PLC0415 - for some

        return QuestionCalls(self._connections, timeout_seconds=self._timeout_seconds)

    @property
    def webhooks(self) -> "WebhookCalls":
        """Calls that look after webhooks: `add, list, edit, delete, test, deliveries, replay`.

        added = await client.webhooks.add("https://example.com/hook", user_id="ann")
        """
        from palimpsest.client.webhooks import WebhookCalls  # noqa: PLC0415 - few need these

        return WebhookCalls(self._connections)

    def watch(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        project_id: str | None = None,
        type: "Collection[ChangeEventType | str] | None" = None,  # noqa: A002 - the field's name
        content: bool = False,
        after: str | None = None,
    ) -> AsyncGenerator["ChangeEvent", None]:
        """Yield changes as they happen: of one user, or without `user_id` of everybody.

        A lost connection is taken up again behind the last event. To go on in another process,
        give `after` the `position` of the last event that was read.

            async for change in client.watch(user_id="ann", content=True):
                print(change.type, change.data.content)

        Raises:
            Unavailable: nobody answered for the client's `timeout_seconds`.
        """
        from palimpsest.client import change_events  # noqa: PLC0415 - who never watches needs none

        return change_events.watch_changes(
            self._connections,
            timeout_seconds=self._timeout_seconds,
            user_id=user_id,
            agent_id=agent_id,
            project_id=project_id,
            type=type,
            content=content,
            after=after,
        )

    @property
    def keys(self) -> "AccessKeyCalls":
        """Keys and short-lived tokens: made, listed, rotated, revoked. Needs a service key.

        page = await client.keys.create_token("ann", permissions=["read"])
        """
        from palimpsest.client.access_keys import AccessKeyCalls  # noqa: PLC0415 - for few

        return AccessKeyCalls(self._connections)

    @property
    def operations(self) -> "OperationCalls":
        """Calls that look after a deployment: namespaces, dead letters, what waits. Needs a service key.

        waiting = await client.operations.dead_letters(stage="ingest")
        """
        from palimpsest.client.operations import OperationCalls  # noqa: PLC0415 - for few

        return OperationCalls(self._connections)

    def subscribe(self, *, group: str | None = None) -> "Subscription":
        """Every change as it is announced. Needs Kafka; `watch` tells of changes over HTTP.

            async with client.subscribe() as changes:
                async for change in changes:
                    print(change.user_id, change.change_set.reason)

        Raises:
            NotConnected: the client was given no `kafka_bootstrap_servers`.
        """
        address = self._connections.changes
        from palimpsest.client.subscription import Subscription  # noqa: PLC0415 - loads aiokafka

        return Subscription(address, group=group, timeout_seconds=self._timeout_seconds)


require_surfaces(
    "PalimpsestClient",
    [
        f"the call {surface.client_call} of {command.__name__}"
        for command in PEOPLES_COMMANDS
        for surface in command.PROPERTIES.surfaces
        if not hasattr(PalimpsestClient, surface.client_call)
    ],
)

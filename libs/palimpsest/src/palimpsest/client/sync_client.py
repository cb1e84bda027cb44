"""The client for programs without an event loop: every call is that of the asynchronous client."""

from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Self

from palimpsest.client.background_loop import run_blocking
from palimpsest.client.blocking_calls import make_blocking, make_iterating
from palimpsest.client.client import PalimpsestClient
from palimpsest.events.kafka_security import KafkaSecurity
from palimpsest.model.clock import Clock, system_clock

if TYPE_CHECKING:
    from palimpsest.client.sync_calls import (
        SyncAccessKeyCalls,
        SyncChatCalls,
        SyncOperationCalls,
        SyncQuestionCalls,
        SyncSessionCalls,
        SyncWebhookCalls,
    )


class SyncPalimpsestClient:
    """`PalimpsestClient` for blocking code, with its calls, errors and retries.

    It connects with its first call. Threads may share it. Changes over Kafka (`subscribe`) are
    told to asynchronous programs alone; `watch` tells of changes over HTTP.

        with SyncPalimpsestClient(http_url="http://127.0.0.1:8000") as client:
            client.remember("I am allergic to peanuts", user_id="ann")
            answer = client.recall("what can she not eat?", user_id="ann")
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
        """All is as in `PalimpsestClient`."""
        self._client = PalimpsestClient(
            http_url=http_url,
            kafka_bootstrap_servers=kafka_bootstrap_servers,
            kafka_topic_prefix=kafka_topic_prefix,
            kafka_security=kafka_security,
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            clock=clock,
        )
        self._connecting = Lock()
        self._connected = False

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def connect(self) -> PalimpsestClient:
        """Return the asynchronous client, which is connected once; raises as its `async with` does."""
        with self._connecting:
            if not self._connected:
                run_blocking(self._client.__aenter__())
                self._connected = True
        return self._client

    def close(self) -> None:
        """Give the connections back. A later call connects anew."""
        with self._connecting:
            if self._connected:
                self._connected = False
                run_blocking(self._client.__aexit__(None, None, None))

    @property
    def keys(self) -> "SyncAccessKeyCalls":
        """Calls that look after keys and tokens; needs a service key."""
        from palimpsest.client.sync_calls import SyncAccessKeyCalls  # noqa: PLC0415 - for few

        return SyncAccessKeyCalls(self)

    @property
    def operations(self) -> "SyncOperationCalls":
        """Calls that look after a deployment; needs a service key."""
        from palimpsest.client.sync_calls import SyncOperationCalls  # noqa: PLC0415 - for few

        return SyncOperationCalls(self)

    @property
    def questions(self) -> "SyncQuestionCalls":
        """Calls on standing questions."""
        from palimpsest.client.sync_calls import SyncQuestionCalls  # noqa: PLC0415 - for few

        return SyncQuestionCalls(self)

    @property
    def chats(self) -> "SyncChatCalls":
        """Calls on the model that the deployment passes chats on to."""
        from palimpsest.client.sync_calls import SyncChatCalls  # noqa: PLC0415 - for few

        return SyncChatCalls(self)

    @property
    def sessions(self) -> "SyncSessionCalls":
        """Calls about sessions."""
        from palimpsest.client.sync_calls import SyncSessionCalls  # noqa: PLC0415 - for few

        return SyncSessionCalls(self)

    @property
    def webhooks(self) -> "SyncWebhookCalls":
        """Calls that look after webhooks."""
        from palimpsest.client.sync_calls import SyncWebhookCalls  # noqa: PLC0415 - for few

        return SyncWebhookCalls(self)

    add = make_blocking(PalimpsestClient.add)
    add_todo = make_blocking(PalimpsestClient.add_todo)
    agents = make_blocking(PalimpsestClient.agents)
    bulk = make_blocking(PalimpsestClient.bulk)
    cancel_todo = make_blocking(PalimpsestClient.cancel_todo)
    change = make_blocking(PalimpsestClient.change)
    changes = make_blocking(PalimpsestClient.changes)
    close_project = make_blocking(PalimpsestClient.close_project)
    command = make_blocking(PalimpsestClient.command)
    complete_todo = make_blocking(PalimpsestClient.complete_todo)
    confirm = make_blocking(PalimpsestClient.confirm)
    context = make_blocking(PalimpsestClient.context)
    delete_project = make_blocking(PalimpsestClient.delete_project)
    deployment_usage = make_blocking(PalimpsestClient.deployment_usage)
    edit = make_blocking(PalimpsestClient.edit)
    end_session = make_blocking(PalimpsestClient.end_session)
    erasures = make_blocking(PalimpsestClient.erasures)
    extract = make_blocking(PalimpsestClient.extract)
    feedback = make_blocking(PalimpsestClient.feedback)
    forget = make_blocking(PalimpsestClient.forget)
    forget_everything = make_blocking(PalimpsestClient.forget_everything)
    forget_topic = make_blocking(PalimpsestClient.forget_topic)
    graph = make_blocking(PalimpsestClient.graph)
    import_memories = make_blocking(PalimpsestClient.import_memories)
    get = make_blocking(PalimpsestClient.get)
    list = make_blocking(PalimpsestClient.list)
    load_context = make_blocking(PalimpsestClient.load_context)
    merge = make_blocking(PalimpsestClient.merge)
    model_calls = make_blocking(PalimpsestClient.model_calls)
    pin = make_blocking(PalimpsestClient.pin)
    preview = make_blocking(PalimpsestClient.preview)
    word_answer = make_blocking(PalimpsestClient.word_answer)
    profile = make_blocking(PalimpsestClient.profile)
    profile_difference = make_blocking(PalimpsestClient.profile_difference)
    profile_versions = make_blocking(PalimpsestClient.profile_versions)
    publish = make_blocking(PalimpsestClient.publish)
    purge = make_blocking(PalimpsestClient.purge)
    quality_reports = make_blocking(PalimpsestClient.quality_reports)
    quota = make_blocking(PalimpsestClient.quota)
    recall = make_blocking(PalimpsestClient.recall)
    reject = make_blocking(PalimpsestClient.reject)
    relate = make_blocking(PalimpsestClient.relate)
    remember = make_blocking(PalimpsestClient.remember)
    reopen_todo = make_blocking(PalimpsestClient.reopen_todo)
    restore = make_blocking(PalimpsestClient.restore)
    refresh_profile = make_blocking(PalimpsestClient.refresh_profile)
    run_maintenance = make_blocking(PalimpsestClient.run_maintenance)
    save_conversation = make_blocking(PalimpsestClient.save_conversation)
    set_settings = make_blocking(PalimpsestClient.set_settings)
    set_tier = make_blocking(PalimpsestClient.set_tier)
    settings = make_blocking(PalimpsestClient.settings)
    snooze_todo = make_blocking(PalimpsestClient.snooze_todo)
    statistics = make_blocking(PalimpsestClient.statistics)
    todos = make_blocking(PalimpsestClient.todos)
    traces = make_blocking(PalimpsestClient.traces)
    undo = make_blocking(PalimpsestClient.undo)
    undo_session = make_blocking(PalimpsestClient.undo_session)
    unpin = make_blocking(PalimpsestClient.unpin)
    usage = make_blocking(PalimpsestClient.usage)
    used = make_blocking(PalimpsestClient.used)
    export = make_iterating(PalimpsestClient.export)
    watch = make_iterating(PalimpsestClient.watch)

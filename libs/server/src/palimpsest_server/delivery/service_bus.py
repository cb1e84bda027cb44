"""A service's interface to Kafka."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from palimpsest.events.envelope import Event
from palimpsest.events.topics import Topic
from palimpsest_server.delivery.erasure_worker import ErasureWorker
from palimpsest_server.delivery.publisher import EventRepublisher, Publisher
from palimpsest_server.delivery.recall_responder import RequestAnswerer
from palimpsest_server.delivery.stage import BatchHandler
from palimpsest_server.stores.cached_user_states import ChangeFeed


class ServiceBus(Protocol):
    """Consumes, answers, publishes and listens for one service; implemented by `delivery.bus.Bus`."""

    @property
    def publisher(self) -> Publisher: ...

    @property
    def republisher(self) -> EventRepublisher: ...

    @property
    def changes(self) -> ChangeFeed: ...

    @property
    def erasure_worker(self) -> ErasureWorker: ...

    def consume(
        self, topic: Topic, handle: BatchHandler, /, *, batch_interval_seconds: float = 0.0
    ) -> None: ...

    def answer(self, handle: RequestAnswerer, /) -> None: ...

    def owns(self, topic: Topic, user_id: str, /) -> bool: ...

    async def dead_letter(self, topic: Topic, event: Event, error: Exception, /) -> None: ...

    async def start(self) -> None: ...

    async def stop(self, *, last: Callable[[], Awaitable[None]] | None = None) -> None: ...

    async def check(self) -> None: ...

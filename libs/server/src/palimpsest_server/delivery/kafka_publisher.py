"""Publish to Kafka: the order of each key is kept, records are sent concurrently, every answer is awaited."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import partial

from aiokafka.errors import KafkaError, MessageSizeTooLargeError
from aiokafka.structs import RecordMetadata
from faststream.exceptions import IncorrectState
from faststream.kafka import KafkaBroker

from palimpsest.events.envelope import Event
from palimpsest.events.kafka_refusals import describe_missing_acl
from palimpsest.events.topics import Topic
from palimpsest.model.errors import EventTooLarge, TransientError
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.event_encryption import EventEncryption
from palimpsest_server.delivery.in_process_feed import InProcessFeed
from palimpsest_server.delivery.local_record_buffer import build_consumer_record
from palimpsest_server.delivery.stage_metrics import StageMetrics
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively

EVENT_TYPE_HEADER = "event-type"
TRACE_HEADER = "traceparent"


def encode_event(event: Event) -> bytes:
    """Encode an event as JSON, without empty fields."""
    unsaid = None if event.event_id else {"event_id"}
    return event.model_dump_json(exclude_none=True, exclude=unsaid).encode()


class KafkaPublisher:
    """The publisher of one service. Before the first connection, publishing raises TransientError."""

    def __init__(
        self,
        broker: KafkaBroker,
        *,
        settings: KafkaSettings,
        metrics: StageMetrics,
        sealing: EventEncryption | None = None,
    ) -> None:
        self._sealing = sealing
        self._broker = broker
        self._settings = settings
        self._metrics = metrics
        self._connected = False

    def connected(self) -> None:
        self._connected = True

    def disconnected(self) -> None:
        self._connected = False

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        """Publish events; returns when Kafka has accepted all of them.

        Raises:
            TransientError: Kafka cannot be reached, or did not accept all of them in time.
            EventTooLarge: an event is larger than the topic allows.
        """
        await self._publish(
            topic,
            [
                (event.user_id.encode(), await self._encoded(event), _headers(event))
                async for event in iterate_cooperatively(events)
            ],
        )

    async def _encoded(self, event: Event) -> bytes:
        return encode_event(event) if self._sealing is None else await self._sealing.sealed(event)

    async def publish_again(
        self, topic: Topic, *, key: bytes, value: bytes, headers: Mapping[str, str]
    ) -> None:
        """Publish the stored value of an event again."""
        ready = value if self._sealing is None else await self._sealing.sealed_again(value)
        await self.publish_record(topic, key=key, value=ready, headers=headers)

    async def publish_record(
        self,
        topic: Topic,
        *,
        key: bytes,
        value: bytes,
        headers: Mapping[str, str],
        partition: int | None = None,
    ) -> None:
        """Publish raw bytes, to a given partition if any."""
        await self._publish(topic, [(key, value, headers)], partition=partition)

    async def _publish(
        self,
        topic: Topic,
        records: Sequence[tuple[bytes, bytes, Mapping[str, str]]],
        *,
        partition: int | None = None,
    ) -> None:
        if not records:
            return
        if not self._connected:
            raise TransientError("Kafka has not been reached yet", retry_after_seconds=2)
        feed, physical = self._settings.in_process_feed, self._settings.physical(topic)
        with feed.publishing(physical, len(records)) if feed else nullcontext():
            await self._send(topic, records, partition)
        self._metrics.published(topic.name, len(records))

    async def _send(
        self,
        topic: Topic,
        records: Sequence[tuple[bytes, bytes, Mapping[str, str]]],
        partition: int | None,
    ) -> None:
        # The broker may report no offset to an idempotent producer for a record that it has already.
        feed = None if self._settings.idempotent_producer else self._settings.in_process_feed
        taken: list[asyncio.Future[object]] = []
        try:
            async with asyncio.timeout(self._settings.publish_timeout_seconds):
                for key, value, headers in records:
                    # Records enter the producer's buffer one after another, which keeps their order. `send`
                    # returns futures, so all of them are under way together.
                    future = await self._broker.publish(
                        value,
                        topic=self._settings.physical(topic),
                        key=key,
                        headers=dict(headers),
                        partition=partition,
                        no_confirm=True,
                    )
                    taken.append(future)
                    if feed is not None:
                        future.add_done_callback(partial(self._deliver, feed, key, value, headers))
                await asyncio.wait(taken)
        except TimeoutError:
            raise TransientError(
                f"Kafka did not take what was published to {topic.name} within "
                f"{self._settings.publish_timeout_seconds:g} s",
                retry_after_seconds=2,
            ) from None
        except MessageSizeTooLargeError:
            raise EventTooLarge(f"an event is larger than {topic.name} allows") from None
        except (KafkaError, IncorrectState, ConnectionError) as error:
            raise self._unreachable(topic, error) from error
        finally:
            _consume_errors(taken)
        self._raise_first_failure(topic, taken)

    @staticmethod
    def _deliver(
        feed: InProcessFeed,
        key: bytes,
        value: bytes,
        headers: Mapping[str, str],
        taken: asyncio.Future[RecordMetadata],
    ) -> None:
        """Deliver a record as soon as the broker has accepted it; callbacks run in the order of the log."""
        if not taken.cancelled() and taken.exception() is None:
            feed.deliver(build_consumer_record(taken.result(), key, value, headers))

    def _raise_first_failure(self, topic: Topic, taken: Sequence[asyncio.Future[object]]) -> None:
        errors = [error for future in taken if (error := future.exception()) is not None]
        for error in errors:
            if isinstance(error, MessageSizeTooLargeError):
                raise EventTooLarge(f"an event is larger than {topic.name} allows") from None
        for error in errors:
            raise self._unreachable(topic, error) from error

    def _unreachable(self, topic: Topic, error: BaseException) -> TransientError:
        """Return the error for an unreachable Kafka or a missing ACL, both of which operators fix."""
        words = describe_missing_acl(error, f"write to {topic.name}", self._settings.security)
        return TransientError(
            words
            or f"Kafka did not take what was published to {topic.name}: {type(error).__name__}",
            retry_after_seconds=2,
        )


def _headers(event: Event) -> dict[str, str]:
    headers = {EVENT_TYPE_HEADER: event.type}
    if event.trace is not None:
        headers[TRACE_HEADER] = event.trace
    return headers


def _consume_errors(futures: Sequence[asyncio.Future[object]]) -> None:
    """Retrieve errors that come after the wait has ended, which asyncio would warn of."""
    for future in futures:
        future.add_done_callback(lambda done: done.cancelled() or done.exception())

"""Connections of a client: a transport for each kind of call."""

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from palimpsest.api.resources import Problem
from palimpsest.client.errors import NotConnected
from palimpsest.client.kafka_address import KafkaAddress
from palimpsest.client.transport import ConsoleTransport, Transport
from palimpsest.client.transport_http import HttpTransport
from palimpsest.model.clock import Clock

if TYPE_CHECKING:
    from palimpsest.client.transport_kafka import KafkaTransport


class ClientConnections:
    """Sends conversations over Kafka if there is one, otherwise over HTTP; the console over HTTP only.

    Kafka's client is loaded only with an address of Kafka.
    """

    def __init__(
        self,
        http_url: str | None,
        kafka: KafkaAddress | None,
        *,
        timeout_seconds: float,
        clock: Clock,
        api_key: str | None = None,
    ) -> None:
        transports: list[Transport] = []
        self._console: ConsoleTransport | None = None
        self._kafka = kafka
        self._over_kafka: KafkaTransport | None = None
        if kafka is not None:
            from palimpsest.client import transport_kafka  # noqa: PLC0415 - loads aiokafka

            self._over_kafka = transport_kafka.KafkaTransport(
                kafka, timeout_seconds=timeout_seconds, clock=clock, api_key=api_key
            )
            transports.append(self._over_kafka)
        if http_url is not None:
            http = HttpTransport(http_url, timeout_seconds=timeout_seconds, api_key=api_key)
            transports.append(http)
            self._console = http
        if not transports:
            raise ValueError("give an http_url, kafka_bootstrap_servers, or both")
        self._transports = transports
        self._opened = AsyncExitStack()

    async def open(self) -> None:
        """Open all connections, or none if one of them fails."""
        async with AsyncExitStack() as opening:
            for transport in self._transports:
                await transport.open()
                opening.push_async_callback(transport.close)
            self._opened = opening.pop_all()

    async def close(self) -> None:
        await self._opened.aclose()

    @property
    def conversations(self) -> Transport:
        return self._transports[0]

    @property
    def console(self) -> ConsoleTransport:
        if self._console is None:
            words = "memories are looked after over HTTP: give the client an http_url"
            raise NotConnected(Problem(reason="needs_http", message=words))
        return self._console

    @property
    def commands(self) -> "KafkaTransport":
        if self._over_kafka is None:
            words = "an event goes over Kafka: give the client kafka_bootstrap_servers"
            raise NotConnected(Problem(reason="needs_kafka", message=words))
        return self._over_kafka

    @property
    def changes(self) -> KafkaAddress:
        if self._kafka is None:
            words = "changes are announced over Kafka: give the client kafka_bootstrap_servers"
            raise NotConnected(Problem(reason="needs_kafka", message=words))
        return self._kafka

"""Checks of consumers: whether services read their topics, by their own report or by Kafka's offsets."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Self

import httpx
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

from palimpsest.events.kafka_clients import list_topic_partitions
from palimpsest.events.topics import CHANGES, TOPICS
from palimpsest_server.runtime.kafka_settings import build_kafka_settings
from palimpsest_server.runtime.settings import Settings
from services.host.diagnosis.finding import Finding, report_failure, report_ok
from services.host.diagnosis.http_port import fetch_readiness, name_services
from services.host.service_registry import CONSUMING_SERVICES

_SECONDS = 12.0
_WATCH_SECONDS = 2.0
"""Seconds in which a working consumer makes progress."""


async def check_instance_consumers(http_url: str) -> list[Finding]:
    """Return what a running instance reports of its consumers."""
    try:
        answer = await fetch_readiness(http_url)
    except (httpx.HTTPError, ValueError) as error:
        problem = f"{http_url}/readyz does not answer ({type(error).__name__})"
        return [
            report_failure("services", problem, "Look at its output; stop it and start it again.")
        ]
    if answer.ready:
        return [report_ok("services", f"ready: {', '.join(name_services(answer))}")]
    return [
        report_failure(
            f"{check.service}: {check.check}",
            check.problem or "not ready",
            "Where it has just started, wait a few seconds and ask again.",
        )
        for check in answer.checks
        if not check.ready
    ]


async def check_consumer_groups(settings: Settings) -> list[Finding]:
    """Report the lag by the groups' offsets, if the services run elsewhere.

    Membership of a group is not checked: a member that stands still reads nothing.
    """
    try:
        async with _Groups.of(settings) as groups, asyncio.timeout(_SECONDS):
            before = await groups.waiting()
            if any(before.values()):
                await asyncio.sleep(_WATCH_SECONDS)
            after = await groups.waiting()
    except (KafkaError, OSError, TimeoutError):
        return []  # That Kafka is away is a finding of its own.
    still = {
        partition: records
        for partition, records in after.items()
        if records and records >= before.get(partition, 0) > 0
    }
    if still:
        names = sorted({group for group, _ in still})
        words = f"{sum(still.values())} records wait, and nobody takes one for {', '.join(names)}"
        return [
            report_failure("consumers", words, f"Start them: `palimpsest serve {' '.join(names)}`.")
        ]
    return [report_ok("consumers", "what is written is read; nothing stands still")]


class _Groups:
    """Reads the number of waiting records by service and partition."""

    def __init__(self, settings: Settings) -> None:
        self._names = build_kafka_settings(settings)
        address = settings.kafka_bootstrap_servers
        security = self._names.security.options()
        self._admin = AIOKafkaAdminClient(bootstrap_servers=address, **security)
        self._consumer = AIOKafkaConsumer(bootstrap_servers=address, **security)

    @classmethod
    @asynccontextmanager
    async def of(cls, settings: Settings) -> AsyncIterator[Self]:
        groups = cls(settings)
        try:
            await groups._admin.start()
            await groups._consumer.start()
            yield groups
        finally:
            await groups._consumer.stop()
            await groups._admin.close()

    async def waiting(self) -> dict[tuple[str, TopicPartition], int]:
        read = [
            (service, self._names.physical(topic))
            for topic in TOPICS
            for service in topic.readers
            if service in CONSUMING_SERVICES and topic is not CHANGES
        ]
        partitions = await list_topic_partitions(self._admin, [topic for _, topic in read])
        found: dict[tuple[str, TopicPartition], int] = {}
        for service, topic in read:
            if topic in partitions:
                found |= await self._waiting_on(service, partitions[topic])
        return found

    async def _waiting_on(
        self, service: str, partitions: Sequence[TopicPartition]
    ) -> dict[tuple[str, TopicPartition], int]:
        ends = await self._consumer.end_offsets(partitions)
        group = self._names.group(service)
        done = await self._admin.list_consumer_group_offsets(group, partitions=partitions)
        return {
            (service, each): max(0, end - (max(0, done[each].offset) if each in done else 0))
            for each, end in ends.items()
        }

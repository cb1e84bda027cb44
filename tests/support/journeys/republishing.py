"""Publishing all of a topic again, at new offsets, and reading the whole database before and after."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Self

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient

from palimpsest.events.kafka_clients import list_topic_partitions
from palimpsest.events.topics import (
    CANDIDATES,
    CONVERSATIONS,
    EXTRACTIONS,
    USER_COMMANDS,
    WRITES,
    Topic,
)
from palimpsest_server.stores.collections import (
    COLLECTIONS,
    DEAD_LETTERS,
    LEDGER,
    LEDGER_TEXTS,
    PROFILE_NEEDS,
    REQUESTS,
    SUMMARY_NEEDS,
    TURNS,
    WINDOWS,
)
from palimpsest_server.stores.mongo.database import Document, MongoDatabase

TOPICS = (CONVERSATIONS, USER_COMMANDS, EXTRACTIONS, CANDIDATES, WRITES)

Contents = dict[str, dict[str, Document]]

_ON_ITS_WAY = {
    **dict.fromkeys((TURNS.name, WINDOWS.name, REQUESTS.name), ("state", "pending_since")),
    LEDGER.name: ("state", "since"),
}
"""How far something has come; reconcilers move it on at their own pace."""

_LEFT_OUT = (DEAD_LETTERS, LEDGER_TEXTS, SUMMARY_NEEDS, PROFILE_NEEDS)
"""Poison that comes again is known, and set aside again; texts go when they are confirmed; what
is to be summed up or described is looked at again, and found to be."""

_SOON = timedelta(minutes=1)


class Topics:
    """The broker's side: what stands on the topics, and how far their readers are."""

    def __init__(self, bootstrap: str) -> None:
        self._admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
        self._consumer = AIOKafkaConsumer(bootstrap_servers=bootstrap)
        self._partitions: dict[str, tuple[TopicPartition, ...]] = {}
        self._producer = AIOKafkaProducer(bootstrap_servers=bootstrap, enable_idempotence=False)

    @classmethod
    @asynccontextmanager
    async def at(cls, bootstrap: str) -> AsyncIterator[Self]:
        topics = cls(bootstrap)
        try:
            await topics._admin.start()
            await topics._consumer.start()
            names = [topic.name for topic in TOPICS]
            topics._partitions = await list_topic_partitions(topics._admin, names)
            await topics._producer.start()
            yield topics
        finally:
            await topics._producer.stop()
            await topics._consumer.stop()
            await topics._admin.close()

    async def publish(self, topic: Topic, key: bytes, value: bytes) -> None:
        """Bytes as they are, as a chat service that knows no better would."""
        await self._producer.send_and_wait(topic.name, value, key=key)

    async def publish_again(self, topic: Topic) -> int:
        """Every record that its reader has handled, once more, to its partition; how many."""
        ends = await self._handled(topic)
        self._consumer.assign(list(ends))
        await self._consumer.seek_to_beginning(*ends)
        published = 0
        while published < sum(ends.values()):
            for partition, records in (await self._consumer.getmany(timeout_ms=200)).items():
                for record in records:
                    if record.offset < ends[partition]:
                        published += 1
                        await self._producer.send(
                            topic.name,
                            record.value,
                            key=record.key,
                            partition=record.partition,
                            headers=list(record.headers),
                        )
        await self._producer.flush()
        return published

    async def everything(self) -> list[bytes]:
        """The values of all records of all topics that services read."""
        found: list[bytes] = []
        for topic in TOPICS:
            ends = await self._handled(topic)
            self._consumer.assign(list(ends))
            await self._consumer.seek_to_beginning(*ends)
            wanted = len(found) + sum(ends.values())
            while len(found) < wanted:
                for records in (await self._consumer.getmany(timeout_ms=200)).values():
                    found += [record.value or b"" for record in records]
        return found

    async def at_rest(self, database: MongoDatabase) -> Contents:
        """All that is stored, once everything is handled and nothing moves any more."""
        before: Contents = {}
        async with asyncio.timeout(60):
            while True:
                behind = [await self._behind(topic) for topic in TOPICS]
                found = await _everything_in(database)
                if not any(behind) and not await _is_soon_due(database) and found == before:
                    return found
                before = found
                # Longer than recall gathers accesses before it sends them.
                await asyncio.sleep(0.5)

    async def _behind(self, topic: Topic) -> int:
        handled = await self._handled(topic)
        ends = await self._consumer.end_offsets(list(handled))
        # The embedded broker tells the first offset of the last batch for the end.
        return sum(max(0, end - handled[partition]) for partition, end in ends.items())

    async def _handled(self, topic: Topic) -> dict[TopicPartition, int]:
        partitions = self._partitions[topic.name]
        (group,) = topic.readers
        done = await self._admin.list_consumer_group_offsets(group, partitions=partitions)
        return {
            partition: max(0, done[partition].offset) if partition in done else 0
            for partition in partitions
        }


async def _is_soon_due(database: MongoDatabase) -> bool:
    """Whether a session is about to be summed up, somebody to be described, or either is asked."""
    soon = datetime.now(UTC) + _SOON
    for table, field in ((SUMMARY_NEEDS, "due_at"), (PROFILE_NEEDS, "look_at")):
        if await database.collection(table).find_one({field: {"$lte": soon}}) is not None:
            return True
    unanswered = {"state": {"$in": ["pending", "leased", "answered"]}}
    return await database.collection(LEDGER).find_one(unanswered) is not None


async def _everything_in(database: MongoDatabase) -> Contents:
    """All documents of all collections, but for how far what is on its way has come.

    And but for what is left out.
    """
    found: Contents = {}
    for collection in COLLECTIONS:
        if collection in _LEFT_OUT:
            continue
        documents = [each async for each in database.collection(collection).find({})]
        hidden = _ON_ITS_WAY.get(collection.name, ())
        found[collection.name] = {
            str(document["_id"]): {
                name: value for name, value in document.items() if name not in hidden
            }
            for document in documents
        }
    return found

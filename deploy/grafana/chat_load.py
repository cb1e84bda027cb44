"""A little of everything that people and chat services do, so that every metric has something to say."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx
from aiokafka import AIOKafkaProducer

from palimpsest.client import ClientError, Message, PalimpsestClient
from palimpsest.events.topics import CONVERSATIONS

AGENT = "companion"
PATIENCE_SECONDS = 120.0
"""With one answer: this is to be there, and not to measure anything."""
_CITIES = ("Lisbon", "Oslo", "Kyoto", "Lima", "Accra", "Turin")
_DRINKS = ("手冲咖啡", "乌龙茶", "气泡水", "豆浆", "普洱茶")


def user_id(number: int) -> str:
    """Return the id of a person of the load, told apart from everything else at a glance."""
    return f"load-user-{number:05d}"


def build_session_texts(number: int) -> Iterator[str]:
    """Build the texts of one person in one session: new, repeated, reworded, secret, and small talk."""
    city, other = _CITIES[number % 6], _CITIES[(number + 1) % 6]
    yield from (
        f"I live in {city}.",
        f"我喜欢喝{_DRINKS[number % 5]}。",
        f"My key is sk-proj-{number:032d}abcdefghijkl, keep it to yourself.",
        f"I live in {city}.",
        f"I moved to {other}.",
        "I'm allergic to peanuts.",
    )


@dataclass
class ChatLoad:
    """One round after another against one instance, until it is cancelled."""

    http_url: str
    kafka_bootstrap_servers: str
    rounds: int = 0
    _more: asyncio.Condition = field(default_factory=asyncio.Condition, repr=False)

    async def until(self, rounds: int) -> None:
        """Return after so many."""
        async with self._more:
            await self._more.wait_for(lambda: self.rounds >= rounds)

    async def run(self) -> None:
        async with (
            PalimpsestClient(http_url=self.http_url, timeout_seconds=PATIENCE_SECONDS) as over_http,
            PalimpsestClient(
                kafka_bootstrap_servers=self.kafka_bootstrap_servers,
                timeout_seconds=PATIENCE_SECONDS,
            ) as over_kafka,
            httpx.AsyncClient(
                base_url=self.http_url, trust_env=False, timeout=PATIENCE_SECONDS
            ) as http,
            _producer(self.kafka_bootstrap_servers) as producer,
        ):
            for number in itertools.count():
                await self._talk(over_http if number % 2 else over_kafka, number)
                await self._ask(over_http, over_kafka, number)
                await self._look_after(over_http, number)
                await self._go_wrong(http, producer, number)
                async with self._more:
                    self.rounds += 1
                    self._more.notify_all()

    async def _talk(self, client: PalimpsestClient, number: int) -> None:
        for session in ("morning", "evening"):
            messages = [
                Message(
                    message_id=str(place), role="user", text=text, occurred_at=datetime.now(UTC)
                )
                for place, text in enumerate(build_session_texts(number))
            ]
            await client.save_conversation(
                messages,
                user_id=user_id(number),
                session_id=f"{session}-{number}",
                agent_id=AGENT,
                ended=True,
            )
        chat = [Message(message_id="1", role="user", text="thanks", occurred_at=datetime.now(UTC))]
        await client.save_conversation(
            chat, user_id=user_id(number), session_id=f"chat-{number}", agent_id=AGENT, ended=True
        )

    async def _ask(
        self, over_http: PalimpsestClient, over_kafka: PalimpsestClient, number: int
    ) -> None:
        asked = max(0, number - 2)
        for client in (over_http, over_kafka):
            for question in ("Where do I live?", "我喜欢喝什么？", "zzqx vvrk"):
                await client.recall(question, user_id=user_id(asked), agent_id=AGENT)

    async def _look_after(self, client: PalimpsestClient, number: int) -> None:
        user = user_id(number)
        await client.remember(f"Cooks for {number} on Sundays", user_id=user)
        await client.set_settings(user, time_zone="Asia/Shanghai")
        seen = await client.list(user_id=user_id(max(0, number - 2)))
        for memory in seen.memories[:1]:
            await client.feedback("helpful", memory_ids=[memory.id], user_id=memory.scope.user_id)
            await client.forget(memory.id, user_id=memory.scope.user_id)

    async def _go_wrong(
        self, http: httpx.AsyncClient, producer: AIOKafkaProducer, number: int
    ) -> None:
        await http.post("/v1/events", json={"type": "MessageAdded", "user_id": user_id(number)})
        await http.get(f"/v1/memories/{user_id(number)}")
        await http.get(f"/nowhere/{user_id(number)}")
        await producer.send_and_wait(
            CONVERSATIONS.name, b'{"type": "NoSuchThing"}', key=user_id(number).encode()
        )


@asynccontextmanager
async def run_chat_load(http_url: str, kafka_bootstrap_servers: str) -> AsyncIterator[ChatLoad]:
    """It runs while this is open; what breaks it is raised on leaving."""
    load = ChatLoad(http_url, kafka_bootstrap_servers)
    task = asyncio.create_task(load.run())
    try:
        yield load
    finally:
        task.cancel()
        (outcome,) = await asyncio.gather(task, return_exceptions=True)
    if isinstance(outcome, ClientError | httpx.HTTPError | OSError | AssertionError):
        raise outcome


@asynccontextmanager
async def _producer(bootstrap_servers: str) -> AsyncIterator[AIOKafkaProducer]:
    producer = AIOKafkaProducer(bootstrap_servers=bootstrap_servers)
    await producer.start()
    try:
        yield producer
    finally:
        await producer.stop()

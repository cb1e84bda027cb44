"""Says what is to be said, each user one thing after another, until every one of them is taken."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

import httpx
from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError

from tests.faults.feed import Sent, Way
from tests.faults.system import System

AGAIN_SECONDS = 0.3
PRODUCER_PATIENCE_MILLISECONDS = 10_000


class Refused(Exception):
    """A good event was not taken, and never would be."""


class Feeding:
    """A chat service that waits for each answer, and says it again where none comes."""

    def __init__(
        self, system: System, *, per_second: float | None, taken: Callable[[], None]
    ) -> None:
        self._system = system
        self._interval = 0.0 if per_second is None else 1 / per_second
        self._next = 0.0
        self._taken = taken
        self.attempts_again = 0

    async def say(self, stage: Mapping[str, Sequence[Sent]]) -> None:
        """Return when everything was taken, in the order of each user.

        Raises:
            Refused: an event was answered as wrong.
        """
        loop = asyncio.get_running_loop()
        self._next = loop.time()
        async with httpx.AsyncClient(
            base_url=self._system.url("ingest"), timeout=15, trust_env=False
        ) as http:
            producer = await self._producer()
            try:
                async with asyncio.TaskGroup() as talking:
                    for said in stage.values():
                        talking.create_task(self._talk(said, http, producer))
            finally:
                await producer.stop()

    async def _talk(
        self, said: Sequence[Sent], http: httpx.AsyncClient, producer: AIOKafkaProducer
    ) -> None:
        for sent in said:
            await self._wait_for_its_turn()
            while not await self._once(sent, http, producer):
                self.attempts_again += 1
                await asyncio.sleep(AGAIN_SECONDS)
            self._taken()

    async def _wait_for_its_turn(self) -> None:
        now = asyncio.get_running_loop().time()
        self._next = max(self._next + self._interval, now)
        await asyncio.sleep(self._next - now)

    async def _once(self, one: Sent, http: httpx.AsyncClient, producer: AIOKafkaProducer) -> bool:
        if one.way is Way.KAFKA:
            try:
                await producer.send_and_wait(
                    self._system.kafka.physical(one.topic), one.value, key=one.key
                )
            except (KafkaError, ConnectionError):
                return False
            return True
        try:
            answer = await http.post(
                "/v1/events", content=one.value, headers={"content-type": "application/json"}
            )
        except httpx.HTTPError:
            return False
        if answer.status_code in (409, 422):
            raise Refused(f"{answer.status_code} {answer.text}")
        return answer.status_code == httpx.codes.ACCEPTED

    async def _producer(self) -> AIOKafkaProducer:
        while True:
            producer = AIOKafkaProducer(
                bootstrap_servers=self._system.kafka.bootstrap_servers,
                acks="all",
                enable_idempotence=True,
                request_timeout_ms=PRODUCER_PATIENCE_MILLISECONDS,
            )
            try:
                await producer.start()
            except (KafkaError, ConnectionError):
                await producer.stop()
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                return producer

"""One process of `palimpsest run` killed by itself, under load: all that was acknowledged is remembered.

People make their statements over HTTP and repeat what was not acknowledged. In the middle of it one
process is killed. From then on readiness is asked for again and again: it must fail until all works,
and once it holds, every memory must be there within a minute.
"""

import asyncio
import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import httpx
from pymongo import AsyncMongoClient
from pymongo.errors import PyMongoError

from palimpsest_server.embedded.child_records import ChildRecords
from palimpsest_server.embedded.instance import find_instance
from palimpsest_server.stores.collections import MEMORIES
from tests.faults.statements import Statement, statements
from tests.faults.system import lasting_ports
from tests.support.journeys.running import RunningPalimpsest

COMPLETE_WITHIN_SECONDS = 60.0
READY_WITHIN_SECONDS = 120.0
POLL_SECONDS = 0.5
AGAIN_SECONDS = 0.3


class Victim(StrEnum):
    BROKER = "broker"
    DATABASE = "database"
    EMBEDDER = "embedder"
    RULES = "rules process"
    VECTORS = "palimpsest itself, which holds the vectors"


_MODULES = {Victim.EMBEDDER: "embedding_child", Victim.RULES: "local_extractor_child"}


@dataclass(frozen=True, kw_only=True)
class ChildKill:
    seed: int
    victim: str
    statements: int
    acknowledged: int
    """When it was killed."""
    said_again: int
    ready_seconds: float
    """From the kill until readiness held."""
    acknowledged_seconds: float
    """From the kill until every statement was acknowledged."""
    complete_seconds: float
    """From then, or from readiness if that came later, until every memory was there."""
    memories: int
    wrong: Sequence[str]


async def kill_child(
    directory: Path, victim: Victim, *, count: int, seed: int, say: Callable[[str], None]
) -> ChildKill:
    """Let `count` statements be made and this process be killed in their midst, once."""
    running = RunningPalimpsest(directory / "data", forks_children=False)
    port = lasting_ports(1)[0]
    running.launch(port=port)
    try:
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", timeout=15, trust_env=False
        ) as http:
            kill = _Kill(running, port, http, victim, count, seed, say)
            return await kill.through()
    finally:
        await running.put_away()


class _Kill:
    def __init__(
        self,
        running: RunningPalimpsest,
        port: int,
        http: httpx.AsyncClient,
        victim: Victim,
        count: int,
        seed: int,
        say: Callable[[str], None],
    ) -> None:
        self._running, self._port, self._http = running, port, http
        self._victim, self._count, self._seed, self._say = victim, count, seed, say
        share = random.Random(f"child {seed} {victim}").uniform(0.3, 0.7)
        self._kill_at = round(count * share)
        self._time_has_come = asyncio.Event()
        self._acknowledged = self._said_again = 0
        self._ready_at: float | None = None

    async def through(self) -> ChildKill:
        await self._until_ready(READY_WITHIN_SECONDS)
        wrong: list[str] = []
        talking = asyncio.gather(*(self._talk(said) for said in statements(self._count)))
        await self._time_has_come.wait()
        acknowledged = self._acknowledged
        self._kill()
        killed_at = time.monotonic()
        self._ready_at = None
        acknowledged_at: float | None = None
        contents: list[tuple[str, str]] = []
        while True:
            await self._look()
            if acknowledged_at is None and talking.done():
                talking.result()
                acknowledged_at = time.monotonic()
            contents = await self._memories()
            self._say(f"{len(contents)} of {self._count} memories")
            now = time.monotonic()
            if self._ready_at is None or acknowledged_at is None:
                if now - killed_at > READY_WITHIN_SECONDS:
                    wrong.append(f"not ready within {READY_WITHIN_SECONDS:.0f} s")
                    break
            elif len(contents) >= self._count:
                break
            elif now - max(self._ready_at, acknowledged_at) > COMPLETE_WITHIN_SECONDS:
                wrong.append(
                    f"{len(contents)} memories, and ready for {now - self._ready_at:.0f} s"
                )
                break
            await asyncio.sleep(POLL_SECONDS)
        talking.cancel()
        await asyncio.gather(talking, return_exceptions=True)
        if len(set(contents)) != len(contents) or len(contents) > self._count:
            wrong.append(f"{len(contents)} memories of {len(set(contents))} contents")
        ready_at, acknowledged_at = self._ready_at or now, acknowledged_at or now
        return ChildKill(
            seed=self._seed,
            victim=self._victim.value,
            statements=self._count,
            acknowledged=acknowledged,
            said_again=self._said_again,
            ready_seconds=round(ready_at - killed_at, 1),
            acknowledged_seconds=round(acknowledged_at - killed_at, 1),
            complete_seconds=round(now - max(ready_at, acknowledged_at), 1),
            memories=len(contents),
            wrong=wrong,
        )

    async def _talk(self, said: Sequence[Statement]) -> None:
        for statement in said:
            while not await self._is_acknowledged(statement):
                self._said_again += 1
                await asyncio.sleep(AGAIN_SECONDS)
            self._acknowledged += statement["type"] != "SessionEnded"
            if self._acknowledged >= self._kill_at:
                self._time_has_come.set()

    async def _is_acknowledged(self, statement: Statement) -> bool:
        try:
            answer = await self._http.post("/v1/events", json=statement)
        except httpx.HTTPError:
            return False
        return answer.status_code == httpx.codes.ACCEPTED

    def _kill(self) -> None:
        self._say(f"{self._victim}: kill -9")
        if self._victim is Victim.VECTORS:
            self._running.process.kill()
            self._running.process.join()
            self._running.launch(port=self._port)
            return
        os.kill(self._pid(), signal.SIGKILL)

    def _pid(self) -> int:
        if self._victim in _MODULES:
            module = _MODULES[self._victim].encode()
            for pid in self._running.children:
                if module in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return pid
        records = ChildRecords(self._running.directory / "children.json").read()
        return records[self._victim.value].pid

    async def _look(self) -> None:
        """Take down since when readiness has held without a break."""
        try:
            is_ready = (await self._http.get("/readyz")).status_code == httpx.codes.OK
        except httpx.HTTPError:
            is_ready = False
        if not is_ready:
            self._ready_at = None
        elif self._ready_at is None:
            self._ready_at = time.monotonic()

    async def _until_ready(self, within_seconds: float) -> None:
        async with asyncio.timeout(within_seconds):
            while self._ready_at is None:
                await self._look()
                await asyncio.sleep(POLL_SECONDS)

    async def _memories(self) -> list[tuple[str, str]]:
        """User and content of each; none while the database is away."""
        instance = find_instance(self._running.directory)
        if instance is None:
            return []
        mongodb: AsyncMongoClient[dict[str, str]] = AsyncMongoClient(
            instance.mongodb_url, serverSelectionTimeoutMS=2_000
        )
        try:
            found = mongodb["palimpsest"][MEMORIES.name].find({}, {"scope": 1, "content": 1})
            return [(str(memory["scope"]), memory["content"]) async for memory in found]
        except PyMongoError:
            return []
        finally:
            await mongodb.close()

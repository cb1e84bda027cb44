"""`palimpsest serve` as a process of its own, which can be asked, stopped for a while and ended."""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Self

import httpx
from prometheus_client.parser import text_string_to_metric_families

from palimpsest.api.simulated_clock import CLOCK_PATH, SimulatedMoment

START_SECONDS = 90.0
"""Far more than it takes, for a machine that runs other things too."""

STOP_SECONDS = 40.0


class Served:
    """Some services against the servers of these settings. To be entered: it is left ended."""

    def __init__(
        self, *services: str, settings: Mapping[str, str], arguments: Sequence[str] = ()
    ) -> None:
        self._services = services
        self._arguments = arguments
        self._settings = settings
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._url: asyncio.Future[str] | None = None
        self.output: list[str] = []

    async def __aenter__(self) -> Self:
        """Started; not ready yet."""
        self._url = asyncio.get_running_loop().create_future()
        self._process = await asyncio.create_subprocess_exec(
            str(Path(sys.executable).with_name("palimpsest")),
            "serve",
            "--port=0",
            *self._arguments,
            *self._services,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={**os.environ, **self._settings},
        )
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._running.returncode is None:
            self._running.kill()
        await self._running.wait()
        if self._reading is not None:
            await self._reading

    async def ready(self) -> None:
        """Return when it has said that it is."""
        assert self._url is not None
        async with asyncio.timeout(START_SECONDS):
            await self._url

    async def url(self) -> str:
        """Where it is served, once it is ready."""
        assert self._url is not None
        return await self._url

    async def metric(self, name: str) -> float:
        """The sum over all labels of what it says of itself under this name."""
        assert self._url is not None
        async with httpx.AsyncClient(timeout=30, trust_env=False) as client:
            answer = await client.get(f"{await self._url}/metrics")
        return sum(
            sample.value
            for family in text_string_to_metric_families(answer.text)
            for sample in family.samples
            if sample.name == name
        )

    async def move_clock(self, to: datetime) -> None:
        """Of one whose time is simulated."""
        async with httpx.AsyncClient(timeout=30, trust_env=False) as client:
            moment = SimulatedMoment(now=to).model_dump(mode="json")
            answer = await client.put(f"{await self.url()}{CLOCK_PATH}", json=moment)
        answer.raise_for_status()

    def pause(self) -> None:
        self._running.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._running.send_signal(signal.SIGCONT)

    async def stop(self) -> None:
        """Ask it to end, which it does in order."""
        self._running.terminate()
        async with asyncio.timeout(STOP_SECONDS):
            code = await self._running.wait()
        assert code == 0, "".join(self.output)

    @property
    def _running(self) -> asyncio.subprocess.Process:
        assert self._process is not None
        return self._process

    async def _read(self) -> None:
        assert self._running.stdout is not None
        assert self._url is not None
        async for line in self._running.stdout:
            self.output.append(line.decode())
            _said, ready, url = self.output[-1].partition("ready: ")
            if ready and not self._url.done():
                self._url.set_result(url.strip())
        if not self._url.done():
            self._url.set_exception(AssertionError("".join(self.output)))

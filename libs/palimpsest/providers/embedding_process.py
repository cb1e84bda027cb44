"""The parent's end of the embedding child: starts it, asks it, starts it again when it dies."""

import asyncio
import contextlib
import logging
import os
import sys
from collections import deque
from collections.abc import Sequence
from typing import Any

from palimpsest.domain.errors import PermanentError, TransientError
from palimpsest.providers import frames

START_SECONDS = 60.0
"""Loading takes two seconds; a machine that is busy with starting everything may take longer."""

ANSWER_SECONDS = 120.0
"""Far longer than the worst batch: past it the child hangs and is started again."""

FIRST_BACKOFF_SECONDS = 0.5
LONGEST_BACKOFF_SECONDS = 30.0

_log = logging.getLogger(__name__)


class EmbeddingProcess:
    """One child for one model. Batches are answered in the order in which they were asked."""

    def __init__(self, model: str) -> None:
        self._command = (sys.executable, "-m", "palimpsest.providers.embedding_child", model)
        self._process: asyncio.subprocess.Process | None = None
        self._ready = asyncio.Event()
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._keeping: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Return when the child has loaded its model.

        Raises:
            TransientError: it did not within a minute.
        """
        self._keeping = asyncio.create_task(self._keep_running(), name="embedding process")
        try:
            await asyncio.wait_for(self._ready.wait(), START_SECONDS)
        except TimeoutError:
            await self.stop()
            raise TransientError("the embedding process did not start") from None

    async def stop(self) -> None:
        if self._keeping is not None:
            self._keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._keeping
            self._keeping = None

    def check(self) -> None:
        """Return when the child takes texts.

        Raises:
            TransientError: it is being started.
        """
        self._running()

    async def embed(self, texts: Sequence[tuple[str, str]]) -> list[tuple[str, str, str]]:
        """The packed dense vector, sparse indices and sparse values of each text.

        Raises:
            TransientError: the child is being started again, or hung.
            PermanentError: the model cannot embed these texts.
        """
        process, texts_in = self._running()
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        texts_in.write(frames.packed(texts))
        try:
            # A child that has died is told by its output, which ends.
            with contextlib.suppress(ConnectionError):
                await texts_in.drain()
            # Not wait_for: Python 3.11's loses a cancellation that meets the answer, and a
            # stage cut short would go on with a batch that is somebody else's by then.
            async with asyncio.timeout(ANSWER_SECONDS):
                message = await answer
        except TimeoutError:
            self._kill(process)
            raise TransientError("the embedding process hung") from None
        if "error" in message:
            raise PermanentError(f"the model cannot embed this: {message['error']}")
        vectors: list[tuple[str, str, str]] = message["vectors"]
        return vectors

    def _running(self) -> tuple[asyncio.subprocess.Process, asyncio.StreamWriter]:
        process = self._process
        if process is None or process.stdin is None or not self._ready.is_set():
            raise TransientError("the embedding process is being started", retry_after_seconds=1)
        return process, process.stdin

    def _kill(self, process: asyncio.subprocess.Process) -> None:
        if self._process is process:
            self._ready.clear()
        with contextlib.suppress(ProcessLookupError):
            process.kill()

    async def _keep_running(self) -> None:
        backoff = FIRST_BACKOFF_SECONDS
        while True:
            was_ready = await self._run_once()
            backoff = FIRST_BACKOFF_SECONDS if was_ready else backoff
            _log.warning("the embedding process ended; starting it again in %.1f s", backoff)
            await asyncio.sleep(backoff)
            backoff = min(backoff * 2, LONGEST_BACKOFF_SECONDS)

    async def _run_once(self) -> bool:
        """Run one child to its end; whether it had become ready."""
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
        self._process = process
        try:
            await self._hand_out_answers(process)
        except (asyncio.IncompleteReadError, ConnectionError):
            return self._ready.is_set()
        finally:
            self._ready.clear()
            self._process = None
            self._fail_waiting()
            await _ended(process)
        return True

    async def _hand_out_answers(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None  # noqa: S101 - it was asked for as a pipe
        await frames.received(process.stdout)
        self._ready.set()
        while True:
            message = await frames.received(process.stdout)
            answer = self._waiting.popleft()
            if not answer.done():
                answer.set_result(message)

    def _fail_waiting(self) -> None:
        while self._waiting:
            answer = self._waiting.popleft()
            if not answer.done():
                answer.set_exception(
                    TransientError("the embedding process died", retry_after_seconds=1)
                )


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Close the child's input, which ends it; kill it where that does not."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), 5)
    except TimeoutError:
        process.kill()
        await process.wait()

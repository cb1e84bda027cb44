"""The parent's side of a child process: starts it, sends it requests, restarts it when it dies."""

import asyncio
import contextlib
import logging
import os
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from palimpsest.model.errors import PermanentError, TransientError
from palimpsest_server.embedders import pipe_frames
from palimpsest_server.error_places import locate_error

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class ChildTimes:
    """Times that a parent waits for its child."""

    start_seconds: float = 300.0
    """Loading takes two seconds; a machine that starts many things at once may need far longer."""
    answer_seconds: float = 120.0
    """Far longer than the slowest request together with all requests before it. A child that takes
    longer hangs."""
    first_backoff_seconds: float = 0.5
    """Delay before a child that ended is restarted; doubled for each child that was never ready."""
    longest_backoff_seconds: float = 30.0


DEFAULT_TIMES = ChildTimes()


@dataclass(frozen=True)
class _Asked:
    answer: asyncio.Future[Any]
    patience: asyncio.TimerHandle
    """Runs on after the caller has gone, so that a hanging child is still noticed."""


class ChildProcess:
    """One child process that runs a module of ours calling `serve_parent`. It answers in order."""

    def __init__(
        self,
        name: str,
        module: str,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        times: ChildTimes = DEFAULT_TIMES,
    ) -> None:
        """`name` follows "the" in messages for people. `environment` is added to this process's own."""
        self._name = name
        self._times = times
        self._command: Sequence[str] = (sys.executable, "-m", module, *arguments)
        self._environment = environment or {}
        self._process: asyncio.subprocess.Process | None = None
        self._ready = asyncio.Event()
        self._asked: deque[_Asked] = deque()
        self._keeping: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start the child; returns when it is ready. A running child is only waited for.

        Raises:
            TransientError: the child was not ready within five minutes, as on an overloaded machine.
        """
        if self._keeping is None:
            self._keep()
        try:
            async with asyncio.timeout(self._times.start_seconds):
                await self._ready.wait()
        except TimeoutError:
            await self.stop()
            raise TransientError(f"the {self._name} did not start") from None

    async def stop(self) -> None:
        keeping, self._keeping = self._keeping, None
        if keeping is not None:
            keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeping

    def _keep(self) -> None:
        self._keeping = asyncio.create_task(self._keep_running(), name=self._name)
        self._keeping.add_done_callback(self._keep_again)

    def _keep_again(self, ended: "asyncio.Task[None]") -> None:
        """Restart the keeper if it ended by itself, because without it a dead child stays dead."""
        if self._keeping is ended:
            _log.error("the keeper of the %s ended, and begins again", self._name)
            self._keep()

    def check(self) -> None:
        """Check that the child can be asked.

        Raises:
            TransientError: the child is being started.
        """
        self._running()

    async def ask(self, message: Any) -> Any:
        """Return the child's answer to a message; both are JSON.

        Raises:
            TransientError: the child is being started again, or hung.
            PermanentError: the child cannot answer this message; the error has its reason in a word.
        """
        process, requests = self._running()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        patience = loop.call_later(self._times.answer_seconds, self._give_up, process, answer)
        self._asked.append(_Asked(answer, patience))
        requests.write(pipe_frames.pack_frame(message))
        try:
            # The end of a dead child's output tells of its death.
            with contextlib.suppress(ConnectionError):
                await requests.drain()
            outcome = await answer
        finally:
            answer.cancel()
        if "error" in outcome:
            raise PermanentError(f"the {self._name} cannot do this: {outcome['error']}")
        return outcome["answer"]

    def _running(self) -> tuple[asyncio.subprocess.Process, asyncio.StreamWriter]:
        process = self._process
        if process is None or process.stdin is None or not self._ready.is_set():
            raise TransientError(f"the {self._name} is being started", retry_after_seconds=1)
        return process, process.stdin

    def _give_up(self, process: asyncio.subprocess.Process, answer: asyncio.Future[Any]) -> None:
        if not answer.done():
            answer.set_exception(TransientError(f"the {self._name} hung"))
        if self._process is process:
            self._ready.clear()
        with contextlib.suppress(ProcessLookupError):
            process.kill()

    async def _keep_running(self) -> None:
        first = backoff = self._times.first_backoff_seconds
        while True:
            try:
                was_ready = await self._run_once()
            except Exception as error:  # noqa: BLE001 - the machine may have a process for us later
                _log.error("%s at %s", type(error).__name__, locate_error(error))
                was_ready = False
            backoff = first if was_ready else backoff
            _log.warning("the %s ended; starting it again in %.1f s", self._name, backoff)
            await asyncio.sleep(backoff)
            backoff = min(backoff * 2, self._times.longest_backoff_seconds)

    async def _run_once(self) -> bool:
        """Run one child to its end; return whether it had become ready."""
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | self._environment,
            # Ctrl-C reaches the whole group, even a child that is still loading; the parent ends the child.
            start_new_session=True,
        )
        self._process = process
        was_ready = False
        try:
            assert process.stdout is not None  # noqa: S101 - it was asked for as a pipe
            await pipe_frames.receive_frame(process.stdout)
            self._ready.set()
            was_ready = True
            await self._hand_out_answers(process.stdout)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._ready.clear()
            self._process = None
            self._fail_asked()
            await _ended(process)
        return was_ready

    async def _hand_out_answers(self, answers: asyncio.StreamReader) -> None:
        while True:
            outcome = await pipe_frames.receive_frame(answers)
            asked = self._asked.popleft()
            asked.patience.cancel()
            if not asked.answer.done():
                asked.answer.set_result(outcome)

    def _fail_asked(self) -> None:
        while self._asked:
            asked = self._asked.popleft()
            asked.patience.cancel()
            if not asked.answer.done():
                asked.answer.set_exception(
                    TransientError(f"the {self._name} died", retry_after_seconds=1)
                )


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Close the child's input, which ends it; kill it if that does not."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        # Not `wait_for`: in Python 3.11 it loses a cancellation that comes as the child ends.
        async with asyncio.timeout(5):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()

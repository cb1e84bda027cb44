"""The rules in a few processes: long requests in slices, with turns shared fairly between users."""

import asyncio
import os
from collections.abc import Sequence
from time import perf_counter

from palimpsest.model.errors import TransientError
from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_language.local_extraction import LOCAL_PROVIDER_NAME
from palimpsest_language.proposals import ExtractionAnswer
from palimpsest_server.embedders.child_process import DEFAULT_TIMES, ChildTimes
from palimpsest_server.extraction.fair_turns import FairTurns
from palimpsest_server.extraction.local_extractor_process import LocalExtractorProcess
from palimpsest_server.extraction.reading_budget import ReadingBudget
from palimpsest_server.extraction.request_slices import (
    RequestSlice,
    merge_answers,
    slice_request,
)
from palimpsest_server.models.model_errors import ModelNotAvailable

PATIENCE_SECONDS = 30.0
"""A request that waits longer for its turn returns to the ledger, so that its lease does not run out."""

PART_TOKENS = 1_000
"""Tokens in a part of a long message: a tenth of a second, so that nobody waits long for a turn."""

PROCESSORS_FOR_TWO = 4
"""Number of processors from which the rules get two processes; the services and databases need the
others."""


class RulesNotAvailable(ModelNotAvailable):
    """Other requests use the rules now, or their process is being started."""

    reason = "rules_busy"
    may_last = False


class LocalExtractorPool:
    """An extraction provider: `FairShares` chooses the next request, `ReadingBudget` cuts long messages."""

    name = LOCAL_PROVIDER_NAME

    def __init__(self, processes: int | None = None, *, times: ChildTimes = DEFAULT_TIMES) -> None:
        """`processes` is the number of processes; None for a number that fits the machine."""
        self._processes = [
            LocalExtractorProcess(times=times)
            for _ in range(
                count_rules_processes(os.cpu_count()) if processes is None else processes
            )
        ]
        self._turns = FairTurns(self._processes)

    @property
    def child_pids(self) -> Sequence[int]:
        pids = (process.child_pid for process in self._processes)
        return [pid for pid in pids if pid is not None]

    async def start(self) -> None:
        """Start all processes; returns when their rules are loaded.

        Raises:
            TransientError: a process did not load its rules.
        """
        await asyncio.gather(*(process.start() for process in self._processes))

    async def stop(self) -> None:
        await asyncio.gather(*(process.stop() for process in self._processes))

    async def check(self) -> None:
        """Check that windows can be extracted.

        Raises:
            TransientError: all processes are being started.
        """
        failures: list[TransientError] = []
        for process in self._processes:
            try:
                await process.check()
            except TransientError as error:
                failures.append(error)
        if len(failures) == len(self._processes):
            raise failures[0]

    async def extract(self, request: ExtractionRequest) -> ExtractionAnswer:
        """Extract a window, or a session.

        Raises:
            RulesNotAvailable: try again later; this was no attempt.
            TransientError: the process died during the request.
            PermanentError: the request will fail every time.
        """
        budget = ReadingBudget()
        answers: list[ExtractionAnswer] = []
        for request_slice in slice_request(request, part_tokens=PART_TOKENS):
            seconds = budget.left_for(request_slice)
            if seconds == 0.0:
                answers.append(ExtractionAnswer(unread_characters=_count_characters(request_slice)))
            else:
                answer, spent = await self._ask(request_slice, seconds, goes_on=bool(answers))
                answers.append(answer)
                budget.spend(request_slice, spent)
        return merge_answers(answers)

    async def _ask(
        self, request_slice: RequestSlice, seconds: float, *, goes_on: bool
    ) -> tuple[ExtractionAnswer, float]:
        user_id = request_slice.request.user_id
        try:
            async with self._turns.take(
                user_id, goes_on=goes_on, patience_seconds=PATIENCE_SECONDS
            ) as turn:
                began = perf_counter()
                try:
                    answer, spent = await self._measure(turn.place, request_slice, seconds)
                except BaseException:
                    turn.cost_seconds = perf_counter() - began
                    raise
                turn.cost_seconds = spent
                return answer, spent
        except TimeoutError:
            raise RulesNotAvailable("others have the rules", retry_after_seconds=1) from None

    async def _measure(
        self, process: LocalExtractorProcess, request_slice: RequestSlice, seconds: float
    ) -> tuple[ExtractionAnswer, float]:
        try:
            await process.check()
        except TransientError:
            raise RulesNotAvailable("the rules are being started", retry_after_seconds=1) from None
        return await process.extract_measured(
            request_slice.request, seconds_for_each_message=seconds
        )


def count_rules_processes(processors: int | None) -> int:
    """Return the number of rules processes for a machine with this many processors."""
    return 2 if (processors or 1) >= PROCESSORS_FOR_TWO else 1


def _count_characters(request_slice: RequestSlice) -> int:
    return sum(len(message.text) for message in request_slice.request.messages if message.fresh)

"""The rules in several processes: fair turns, and budgets measured in the child."""

import asyncio
import os
import signal

import pytest

from palimpsest_language.proposals import ExtractionAnswer
from palimpsest_server.embedders.child_process import ChildTimes
from palimpsest_server.extraction.extraction_window import build_extraction_request
from palimpsest_server.extraction.local_extractor_pool import (
    PART_TOKENS,
    LocalExtractorPool,
    RulesNotAvailable,
    count_rules_processes,
)
from palimpsest_server.extraction.local_extractor_process import LocalExtractorProcess
from tests.support.eventually import eventually
from tests.support.windows import window

LONG = "I like tea. " * 6_000
"""72 KB: 24 parts."""


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    """Notes what the processes are asked; each answer costs .3 s of processor time."""
    asked: list[tuple[str, float]] = []

    async def check(process: LocalExtractorProcess) -> None: ...

    async def measure(
        process: LocalExtractorProcess, request: object, *, seconds_for_each_message: float
    ) -> tuple[ExtractionAnswer, float]:
        asked.append((request.user_id, round(seconds_for_each_message, 2)))  # type: ignore[attr-defined]
        await asyncio.sleep(0)
        return ExtractionAnswer(), 0.3

    monkeypatch.setattr(LocalExtractorProcess, "check", check)
    monkeypatch.setattr(LocalExtractorProcess, "extract_measured", measure)
    return asked


@pytest.mark.parametrize(("processors", "processes"), [(None, 1), (1, 1), (2, 1), (4, 2), (64, 2)])
def test_a_second_process_needs_processors(processors: int | None, processes: int) -> None:
    assert count_rules_processes(processors) == processes


async def test_a_message_that_costs_more_than_a_second_is_cut(
    measured: list[tuple[str, float]],
) -> None:
    answer = await LocalExtractorPool(1).extract(build_extraction_request(window(LONG)))

    assert [seconds for _, seconds in measured] == [1.0, 0.7, 0.4, 0.1]
    assert 0 < answer.unread_characters < len(LONG)
    read = len(LONG.strip()) - answer.unread_characters
    assert read <= 4 * 3 * PART_TOKENS


async def test_a_quiet_user_comes_between_the_parts_of_a_long_message(
    measured: list[tuple[str, float]],
) -> None:
    pool = LocalExtractorPool(1)
    heavy = [
        asyncio.create_task(
            pool.extract(build_extraction_request(window(LONG, user="heavy", name=str(each))))
        )
        for each in range(5)
    ]
    await asyncio.sleep(0)
    await pool.extract(build_extraction_request(window("I like tea.", user="quiet")))
    before = [user for user, _ in measured].index("quiet")
    await asyncio.gather(*heavy)

    assert before == 1
    assert len(measured) == 1 + 5 * 4


async def test_a_killed_process_fails_what_it_had_and_uses_up_no_attempt_of_others() -> None:
    pool = LocalExtractorPool(1, times=ChildTimes(first_backoff_seconds=0.01))
    await pool.start()
    try:
        request = build_extraction_request(window("I live in Berlin."))
        (pid,) = pool.child_pids
        os.kill(pid, signal.SIGKILL)
        await eventually(lambda: pool.child_pids != [pid])
        with pytest.raises(RulesNotAvailable):
            await pool.extract(request)
        await pool.start()
        assert [proposal.value for proposal in (await pool.extract(request)).proposals] == [
            "Berlin"
        ]
    finally:
        await pool.stop()

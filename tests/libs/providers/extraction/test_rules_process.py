"""The rules in their real child process find what they find in this one."""

import asyncio
import os
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from palimpsest.domain.errors import PermanentError, TransientError
from palimpsest.domain.turn import Role
from palimpsest.providers import child_process
from palimpsest.providers.extraction.dialogue import ExtractionRequest
from palimpsest.providers.extraction.messages import request_of
from palimpsest.providers.extraction.rules.child import NICENESS
from palimpsest.providers.extraction.rules.local import LocalRules
from palimpsest.providers.extraction.rules.process import LocalRulesProcess
from tests.libs.providers.extraction.test_rules import CHINESE, ENGLISH
from tests.windows import said, window

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def rules() -> AsyncIterator[LocalRulesProcess]:
    rules = LocalRulesProcess()
    await rules.start()
    yield rules
    await rules.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def running(rules: LocalRulesProcess, monkeypatch: pytest.MonkeyPatch) -> LocalRulesProcess:
    """Whatever the test before did to it."""
    monkeypatch.setattr(child_process, "FIRST_BACKOFF_SECONDS", 0.01)
    async with asyncio.timeout(30):
        while True:
            try:
                await rules.check()
            except TransientError:
                await asyncio.sleep(0.02)
            else:
                return rules


def every_example() -> ExtractionRequest:
    return request_of(window(*(text for text, *_ in [*ENGLISH, *CHINESE])))


async def test_the_child_finds_what_the_rules_find_here(running: LocalRulesProcess) -> None:
    asked = every_example()
    here = await LocalRules().extract(asked)

    assert len(here.proposals) > 100
    assert await running.extract(asked) == here


async def test_people_context_and_silence_are_the_same_in_the_child(
    running: LocalRulesProcess,
) -> None:
    asked = [
        request_of(
            window(said("I live in Oslo.", speaker="Ana"), said("我住在上海。", speaker="小明"))
        ),
        request_of(window("I work at Google.", context=["I live in Berlin."])),
        request_of(window(said("Lesson learned: pin the versions", role=Role.AGENT))),
        request_of(window("Good morning! 👍")),
    ]

    for each in asked:
        assert await running.extract(each) == await LocalRules().extract(each)


async def test_windows_asked_together_come_back_each_to_its_own(
    running: LocalRulesProcess,
) -> None:
    cities = [f"Town{chr(ord('a') + number)}" for number in range(20)]

    answers = await asyncio.gather(
        *(running.extract(request_of(window(f"I live in {city}."))) for city in cities)
    )

    assert [answer.proposals[0].value for answer in answers] == cities


async def test_it_steps_back_behind_what_somebody_waits_for(running: LocalRulesProcess) -> None:
    assert running.child_pid is not None
    assert os.getpriority(os.PRIO_PROCESS, running.child_pid) == min(
        19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS
    )


async def test_a_window_the_rules_break_on_is_wrong_for_good_and_not_quoted(
    running: LocalRulesProcess,
) -> None:
    asked = request_of(window("My secret is 1234."))
    # What no rule has to be ready for: another version's request.
    broken = asked.model_copy(update={"messages": "My secret is 1234."})

    with pytest.warns(UserWarning, match="serializer"), pytest.raises(PermanentError) as refused:
        await running.extract(broken)

    assert str(refused.value) == "the rules process cannot do this: ValidationError"
    assert (await running.extract(request_of(window("I live in Berlin.")))).proposals

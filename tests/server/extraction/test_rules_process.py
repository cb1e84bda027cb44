"""The rules in their real child process find what they find in this one."""

import asyncio
import os
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from palimpsest.model.errors import PermanentError, TransientError
from palimpsest.model.turn import Role
from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_language.rule_tables import all_rules
from palimpsest_server.embedders.child_process import ChildTimes
from palimpsest_server.extraction.extraction_window import build_extraction_request
from palimpsest_server.extraction.local_extractor_child import NICENESS
from palimpsest_server.extraction.local_extractor_process import LocalExtractorProcess
from tests.support.windows import said, window

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def rules() -> AsyncIterator[LocalExtractorProcess]:
    rules = LocalExtractorProcess(times=ChildTimes(first_backoff_seconds=0.01))
    await rules.start()
    yield rules
    await rules.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def running(rules: LocalExtractorProcess) -> LocalExtractorProcess:
    """Whatever the test before did to it."""
    async with asyncio.timeout(30):
        while True:
            try:
                await rules.check()
            except TransientError:
                await asyncio.sleep(0.02)
            else:
                return rules


def many_examples() -> ExtractionRequest:
    texts = [example["text"] for rule in all_rules() for example in rule.examples]
    return build_extraction_request(window(*texts[::20]))


async def test_the_child_finds_what_the_rules_find_here(running: LocalExtractorProcess) -> None:
    asked = many_examples()
    here = await LocalExtractor().extract(asked)

    assert len(here.proposals) > 25
    assert await running.extract(asked) == here


async def test_people_context_and_silence_are_the_same_in_the_child(
    running: LocalExtractorProcess,
) -> None:
    asked = [
        build_extraction_request(
            window(said("I live in Oslo.", speaker="Ana"), said("我住在上海。", speaker="小明"))
        ),
        build_extraction_request(window("I work at Google.", context=["I live in Berlin."])),
        build_extraction_request(window(said("Lesson learned: pin the versions", role=Role.AGENT))),
        build_extraction_request(window("Good morning! 👍")),
    ]

    for extraction_request in asked:
        assert await running.extract(extraction_request) == await LocalExtractor().extract(
            extraction_request
        )


async def test_windows_asked_together_come_back_each_to_its_own(
    running: LocalExtractorProcess,
) -> None:
    cities = [f"Town{chr(ord('a') + number)}" for number in range(20)]

    answers = await asyncio.gather(
        *(
            running.extract(build_extraction_request(window(f"I live in {city}.")))
            for city in cities
        )
    )

    assert [answer.proposals[0].value for answer in answers] == cities


async def test_it_steps_back_behind_what_somebody_waits_for(running: LocalExtractorProcess) -> None:
    assert running.child_pid is not None
    assert os.getpriority(os.PRIO_PROCESS, running.child_pid) == min(
        19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS
    )


async def test_a_window_the_rules_break_on_is_wrong_for_good_and_not_quoted(
    running: LocalExtractorProcess,
) -> None:
    asked = build_extraction_request(window("My secret is 1234."))
    # What no rule has to be ready for: another version's request.
    broken = asked.model_copy(update={"messages": "My secret is 1234."})

    with pytest.warns(UserWarning, match="serializer"), pytest.raises(PermanentError) as refused:
        await running.extract(broken)

    assert str(refused.value) == "the rules process cannot do this: ValidationError"
    assert (await running.extract(build_extraction_request(window("I live in Berlin.")))).proposals

"""The way to an OpenAI-compatible server, with a model at its end that nobody scripted.

What so small a model says is worth little. That it is asked, read, cut off and quoted rightly is
what is seen here: `make test-model`, or any server and model by address.
"""

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator

import pytest

from palimpsest.model.clock import Clock
from palimpsest_server.models.answer_parser import parse_answer
from palimpsest_server.models.guarded_model import CallAllowance
from palimpsest_server.models.language_model import FinishReason, LanguageModel
from palimpsest_server.models.model_errors import UnusableAnswer
from palimpsest_server.models.vendors import (
    Vendor,
    VendorAccess,
    VendorConnections,
    create_language_model,
)
from tests.support.models import serving
from tests.support.server.extraction.modelled import understood_by
from tests.support.server.models.answering import QUESTION, Capital
from tests.support.windows import window

SECONDS = 300.0

_ADDRESS = os.environ.get("PALIMPSEST_TEST_MODEL_URL")
_NAME = os.environ.get("PALIMPSEST_TEST_MODEL", "smollm2")

pytestmark = [
    pytest.mark.skipif(
        _ADDRESS is None and not serving.installed(),
        reason="no small model is installed (make test-model), nor is PALIMPSEST_TEST_MODEL_URL set",
    ),
    pytest.mark.timeout(2 * SECONDS),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if _ADDRESS is not None:
        yield _ADDRESS
        return
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.models.serving"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        # Its log goes the same way.
        yield next(f"{line.strip()}/v1" for line in process.stdout if line.startswith("http"))
        process.stdin.close()


@pytest.fixture
async def model(address: str, clock: Clock) -> AsyncIterator[LanguageModel]:
    access = {Vendor.COMPATIBLE: VendorAccess(base_url=address)}
    reaching = VendorConnections(access=access, timeout_seconds=SECONDS)
    model = create_language_model(f"{Vendor.COMPATIBLE}/{_NAME}", reaching, clock=clock)
    yield model
    await model.close()


async def test_it_answers_in_the_shape_that_was_asked_for(model: LanguageModel) -> None:
    completion = await model.complete(QUESTION, maximum_output_tokens=200)
    assert completion.ending is FinishReason.COMPLETE
    assert "paris" in parse_answer(completion, Capital).city.casefold()
    assert completion.usage.input_tokens > 10
    assert completion.usage.output_tokens > 10


async def test_an_answer_that_is_cut_off_is_said_to_be(model: LanguageModel) -> None:
    completion = await model.complete(QUESTION, maximum_output_tokens=3)
    assert completion.ending is FinishReason.CUT_SHORT
    with pytest.raises(UnusableAnswer):
        parse_answer(completion, Capital)


@pytest.mark.parametrize(
    "words",
    ["I live in Berlin and I am allergic to peanuts.", "我住在柏林，对花生过敏。"],
    ids=["en", "zh"],
)
async def test_of_a_window_it_finds_what_can_be_quoted_or_is_refused(
    model: LanguageModel, clock: Clock, words: str
) -> None:
    asked = window(words)
    try:
        proposed = await understood_by(
            model, CallAllowance(output_tokens=400, seconds=SECONDS), clock, asked
        )
    except UnusableAnswer:
        # Twice of no shape, most of all for being endless: nothing is kept of it.
        return
    for candidate in proposed.event.candidates:
        assert candidate.evidence
        assert all(evidence.quote in words for evidence in candidate.evidence)

"""Questions embedded where they are asked: together where they come at once, each once."""

import asyncio
from collections.abc import Sequence

import pytest

from palimpsest.domain.vectors import EmbeddingModel
from palimpsest.providers.questions import CACHED, CHARACTERS_TOGETHER, Questions
from palimpsest.providers.sparse import sparse_encoder


class Counting:
    """A dense model that tells what it was asked, and how many at a time."""

    identity = EmbeddingModel(name="counting", dimension=1)
    questions_together = 3

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def documents(self, texts: Sequence[str]) -> list[list[float]]:
        raise NotImplementedError

    def query(self, text: str) -> list[float]:
        return self.queries([text])[0]

    def queries(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked.append(list(texts))
        if any(text.startswith("unreadable") for text in texts):
            raise ValueError("unreadable")
        return [[float(len(text))] for text in texts]


@pytest.fixture
def dense() -> Counting:
    return Counting()


@pytest.fixture
def questions(dense: Counting) -> Questions:
    return Questions(dense, sparse_encoder())


async def test_what_is_asked_at_once_is_taken_together_and_no_more_than_are_soon_done(
    dense: Counting, questions: Questions
) -> None:
    texts = ["a", "bb", "ccc", "dddd"]

    vectors = await asyncio.gather(*(questions.embed(text) for text in texts))

    assert dense.asked == [["a", "bb", "ccc"], ["dddd"]]
    assert [one.dense for one in vectors] == [[1.0], [2.0], [3.0], [4.0]]


async def test_long_ones_are_taken_one_by_one(dense: Counting, questions: Questions) -> None:
    long, longer = "a" * CHARACTERS_TOGETHER, "b" * (CHARACTERS_TOGETHER + 1)

    await asyncio.gather(*(questions.embed(text) for text in (longer, long, "c", "d")))

    assert dense.asked == [[longer], [long], ["c", "d"]]


async def test_a_question_that_several_ask_is_computed_once(
    dense: Counting, questions: Questions
) -> None:
    one, other = await asyncio.gather(questions.embed("who?"), questions.embed("who?"))
    again = await questions.embed("who?")

    assert dense.asked == [["who?"]]
    assert one is other is again


async def test_who_goes_away_takes_the_answer_from_nobody(
    dense: Counting, questions: Questions
) -> None:
    leaving = asyncio.create_task(questions.embed("who?"))
    staying = asyncio.create_task(questions.embed("who?"))
    await asyncio.sleep(0)
    leaving.cancel()

    assert (await staying).dense == [4.0]
    assert leaving.cancelled()


async def test_one_that_cannot_be_embedded_fails_alone(
    dense: Counting, questions: Questions
) -> None:
    asked = [questions.embed(text) for text in ("fine", "unreadable", "too")]

    fine, unreadable, too = await asyncio.gather(*asked, return_exceptions=True)

    assert isinstance(unreadable, ValueError)
    assert not isinstance(fine, BaseException)
    assert not isinstance(too, BaseException)
    assert fine.dense == [4.0]
    assert (await questions.embed("later")).dense == [5.0]


async def test_only_so_many_are_kept(dense: Counting, questions: Questions) -> None:
    for number in range(CACHED + 1):
        await questions.embed(f"{number}")
    dense.asked.clear()

    await questions.embed(f"{CACHED}")
    await questions.embed("0")

    assert dense.asked == [["0"]]

"""Questions that are asked at once are embedded together, and each gets its own answer."""

import asyncio
from collections.abc import Sequence

import pytest

from palimpsest.model.errors import TransientError
from palimpsest.model.vectors import SparseVector
from palimpsest_server.embedders.embedder import QueryVectors
from palimpsest_server.embedders.query_batcher import TOGETHER, QueryBatcher


def vectors_of(text: str) -> QueryVectors:
    return QueryVectors(dense=[float(len(text))], sparse=SparseVector(indices=(), values=()))


class Child:
    """Embeds when it is told to."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.may = asyncio.Event()
        self.fails_at: str | None = None

    async def embed(self, texts: Sequence[str]) -> Sequence[QueryVectors]:
        self.asked.append(list(texts))
        await self.may.wait()
        if self.fails_at in texts:
            raise TransientError("the child died")
        return [vectors_of(text) for text in texts]


async def begun(child: Child, batches: int) -> None:
    async with asyncio.timeout(60):
        while len(child.asked) < batches:  # noqa: ASYNC110 - one turn of the loop after another
            await asyncio.sleep(0)


async def test_what_is_asked_meanwhile_is_embedded_together_afterwards() -> None:
    child = Child()
    beside = QueryBatcher(child.embed)
    first = asyncio.create_task(beside.embed("a"))
    await begun(child, 1)
    others = [asyncio.create_task(beside.embed(text)) for text in ("bb", "ccc")]
    await asyncio.sleep(0)
    child.may.set()

    answers = await asyncio.gather(first, *others)

    assert child.asked == [["a"], ["bb", "ccc"]]
    assert [answer.dense for answer in answers] == [[1.0], [2.0], [3.0]]


async def test_the_same_question_is_embedded_once_for_all_who_ask_it() -> None:
    child = Child()
    beside = QueryBatcher(child.embed)
    asking = [asyncio.create_task(beside.embed("who?")) for _ in range(3)]
    await begun(child, 1)
    child.may.set()

    answers = await asyncio.gather(*asking)

    assert child.asked == [["who?"]]
    assert len({id(answer) for answer in answers}) == 1


async def test_only_so_many_are_embedded_together() -> None:
    child = Child()
    child.may.set()
    beside = QueryBatcher(child.embed)

    await asyncio.gather(*(beside.embed("q" * (n + 1)) for n in range(TOGETHER + 1)))

    assert [len(texts) for texts in child.asked] == [TOGETHER, 1]


async def test_who_goes_away_takes_the_answer_from_nobody() -> None:
    child = Child()
    beside = QueryBatcher(child.embed)
    impatient = asyncio.create_task(beside.embed("same"))
    patient = asyncio.create_task(beside.embed("same"))
    await begun(child, 1)
    impatient.cancel()
    child.may.set()

    assert (await patient).dense == [4.0]
    assert impatient.cancelled()


async def test_a_failure_is_told_to_those_it_concerns_and_the_next_are_embedded() -> None:
    child = Child()
    child.fails_at = "bad"
    beside = QueryBatcher(child.embed)
    bad = asyncio.create_task(beside.embed("bad"))
    await begun(child, 1)
    good = asyncio.create_task(beside.embed("good"))
    await asyncio.sleep(0)
    child.may.set()

    with pytest.raises(TransientError, match="died"):
        await bad
    assert (await good).dense == [4.0]


async def test_whoever_waits_when_it_is_stopped_is_told_so() -> None:
    child = Child()
    beside = QueryBatcher(child.embed)
    asking = [asyncio.create_task(beside.embed("a"))]
    await begun(child, 1)
    asking.append(asyncio.create_task(beside.embed("behind it")))
    await asyncio.sleep(0)

    await beside.stop()

    for task in asking:
        with pytest.raises(TransientError, match="being stopped"):
            await task


async def test_stopped_before_it_began_it_can_be_asked_again() -> None:
    child = Child()
    beside = QueryBatcher(child.embed)
    early = asyncio.create_task(beside.embed("early"))
    await asyncio.sleep(0)
    await beside.stop()
    child.may.set()

    with pytest.raises(TransientError):
        await early
    assert (await beside.embed("again")).dense == [5.0]


async def test_what_nobody_waits_for_any_more_is_not_embedded() -> None:
    child = Child()
    beside = QueryBatcher(child.embed)
    first = asyncio.create_task(beside.embed("first"))
    await begun(child, 1)
    impatient = asyncio.create_task(beside.embed("gone"))
    patient = asyncio.create_task(beside.embed("here"))
    await asyncio.sleep(0)
    impatient.cancel()
    await asyncio.sleep(0)
    child.may.set()

    await asyncio.gather(first, patient)

    assert child.asked == [["first"], ["here"]]

"""What resembles something that stands: asked about behind the batch, and both kept until then."""

from typing import Any

import pytest

from palimpsest.events.conversations import RememberRequested
from palimpsest.events.extractor_answers import JudgementProposed
from palimpsest.events.extractor_requests import JudgementRequested
from palimpsest.events.text_vectors import TextVectors
from palimpsest.events.topics import EXTRACTIONS
from palimpsest.model.judgement import DuplicateJudgement, JudgementVerdict
from palimpsest.model.memory import Memory, Status
from palimpsest.model.vectors import SparseVector
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE, day
from tests.support.services.consolidator.events import envelope, forget, remember
from tests.support.services.consolidator.stores import MODEL, Stores, vectors_of
from tests.support.services.consolidator.world import Consolidator

NEAR = [1.0, 0.1, 0.0, 0.0]
NEARER = [1.0, 0.0, 0.0, 0.0]
FAR = [0.0, 0.0, 1.0, 0.0]


@pytest.fixture
def stores(database: MongoDatabase) -> Stores:
    return Stores.in_database(database)


@pytest.fixture
def asking(stores: Stores, clock: SettableClock) -> Consolidator:
    return Consolidator(stores, clock, asks=True)


def said(content: str, dense: list[float], *, on: int = 1, **fields: Any) -> RememberRequested:
    vectors = TextVectors.pack(MODEL.slug, dense, SparseVector(indices=(1,), values=(1.0,)))
    event = remember(content, occurred_at=day(on), **fields)
    return event.model_copy(update={"vectors": (vectors,)})


def asked(stores: Stores) -> list[JudgementRequested]:
    return [
        judgement_requested
        for judgement_requested in stores.published.on(EXTRACTIONS)
        if isinstance(judgement_requested, JudgementRequested)
    ]


def judged(
    question: JudgementRequested, verdict: JudgementVerdict, content: str | None = None
) -> JudgementProposed:
    return JudgementProposed(
        question_id=question.question_id,
        provider="openai/m-1",
        judgement=DuplicateJudgement(
            verdict=verdict,
            new=question.new.at,
            standing=question.standing[0].at,
            content=content,
        ),
        vectors=() if content is None else (vectors_of(content),),
        **envelope(f"judged {question.question_id}", "alice"),
    )


async def held(stores: Stores) -> dict[str, Memory]:
    return {memory.content: memory for memory in await stores.listed(ALICE)}


async def test_one_question_for_what_is_near_and_none_for_what_is_not(
    asking: Consolidator, stores: Stores
) -> None:
    await asking.handle(said("I am allergic to peanuts", NEAR), said("I play chess", FAR))
    assert asked(stores) == []
    await asking.handle(said("I have a peanut allergy", NEARER, on=2))
    (question,) = asked(stores)
    assert question.new.text == "I have a peanut allergy"
    assert [memory_text.text for memory_text in question.standing] == ["I am allergic to peanuts"]
    memories = await held(stores)
    assert {memory.status for memory in memories.values()} == {Status.ACTIVE}
    assert asking.counted("questions_total") == 1


async def test_what_keys_decide_or_was_said_before_is_not_asked_about(
    asking: Consolidator, stores: Stores
) -> None:
    await asking.handle(
        said("I like tea", NEAR, attribute="likes", value="tea"),
        said("I like coffee", NEARER, attribute="likes", value="coffee"),
        said("I like coffee!", NEARER, attribute="likes", value="coffee", on=2),
    )
    assert asked(stores) == []


async def test_without_a_model_nobody_is_asked(consolidator: Consolidator, stores: Stores) -> None:
    await consolidator.handle(said("I am allergic to peanuts", NEAR))
    await consolidator.handle(said("I have a peanut allergy", NEARER))
    assert asked(stores) == []


async def test_what_is_merged_is_found_by_what_it_says_now(
    asking: Consolidator, stores: Stores
) -> None:
    await asking.handle(said("I drink coffee", NEAR))
    await asking.handle(said("Coffee in the morning", NEARER, on=2))
    (question,) = asked(stores)
    answer = judged(question, JudgementVerdict.MERGE, "I drink coffee in the morning")
    await asking.handle(answer, answer)
    await asking.handle(answer)
    memories = await held(stores)
    merged = memories["I drink coffee in the morning"]
    assert (merged.version, len(merged.evidence), merged.status) == (2, 2, Status.ACTIVE)
    assert memories["Coffee in the morning"].status is Status.ARCHIVED
    point = stores.vectors._points[merged.id]
    assert (point.version, point.dense) == (2, vectors_of(merged.content).dense_values())
    assert stores.published.announced[-1].reason == "judged to belong together"


async def test_an_answer_that_comes_too_late_changes_nothing_and_is_written_down(
    asking: Consolidator, stores: Stores
) -> None:
    await asking.handle(said("I drink coffee", NEAR))
    await asking.handle(said("Coffee in the morning", NEARER, on=2))
    (question,) = asked(stores)
    await asking.handle(forget(question.standing[0].memory_id))
    before = await held(stores)
    await asking.handle(judged(question, JudgementVerdict.DUPLICATE))
    assert await held(stores) == before
    assert stores.published.announced[-1].reason == "judged too late"


async def test_what_supersedes_closes_the_older_one(asking: Consolidator, stores: Stores) -> None:
    await asking.handle(said("My desk is by the window", NEAR, on=3))
    await asking.handle(said("I sit by the door", NEARER, on=7))
    (question,) = asked(stores)
    await asking.handle(judged(question, JudgementVerdict.SUPERSEDE))
    memories = await held(stores)
    old, new = memories["My desk is by the window"], memories["I sit by the door"]
    assert (old.status, old.valid_until, old.superseded_by) == (
        Status.SUPERSEDED,
        day(7),
        new.id,
    )
    assert new.supersedes == (old.id,)
    assert stores.vectors._points[old.id].status is Status.SUPERSEDED

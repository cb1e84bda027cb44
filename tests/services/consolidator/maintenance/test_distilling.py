"""Compression and reflection, from a run past the embedder and back."""

from datetime import date, timedelta
from typing import Any

from palimpsest.events.extractor_answers import ReflectionsProposed
from palimpsest.events.extractor_requests import ReflectionRequested
from palimpsest.events.maintenance import MemoryDistilled, build_daily_maintenance
from palimpsest.events.topics import CANDIDATES, EXTRACTIONS
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, MemorySource, RelationType, Status
from palimpsest.model.scope import Namespace
from palimpsest.model.user import ForgettingPolicy
from palimpsest_server.domain.compression.worded_distillate import reword_distillate
from palimpsest_server.domain.reflection.rule_reflections import WITHDRAWN
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE
from tests.support.services.consolidator.events import (
    envelope,
    forget,
    remember,
    remembered_id,
    settle,
)
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.world import Consolidator

NAMESPACE = Namespace(user_id="alice")


async def run(consolidator: Consolidator, clock: SettableClock) -> None:
    await consolidator.handle(
        build_daily_maintenance(NAMESPACE, clock().date(), now=clock(), epoch=0)
    )


def embedded(stores: Stores) -> list[MemoryDistilled]:
    """What was proposed, as the embedder sends it on."""
    return [
        event.model_copy(
            update={"vectors": tuple(vectors_of(text.dense) for text in event.texts())}
        )
        for event in stores.published.on(CANDIDATES)
        if isinstance(event, MemoryDistilled)
    ]


async def of_source(stores: Stores, source: MemorySource) -> list[Memory]:
    return [memory for memory in await stores.listed(ALICE) if memory.source is source]


async def test_old_memories_become_fewer_and_none_is_lost(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    moments: dict[str, Any] = {"occurred_at": clock(), "received_at": clock()}
    await consolidator.handle(
        settle(forgetting_policy=ForgettingPolicy.BLENDED),
        *(remember(f"I saw film {n}", kind=Kind.EVENT, **moments) for n in range(4)),
        remember("I want a boat", kind=Kind.GOAL, **moments),
    )
    clock.advance(timedelta(days=91))
    await run(consolidator, clock)
    listed = {memory.content: memory.status for memory in await stores.listed(ALICE)}
    assert listed["I saw film 1"] is Status.ACTIVE, "until what replaces it is there"
    assert listed["I want a boat"] is Status.FORGOTTEN, "nothing is there to join it"

    (proposal,) = embedded(stores)
    await consolidator.handle(proposal)
    (made,) = await of_source(stores, MemorySource.CONSOLIDATION)
    assert made.content in {f"I saw film {n}" for n in range(4)}
    assert len(made.evidence) == 4
    assert await stores.vectors.versions({made.id: ALICE}) == {made.id: 1}
    archived = [memory for memory in await stores.listed(ALICE) if memory.status is Status.ARCHIVED]
    assert {memory.id for memory in archived} == {relation.memory_id for relation in made.relations}
    assert {memory.status_reason for memory in archived} == {"compressed"}

    before = await stores.state("alice")
    await Consolidator(stores, clock).handle(proposal)
    assert await stores.state("alice") == before
    clock.advance(timedelta(days=1))
    await run(consolidator, clock)
    assert len(embedded(stores)) == 1


async def test_a_proposal_that_comes_too_late_changes_nothing(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    moments: dict[str, Any] = {"occurred_at": clock(), "received_at": clock()}
    films = [remember(f"I saw film {n}", kind=Kind.EVENT, **moments) for n in range(3)]
    await consolidator.handle(settle(forgetting_policy=ForgettingPolicy.BLENDED), *films)
    clock.advance(timedelta(days=91))
    await run(consolidator, clock)
    await consolidator.handle(forget(remembered_id(films[0])), *embedded(stores))
    assert await of_source(stores, MemorySource.CONSOLIDATION) == []
    assert stores.published.announced[-1].changes == ()
    assert "has changed" in stores.published.announced[-1].reason


async def test_an_insight_comes_and_goes_with_what_it_rests_on(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    choices = []
    for number in range(3):
        moments: dict[str, Any] = {"occurred_at": clock(), "received_at": clock()}
        words = f"We chose Rust for part {number}"
        choices.append(remember(words, kind=Kind.DECISION, entities=("Rust",), **moments))
        clock.advance(timedelta(days=1))
    await consolidator.handle(*choices)
    await run(consolidator, clock)
    await consolidator.handle(*embedded(stores))
    (insight,) = await of_source(stores, MemorySource.REFLECTION)
    assert (insight.content, insight.status) == ("Tends to choose Rust", Status.ACTIVE)
    assert {relation.type for relation in insight.relations} == {RelationType.DERIVED_FROM}

    clock.advance(timedelta(days=1))
    await run(consolidator, clock)
    assert len(embedded(stores)) == 1

    await consolidator.handle(forget(remembered_id(choices[1])))
    clock.advance(timedelta(days=1))
    await run(consolidator, clock)
    (insight,) = await of_source(stores, MemorySource.REFLECTION)
    assert (insight.status, insight.status_reason) == (Status.FORGOTTEN, WITHDRAWN)
    assert clock().date() == date(2026, 3, 7)


def worded(stores: Stores, content: str) -> list[ReflectionsProposed]:
    """Return the answers of a model to all questions for words, as the embedder sends them on."""
    questions = [
        event
        for event in stores.published.on(EXTRACTIONS)
        if isinstance(event, ReflectionRequested) and event.distillate is not None
    ]
    answers = []
    for number, question in enumerate(
        {
            reflection_requested.question_id: reflection_requested
            for reflection_requested in questions
        }.values()
    ):
        assert question.distillate is not None
        made = reword_distillate(question.distillate, f"{content}, part {number}")
        answer = ReflectionsProposed(
            question_id=question.question_id,
            provider="openai/m-1",
            reflections=(),
            distillate=made,
            **envelope(f"worded {question.question_id}", "alice", occurred_at=question.occurred_at),
        )
        vectors = tuple(vectors_of(text.dense) for text in answer.texts())
        answers.append(answer.model_copy(update={"vectors": vectors}))
    return answers


async def test_with_a_model_ten_become_a_few_in_its_words_and_then_one(
    stores: Stores, clock: SettableClock
) -> None:
    asking = Consolidator(stores, clock, asks=True)
    moments: dict[str, Any] = {"occurred_at": clock(), "received_at": clock()}
    films = [remember(f"I saw film {n}", kind=Kind.EVENT, **moments) for n in range(10)]
    await asking.handle(
        settle(compression="staged", forgetting_policy=ForgettingPolicy.BLENDED), *films
    )
    clock.advance(timedelta(days=31))
    await run(asking, clock)
    assert embedded(stores) == [], "the model is asked for the words first"
    first = worded(stores, "Used to go to the cinema")
    assert 1 < len(first) <= 3
    await asking.handle(*first, *first)
    few = [memory for memory in await stores.listed(ALICE) if memory.status is Status.ACTIVE]
    assert {memory.content for memory in few} == {
        f"Used to go to the cinema, part {number}" for number in range(len(first))
    }
    assert sum(len(memory.evidence) for memory in few) == 10

    clock.advance(timedelta(days=61))
    await run(asking, clock)
    await asking.handle(*worded(stores, "Liked films")[len(first) :])
    (one,) = [memory for memory in await stores.listed(ALICE) if memory.status is Status.ACTIVE]
    assert (one.kind, one.content) == (Kind.PATTERN, f"Liked films, part {len(first)}")
    assert len(one.evidence) == 10


async def test_words_that_come_too_late_change_nothing(
    stores: Stores, clock: SettableClock
) -> None:
    asking = Consolidator(stores, clock, asks=True)
    moments: dict[str, Any] = {"occurred_at": clock(), "received_at": clock()}
    films = [remember(f"I saw film {n}", kind=Kind.EVENT, **moments) for n in range(3)]
    await asking.handle(settle(forgetting_policy=ForgettingPolicy.BLENDED), *films)
    clock.advance(timedelta(days=91))
    await run(asking, clock)
    await asking.handle(forget(remembered_id(films[0])), *worded(stores, "Saw films"))
    assert await of_source(stores, MemorySource.CONSOLIDATION) == []

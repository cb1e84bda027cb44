"""What a model says memories show: asked by a run of maintenance, decided about like all else."""

from datetime import timedelta
from typing import Any

import pytest

from palimpsest.events.conversations import RememberRequested
from palimpsest.events.extractor_answers import ReflectionsProposed
from palimpsest.events.extractor_requests import ReflectionMemory, ReflectionRequested
from palimpsest.events.maintenance import build_daily_maintenance
from palimpsest.events.topics import EXTRACTIONS
from palimpsest.model.distillate import ProposedReflection
from palimpsest.model.errors import TransientError
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, MemoryAtVersion, MemorySource, Status
from palimpsest.model.scope import Namespace
from palimpsest.model.user import Language, Tier
from palimpsest_server.domain.reflection.model_input import NEW_ENOUGH
from palimpsest_server.domain.reflection.rule_reflections import CONFIDENCE_SHARE, WITHDRAWN
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE
from tests.support.services.consolidator.events import (
    envelope,
    forget,
    remember,
    remembered_id,
    settle,
)
from tests.support.services.consolidator.interrupting import Interrupted
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.world import Consolidator

NAMESPACE = Namespace(user_id="alice")


@pytest.fixture
def asking(stores: Stores, clock: SettableClock) -> Consolidator:
    return Consolidator(stores, clock, asks=True)


def walks(clock: SettableClock, count: int = NEW_ENOUGH, first: int = 0) -> list[RememberRequested]:
    moments: dict[str, Any] = {"occurred_at": clock(), "received_at": clock()}
    return [
        remember(f"It rained, so I trained on the {number}. floor", kind=Kind.EVENT, **moments)
        for number in range(first, first + count)
    ]


async def run(consolidator: Consolidator, clock: SettableClock) -> None:
    """On a day of its own."""
    clock.advance(timedelta(days=1))
    await consolidator.handle(
        build_daily_maintenance(NAMESPACE, clock().date(), now=clock(), epoch=0)
    )


def asked(stores: Stores) -> list[ReflectionRequested]:
    found = stores.published.on(EXTRACTIONS)
    return [
        reflection_requested
        for reflection_requested in found
        if isinstance(reflection_requested, ReflectionRequested)
    ]


def answered(
    question: ReflectionRequested, *shown: ReflectionMemory, content: str = "Trains indoors in rain"
) -> ReflectionsProposed:
    found = ProposedReflection(
        kind=Kind.INSIGHT,
        content=content,
        rests_on=tuple(
            MemoryAtVersion(memory_id=memory.memory_id, version=memory.version) for memory in shown
        ),
    )
    return ReflectionsProposed(
        question_id=question.question_id,
        provider="openai/m-1",
        reflections=(found,),
        vectors=(vectors_of(found.embedded_text),),
        **envelope(
            f"reflected {question.question_id} {content}",
            "alice",
            occurred_at=question.occurred_at,
            received_at=question.received_at,
        ),
    )


async def reflections(stores: Stores) -> list[Memory]:
    return [
        memory for memory in await stores.listed(ALICE) if memory.source is MemorySource.REFLECTION
    ]


async def test_it_is_asked_once_and_again_when_enough_has_come_since(
    asking: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await asking.handle(*walks(clock, NEW_ENOUGH - 1))
    await run(asking, clock)
    assert asked(stores) == []
    await asking.handle(*walks(clock, 1, first=50))
    await run(asking, clock)
    (question,) = asked(stores)
    assert len(question.memories) == NEW_ENOUGH
    assert {memory.memory_id for memory in question.memories} == {
        memory.id for memory in await stores.listed(ALICE)
    }
    assert (question.language, question.standing) == (Language.ENGLISH, ())
    await run(asking, clock)
    assert len(asked(stores)) == 1
    await asking.handle(*walks(clock, NEW_ENOUGH, first=100))
    await run(Consolidator(stores, clock, asks=True), clock)
    assert len(asked(stores)) == 2
    assert len(asked(stores)[1].memories) == 2 * NEW_ENOUGH


async def test_a_process_that_dies_once_it_has_asked_asks_the_same_question_again(
    stores: Stores, clock: SettableClock
) -> None:
    async def dies(_: Any, *__: Any) -> None:
        raise TransientError("killed", retry_after_seconds=1)

    dying = Interrupted(stores)
    dying.around("namespaces", "note_reflected", dies)
    process = Consolidator(dying, clock, asks=True)
    await process.handle(*walks(clock))
    with pytest.raises(TransientError):
        await run(process, clock)
    await Consolidator(stores, clock, asks=True).handle(
        build_daily_maintenance(NAMESPACE, clock().date(), now=clock(), epoch=0)
    )
    first, second = asked(stores)
    assert first.event_id == second.event_id
    assert first.question_id == second.question_id


async def test_without_a_model_or_with_memory_off_nobody_is_asked(
    consolidator: Consolidator, asking: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(*walks(clock))
    await run(consolidator, clock)
    await asking.handle(settle(memory_enabled=False))
    await run(asking, clock)
    assert asked(stores) == []


async def test_an_insight_is_made_once_and_goes_with_what_it_rests_on(
    asking: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    said = walks(clock)
    await asking.handle(*said)
    await run(asking, clock)
    (question,) = asked(stores)
    answer = answered(question, *question.memories[:3])
    await asking.handle(answer)
    (insight,) = await reflections(stores)
    assert (insight.content, insight.kind) == ("Trains indoors in rain", Kind.INSIGHT)
    bases = {memory.id: memory for memory in await stores.listed(ALICE) if memory.id != insight.id}
    least = min(bases[relation.memory_id].confidence for relation in insight.relations)
    assert insight.confidence == pytest.approx(least * CONFIDENCE_SHARE)
    point = stores.vectors._points[insight.id]
    assert point.dense == vectors_of(insight.embedded_text).dense_values()
    assert stores.published.announced[-1].reason == "reflection: reflected"

    before = await stores.state(["alice"])
    await Consolidator(stores, clock, asks=True).handle(answer, answer)
    assert await stores.state(["alice"]) == before
    other_words = answered(question, *question.memories[2::-1], content="Rain means the gym")
    await asking.handle(other_words)
    assert await reflections(stores) == [insight]
    assert stores.published.announced[-1].reason == "reflection: known already"

    await asking.handle(*walks(clock, first=100))
    await run(asking, clock)
    assert [memory_text.text for memory_text in asked(stores)[-1].standing] == [insight.content]

    basis = insight.relations[0].memory_id
    assert basis in {remembered_id(remember_requested) for remember_requested in said}
    await asking.handle(forget(basis))
    await run(asking, clock)
    (insight,) = await reflections(stores)
    assert (insight.status, insight.status_reason) == (Status.FORGOTTEN, WITHDRAWN)


async def test_an_answer_that_comes_too_late_changes_nothing_and_is_written_down(
    asking: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await asking.handle(*walks(clock))
    await run(asking, clock)
    (question,) = asked(stores)
    await asking.handle(forget(question.memories[1].memory_id))
    await asking.handle(answered(question, *question.memories[:3]))
    assert await reflections(stores) == []
    assert "has changed" in stores.published.announced[-1].reason
    nothing = answered(question, *question.memories).model_copy(
        update={"event_id": "nothing", "reflections": (), "vectors": ()}
    )
    await asking.handle(nothing)
    assert stores.published.announced[-1].reason == "reflection: nothing found"


async def test_where_all_is_full_an_insight_takes_a_place_like_any_other(
    stores: Stores, clock: SettableClock
) -> None:
    full = Consolidator(stores, clock, asks=True, tier=Tier.SEED)
    await full.handle(*walks(clock, 50))
    await run(full, clock)
    (question,) = asked(stores)
    await full.handle(answered(question, *question.memories[:3]))
    active = [memory for memory in await stores.listed(ALICE) if memory.status is Status.ACTIVE]
    assert len(active) == 50

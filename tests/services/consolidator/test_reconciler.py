from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from palimpsest.events.text_vectors import TextVectors
from palimpsest.model.change_set import ChangeSetProgress
from palimpsest.model.errors import TransientError
from palimpsest.model.memory import Status
from palimpsest_server.stores.vectors import VectorPoint
from services.consolidator import reconciler
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE
from tests.support.services.consolidator.events import forget, lives, remember, remembered_id
from tests.support.services.consolidator.interrupting import Crash, Interrupted, before
from tests.support.services.consolidator.stores import Stores, vectors_of
from tests.support.services.consolidator.world import Consolidator

Call = Callable[..., Awaitable[Any]]


@pytest.fixture
def stores() -> Stores:
    return Stores.in_memory()


async def test_what_nobody_finished_is_finished_once_it_is_old_enough(
    stores: Stores, clock: SettableClock
) -> None:
    crashing = Interrupted(stores)
    crashing.around("memories", "apply", before)
    try:
        await Consolidator(crashing, clock).handle(remember("I like tea"))
    except Crash:
        decided_at = clock()
    consolidator = Consolidator(stores, clock)
    clock.advance(timedelta(minutes=5))
    await consolidator.reconciler.finish_unfinished(decided_at)
    assert await stores.listed(ALICE) == []
    assert consolidator.counted("unfinished_change_sets") == 1
    assert consolidator.counted("oldest_unfinished_seconds") == 300
    await consolidator.reconciler.finish_unfinished(clock())
    assert len(await stores.listed(ALICE)) == 1
    assert len(stores.published.announced) == 1
    await consolidator.reconciler.finish_unfinished(clock())
    assert consolidator.counted("unfinished_change_sets") == 0


async def test_one_that_cannot_be_finished_is_named_and_stops_no_other(
    stores: Stores, clock: SettableClock
) -> None:
    tea, coffee, milk = events = [
        remember(f"I like {drink}") for drink in ("tea", "coffee", "milk")
    ]
    blind = Consolidator(stores, clock, with_vectors=False)
    await blind.handle(*events)
    tried: list[int] = []

    async def refuse_coffee(upsert: Call, points: Sequence[VectorPoint]) -> Any:
        tried.append(len(points))
        if remembered_id(coffee) in {point.id for point in points}:
            raise ValueError("I like coffee")
        return await upsert(points)

    broken = Interrupted(stores)
    broken.around("vectors", "upsert", refuse_coffee)
    consolidator = Consolidator(broken, clock)
    with capture_logs() as logs:
        for _ in range(2):
            await consolidator.reconciler.finish_unfinished(clock() + timedelta(seconds=1))

    (left,) = await stores.change_sets.unfinished(10)
    assert left.cause.event_id == coffee.event_id
    assert stores.vectors._points.keys() == {remembered_id(tea), remembered_id(milk)}
    assert tried == [3, 1, 1, 1]
    assert [(log["change_set"], log["error"]) for log in logs] == [(left.id, "ValueError")]
    assert consolidator.counted("given_up_change_sets_total") == 1


async def test_what_waits_for_vectors_hides_nothing_from_a_process_without_them(
    stores: Stores, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciler, "UNFINISHED_PER_READ", 2)
    blind = Consolidator(stores, clock, with_vectors=False)
    await blind.handle(*(remember(f"I like tea number {number}") for number in range(5)))
    crashing = Interrupted(stores)
    crashing.around("memories", "apply", before)
    with pytest.raises(Crash):
        await Consolidator(crashing, clock, with_vectors=False).handle(
            remember("I am the last", user_id="zoe")
        )

    await blind.reconciler.finish_unfinished(clock() + timedelta(seconds=1))

    progress = [change_set.progress for change_set in await stores.change_sets.unfinished(10)]
    assert progress == [ChangeSetProgress.APPLIED] * 6
    assert blind.counted("unfinished_change_sets") == 0


async def test_what_may_pass_is_given_up_by_nobody(stores: Stores, clock: SettableClock) -> None:
    await Consolidator(stores, clock, with_vectors=False).handle(remember("I like tea"))

    async def away(_call: Call, _points: Sequence[VectorPoint]) -> Any:
        raise TransientError("Qdrant does not answer")

    interrupted = Interrupted(stores)
    interrupted.around("vectors", "upsert", away)
    consolidator = Consolidator(interrupted, clock)
    with pytest.raises(TransientError):
        await consolidator.reconciler.finish_unfinished(clock() + timedelta(seconds=1))
    assert consolidator.counted("given_up_change_sets_total") == 0


async def test_what_waited_while_everything_was_embedded_anew_is_finished_with_new_vectors(
    stores: Stores, clock: SettableClock
) -> None:
    tea = remember("I like tea")
    (now,) = tea.vectors
    older = TextVectors.pack("older-8", [0.5] * 8, now.sparse())
    blind = Consolidator(stores, clock, with_vectors=False)
    assert await blind.handle(tea.model_copy(update={"vectors": (older,)})) == []
    consolidator = Consolidator(stores, clock)
    await consolidator.reconciler.finish_unfinished(clock() + timedelta(seconds=1))
    assert await stores.change_sets.unfinished(10) == []
    await consolidator.handle(*stores.published.asked_of_the_embedder())
    assert stores.vectors._points.keys() == {remembered_id(tea)}
    assert (
        stores.vectors._points[remembered_id(tea)].dense == vectors_of("I like tea").dense_values()
    )


async def test_a_projection_that_is_as_it_should_be_is_left_alone(
    stores: Stores, clock: SettableClock
) -> None:
    consolidator = Consolidator(stores, clock)
    await consolidator.handle(lives("Paris", on=1), lives("Berlin", on=5))
    assert consolidator.comparing is not None
    for _ in range(3):
        await consolidator.comparing.look()
    assert stores.published.asked_of_the_embedder() == []
    assert consolidator.counted("drift_memories") == 0


@pytest.mark.parametrize("pages", [1, 2, 3])
@pytest.mark.parametrize("looked_at", ["PAGES_PER_LOOK", "MEMORIES_PER_LOOK"])
async def test_each_memory_is_counted_once_however_many_pages_a_round_has(
    stores: Stores,
    clock: SettableClock,
    monkeypatch: pytest.MonkeyPatch,
    pages: int,
    looked_at: str,
) -> None:
    monkeypatch.setattr(reconciler, looked_at, 2)
    consolidator = Consolidator(stores, clock)
    agents = [f"agent-{number}" for number in range(pages)]
    await consolidator.handle(*(remember(f"I am the {agent}", agent_id=agent) for agent in agents))
    assert consolidator.comparing is not None
    for _ in range(4):
        await consolidator.comparing.look()
        counted = consolidator.counted("memories", kind="fact", status="active")
        assert counted in (0, pages)
    assert counted == pages


async def test_a_look_ends_where_it_has_compared_enough(
    stores: Stores, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciler, "MEMORIES_PER_LOOK", 2)
    consolidator = Consolidator(stores, clock)
    await consolidator.handle(*(remember(f"I am {n}", agent_id=f"agent-{n}") for n in range(3)))
    assert consolidator.comparing is not None

    await consolidator.comparing.look()
    assert consolidator.counted("memories", kind="fact", status="active") == 0
    await consolidator.comparing.look()
    assert consolidator.counted("memories", kind="fact", status="active") == 3


async def test_memories_whose_points_are_gone_or_old_come_back_through_the_embedder(
    stores: Stores, clock: SettableClock
) -> None:
    consolidator = Consolidator(stores, clock)
    events = [remember("I like tea"), lives("Paris", on=1), lives("Berlin", on=5)]
    await consolidator.handle(*events, remember("I am the coach", agent_id="coach"))
    before_the_loss = dict(stores.vectors._points)
    stores.vectors._points.clear()
    assert consolidator.comparing is not None
    await consolidator.comparing.look()
    assert stores.published.asked_of_the_embedder() == []
    assert consolidator.counted("drift_memories") == 4
    await consolidator.comparing.look()
    assert consolidator.counted("reprojections_total") == 4
    await consolidator.handle(*stores.published.asked_of_the_embedder())
    assert stores.vectors._points.keys() == before_the_loss.keys()
    scopes = {point.id: point.scope for point in before_the_loss.values()}
    versions = {point.id: point.version for point in before_the_loss.values()}
    assert await stores.vectors.versions(scopes) == versions
    await consolidator.comparing.look()
    assert consolidator.counted("drift_memories") == 0
    assert (await stores.change_sets.heads(["alice"]))["alice"].revision == 4


async def test_vectors_that_were_made_of_an_older_version_are_not_projected(
    stores: Stores, clock: SettableClock
) -> None:
    consolidator = Consolidator(stores, clock)
    tea = remember("I like tea")
    await consolidator.handle(tea)
    stores.vectors._points.clear()
    assert consolidator.comparing is not None
    await consolidator.comparing.look()
    await consolidator.comparing.look()
    (old,) = stores.published.asked_of_the_embedder()
    await consolidator.handle(forget(remembered_id(tea)))
    await consolidator.handle(old)
    assert stores.vectors._points == {}
    assert (await stores.listed(ALICE))[0].status is Status.FORGOTTEN


async def test_a_memory_whose_point_is_gone_gets_it_back_when_it_changes(
    stores: Stores, clock: SettableClock
) -> None:
    consolidator = Consolidator(stores, clock)
    paris = lives("Paris", on=1)
    await consolidator.handle(paris)
    stores.vectors._points.clear()
    await consolidator.handle(lives("Berlin", on=5))
    (asked,) = stores.published.asked_of_the_embedder()
    assert [(memory.memory_id, memory.version) for memory in asked.memories] == [
        (remembered_id(paris), 2)
    ]
    await consolidator.handle(asked)
    assert stores.vectors._points[remembered_id(paris)].status is Status.SUPERSEDED


async def test_nobody_gets_points_from_a_request_of_another_user(
    stores: Stores, clock: SettableClock
) -> None:
    consolidator = Consolidator(stores, clock)
    tea = remember("I like tea")
    await consolidator.handle(tea)
    points = dict(stores.vectors._points)
    stores.vectors._points.clear()
    assert consolidator.comparing is not None
    await consolidator.comparing.look()
    await consolidator.comparing.look()
    (mine,) = stores.published.asked_of_the_embedder()
    await consolidator.handle(mine.model_copy(update={"user_id": "bob"}))
    assert stores.vectors._points == {}
    await consolidator.handle(mine)
    assert stores.vectors._points == points

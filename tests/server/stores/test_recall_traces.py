"""What was returned and what of it was used meet, whichever is known first."""

from datetime import timedelta

import pytest

from palimpsest.api.recall import RecordType
from palimpsest.events.feedback import FeedbackGiven, RecallUsed
from palimpsest.model.erasure import Erasure
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.feedback import FeedbackVerdict
from palimpsest_server.domain.ranking.weight_fitting import RecallOutcome
from palimpsest_server.stores.accepted_requests import AcceptedRequest
from palimpsest_server.stores.collections import REQUESTS
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.erasure.history import HistoryEraser
from palimpsest_server.stores.memories import RecordedRecall
from palimpsest_server.stores.mongo.accepted_requests import MongoAcceptedRequests
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.memory_accesses import MongoAccesses
from palimpsest_server.stores.recall_traces import MongoRankingTraces, MongoRecallTraces
from tests.support.turns import MORNING

SIGNS = {"tea": (0.5, 1.0, 0.0, 1.0, 0.2, 0.0), "turn": (0.1, 0.0, 0.3, 0.0, 1.0, 1.0)}

pytestmark = pytest.mark.embedded


def recalled(
    recall_id: str, user_id: str = "lin", *, ranked: bool = True, agent_id: str | None = None
) -> RecordedRecall:
    return RecordedRecall(
        user_id=user_id,
        agent_id=agent_id,
        recall_id=recall_id,
        memory_ids=("tea",),
        at=MORNING,
        returned=list(SIGNS.items()) if ranked else (),
    )


def used(recall_id: str, *result_ids: str, user_id: str = "lin") -> RecallUsed:
    return RecallUsed(
        event_id=f"used {recall_id} {user_id}",
        user_id=user_id,
        occurred_at=MORNING,
        recall_id=recall_id,
        result_ids=result_ids,
    )


def judged(recall_id: str, verdict: FeedbackVerdict, *memory_ids: str) -> FeedbackGiven:
    return FeedbackGiven(
        event_id=f"judged {recall_id} {verdict}",
        user_id="lin",
        occurred_at=MORNING,
        recall_id=recall_id,
        verdict=verdict,
        memory_ids=memory_ids,
    )


def asked(
    recall_id: str, *, minutes: int = 0, user_id: str = "lin", epoch: int = 0
) -> RecordedRecall:
    return RecordedRecall(
        user_id=user_id,
        recall_id=recall_id,
        memory_ids=("tea",),
        at=MORNING + timedelta(minutes=minutes),
        asked=f"question {recall_id}",
        results=[("tea", RecordType.MEMORY, 0.5), ("turn", RecordType.TURN, 0.25)],
        epoch=epoch,
    )


async def test_what_was_asked_returned_and_used_is_read_by_its_user(
    database: MongoDatabase,
) -> None:
    # What was used may be told before it is written down that it was returned.
    told = [used("b", "turn"), used("never counted", "tea"), used("a", "tea", user_id="bob")]
    await MongoAcceptedRequests(database).accept(told, now=MORNING)
    await MongoAccesses(database).count(
        [asked("a"), asked("b", minutes=1), asked("c", minutes=1), asked("d", user_id="bob")]
    )
    traces = MongoRecallTraces(database)
    recall_traces = await traces.page("lin", limit=9)
    assert recall_traces[-1].recall_id == "a"
    assert {trace.recall_id for trace in recall_traces} == {"a", "b", "c"}
    b = next(trace for trace in recall_traces if trace.recall_id == "b")
    assert (b.asked, b.asked_at) == ("question b", MORNING + timedelta(minutes=1))
    assert [(result.id, result.record, result.score) for result in b.results] == [
        ("tea", RecordType.MEMORY, 0.5),
        ("turn", RecordType.TURN, 0.25),
    ]
    assert (b.used, b.used_at) == (("turn",), MORNING)
    assert [trace.used for trace in recall_traces if trace.recall_id != "b"] == [(), ()]
    pages = [await traces.page("lin", limit=1, after=after.recall_id) for after in recall_traces]
    assert pages == [[recall_traces[1]], [recall_traces[2]], []]
    with pytest.raises(RecordNotFound):
        await traces.page("lin", limit=1, after="d")


async def test_of_an_older_epoch_no_trace_is_read(database: MongoDatabase) -> None:
    await MongoAccesses(database).count([asked("before"), asked("since", epoch=1)])
    traces = MongoRecallTraces(database)
    (trace,) = await traces.page("lin", limit=9, epoch=1)
    assert trace.recall_id == "since"
    with pytest.raises(RecordNotFound):
        await traces.page("lin", limit=9, epoch=1, after="before")


async def test_it_is_gone_thirty_days_after_it_was_asked_counted_or_not(
    database: MongoDatabase,
) -> None:
    later = MORNING + timedelta(days=30, minutes=2)
    helpful = judged("old", FeedbackVerdict.HELPFUL, "tea")
    await MongoAcceptedRequests(database).accept(
        [used("old", "tea"), used("of no recall", "tea"), helpful], now=MORNING
    )
    await MongoAccesses(database).count([asked("old"), asked("new", minutes=9)])
    assert await database.delete_expired(later) == 3
    assert [
        trace.recall_id for trace in await MongoRecallTraces(database).page("lin", limit=9)
    ] == ["new"]
    # A verdict is no trace.
    assert [one["type"] async for one in database.collection(REQUESTS).find()] == ["FeedbackGiven"]


async def test_of_what_was_erased_nobody_reads_that_it_was_asked_for(
    database: MongoDatabase,
) -> None:
    await MongoAccesses(database).count([asked("a"), asked("d", user_id="bob")])
    erasure = Erasure(epoch=0, memory_ids=("gone",), turn_ids=("turn",))
    decided = DecidedErasure(
        id="c",
        user_id="lin",
        revision=5,
        erasure=erasure,
        decided_at=MORNING,
        known_since=MORNING,
    )
    await HistoryEraser(database).erase(decided)
    traces = MongoRecallTraces(database)
    assert [trace.asked for trace in await traces.page("lin", limit=9)] == ["[erased]"]
    assert [trace.asked for trace in await traces.page("bob", limit=9)] == ["question d"]


async def test_what_was_used_is_joined_to_what_was_returned(database: MongoDatabase) -> None:
    told: list[AcceptedRequest] = [
        used("by a reply", "turn"),
        used("never counted", "tea"),
        used("by other formulas", "tea"),
        used("of another", "tea", user_id="bob"),
        judged("by a person", FeedbackVerdict.HELPFUL, "tea"),
        judged("wrong", FeedbackVerdict.WRONG, "tea"),
        judged("nobody said which", FeedbackVerdict.HELPFUL, "tea", "coffee"),
    ]
    await MongoAcceptedRequests(database).accept(told, now=MORNING)
    counted = ("by a reply", "by a person", "wrong", "nobody said which", "of another", "unused")
    await MongoAccesses(database).count(
        [*map(recalled, counted), recalled("by other formulas", ranked=False)]
    )
    traces = {trace.recall_id: trace for trace in await MongoRankingTraces(database).all()}
    assert traces == {
        "by a reply": RecallOutcome("by a reply", SIGNS, frozenset({"turn"})),
        "by a person": RecallOutcome("by a person", SIGNS, frozenset({"tea"})),
    }


async def test_the_recalls_of_one_agent_are_read_by_themselves(database: MongoDatabase) -> None:
    accesses, traces = MongoAccesses(database), MongoRecallTraces(database)
    await accesses.count(
        [recalled("a", agent_id="poet"), recalled("b", agent_id="cook"), recalled("c")]
    )
    poets = await traces.page("lin", agent_id="poet", limit=10)
    assert [trace.recall_id for trace in poets] == ["a"]
    assert {trace.recall_id for trace in await traces.page("lin", limit=10)} == {"a", "b", "c"}
    # Whether another agent has a recall of this id is not told.
    for named in ("b", "c", "unknown"):
        with pytest.raises(RecordNotFound):
            await traces.page("lin", agent_id="poet", limit=10, after=named)

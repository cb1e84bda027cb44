"""What was returned and what of it was used meet, whichever is known first."""

import pytest

from palimpsest.contracts.feedback import FeedbackGiven, RecallUsed
from palimpsest.domain.evolution.feedback import Verdict
from palimpsest.domain.ranking.tuning import Trace
from palimpsest.stores.memories import Access
from palimpsest.stores.memories_accesses import MongoAccesses
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.requests import AcceptedRequest
from palimpsest.stores.requests_mongo import MongoRequests
from palimpsest.stores.traces import MongoTraces
from tests.turns import MORNING

SIGNS = {"tea": (0.5, 1.0, 0.0, 1.0, 0.2, 0.0), "turn": (0.1, 0.0, 0.3, 0.0, 1.0, 1.0)}

pytestmark = pytest.mark.embedded


def recalled(recall_id: str, user_id: str = "lin", *, ranked: bool = True) -> Access:
    return Access(
        user_id=user_id,
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


def judged(recall_id: str, verdict: Verdict, *memory_ids: str) -> FeedbackGiven:
    return FeedbackGiven(
        event_id=f"judged {recall_id} {verdict}",
        user_id="lin",
        occurred_at=MORNING,
        recall_id=recall_id,
        verdict=verdict,
        memory_ids=memory_ids,
    )


async def test_what_was_used_is_joined_to_what_was_returned(database: MongoDatabase) -> None:
    told: list[AcceptedRequest] = [
        used("by a reply", "turn"),
        used("never counted", "tea"),
        used("by other formulas", "tea"),
        used("of another", "tea", user_id="bob"),
        judged("by a person", Verdict.HELPFUL, "tea"),
        judged("wrong", Verdict.WRONG, "tea"),
        judged("nobody said which", Verdict.HELPFUL, "tea", "coffee"),
    ]
    await MongoRequests(database).accept(told, now=MORNING)
    counted = ("by a reply", "by a person", "wrong", "nobody said which", "of another", "unused")
    await MongoAccesses(database).count(
        [*map(recalled, counted), recalled("by other formulas", ranked=False)]
    )
    traces = {trace.recall_id: trace for trace in await MongoTraces(database).all()}
    assert traces == {
        "by a reply": Trace("by a reply", SIGNS, frozenset({"turn"})),
        "by a person": Trace("by a person", SIGNS, frozenset({"tea"})),
    }

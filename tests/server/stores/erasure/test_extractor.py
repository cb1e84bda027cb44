"""What a model took stays in the deployment's account when its user is erased, as nobody's."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from palimpsest.events.extractor_requests import SummaryRequested
from palimpsest.model.erasure import Erasure
from palimpsest.model.session_summary import summary_id
from palimpsest.model.usage import sum_usage
from palimpsest.model.user import UserSettings
from palimpsest_server.stores.collections import MODEL_CALLS
from palimpsest_server.stores.decided_erasures import DecidedErasure
from palimpsest_server.stores.erasure.extractor import ExtractorEraser
from palimpsest_server.stores.mongo.chunked_writes import DOCUMENTS_PER_CHUNK
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.ledger import MongoLedger
from palimpsest_server.stores.mongo.turns import MongoTurns
from palimpsest_server.stores.mongo.usage import MongoUsage
from palimpsest_server.stores.summary_needs import MongoSummaryNeeds
from palimpsest_server.stores.turns import TurnPlacement
from tests.support.clock import SettableClock
from tests.support.stores.model_calls import call
from tests.support.turns import MORNING, turn

MARCH: dict[str, Any] = {"since": date(2026, 3, 1), "until": date(2026, 3, 31)}


@pytest.mark.embedded
async def test_whatever_names_the_user_goes_and_the_figures_stay(
    database: MongoDatabase, clock: SettableClock
) -> None:
    usage, eraser = (
        MongoUsage(database),
        ExtractorEraser(database, MongoLedger(database), MongoSummaryNeeds(database), clock),
    )
    calls = [call(f"c{number}", user_id="canary") for number in range(DOCUMENTS_PER_CHUNK + 1)]
    for model_call in calls:
        await usage.begin(model_call)
    await usage.end([*calls, call("not hers", user_id="ben")])
    now = datetime(2026, 3, 3, tzinfo=UTC)
    erasure = Erasure(everything=True, epoch=1)
    decided = DecidedErasure(
        id="e", user_id="canary", revision=1, erasure=erasure, decided_at=now, known_since=now
    )
    for _ in range(2):
        await eraser.erase(decided)
    kept = await database.collection(MODEL_CALLS).find({}).to_list(None)
    assert len(kept) == len(calls)
    assert "canary" not in str(kept)
    assert sum_usage(await usage.rows(user_id="canary", **MARCH)).calls == 0
    assert sum_usage(await usage.rows(**MARCH)).calls == len(calls)


def asked_of(session: str) -> SummaryRequested:
    return SummaryRequested(
        event_id=f"about {session}",
        occurred_at=MORNING,
        received_at=MORNING,
        epoch=0,
        user_id="lin",
        session_id=session,
        question_id=f"about {session}",
        through=1,
        settings=UserSettings(),
    )


@pytest.mark.embedded
async def test_only_of_a_session_whose_messages_go_the_account_is_dropped_and_asked_for_anew(
    database: MongoDatabase, clock: SettableClock
) -> None:
    ledger, needs = MongoLedger(database), MongoSummaryNeeds(database)
    gone, other = turn(1, session_id="s"), turn(1, session_id="other")
    await MongoTurns(database).place(
        [TurnPlacement(one, accepted=False) for one in (gone, other)], now=clock()
    )
    await ledger.write_down([asked_of("s"), asked_of("other")], now=clock())
    erasure = Erasure(epoch=0, turn_ids=(gone.id,), summary_ids=(summary_id("lin", "s"),))
    decided = DecidedErasure(
        id="e", user_id="lin", revision=1, erasure=erasure, decided_at=clock(), known_since=clock()
    )
    for _ in range(2):
        await ExtractorEraser(database, ledger, needs, clock).erase(decided)
    left = await ledger.lease(limit=9, until=clock() + timedelta(minutes=1), now=clock())
    assert [model_request_lease.request_id for model_request_lease in left] == ["about other"]
    (need,) = await needs.waiting(limit=9)
    assert (need.session_id, need.anew, need.through) == ("s", "e", 1)

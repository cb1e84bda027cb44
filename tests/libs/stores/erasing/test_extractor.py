"""What a model took stays in the deployment's account when its user is erased, as nobody's."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from palimpsest.contracts.collections import MODEL_CALLS
from palimpsest.contracts.questions import SummaryRequested
from palimpsest.domain.erasure import Erasure
from palimpsest.domain.summaries.summary import summary_id
from palimpsest.domain.usage import total
from palimpsest.domain.user import UserSettings
from palimpsest.stores.erasing.chunks import AT_ONCE
from palimpsest.stores.erasing.extractor import ExtractorEraser
from palimpsest.stores.erasures import DecidedErasure
from palimpsest.stores.ledger_mongo import MongoLedger
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.summary_needs import MongoSummaryNeeds
from palimpsest.stores.turns import Placement
from palimpsest.stores.turns_mongo import MongoTurns
from palimpsest.stores.usage_mongo import MongoUsage
from tests.conftest import SettableClock
from tests.libs.stores.test_usage import call
from tests.turns import MORNING, turn

MARCH: dict[str, Any] = {"since": date(2026, 3, 1), "until": date(2026, 3, 31)}


@pytest.mark.embedded
async def test_whatever_names_the_user_goes_and_the_figures_stay(
    database: MongoDatabase, clock: SettableClock
) -> None:
    usage, eraser = (
        MongoUsage(database),
        ExtractorEraser(database, MongoLedger(database), MongoSummaryNeeds(database), clock),
    )
    calls = [call(f"c{number}", user_id="canary") for number in range(AT_ONCE + 1)]
    for each in calls:
        await usage.begin(each)
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
    assert total(await usage.rows(user_id="canary", **MARCH)).calls == 0
    assert total(await usage.rows(**MARCH)).calls == len(calls)


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
        [Placement(one, accepted=False) for one in (gone, other)], now=clock()
    )
    await ledger.write_down([asked_of("s"), asked_of("other")], now=clock())
    erasure = Erasure(epoch=0, turn_ids=(gone.id,), summary_ids=(summary_id("lin", "s"),))
    decided = DecidedErasure(
        id="e", user_id="lin", revision=1, erasure=erasure, decided_at=clock(), known_since=clock()
    )
    for _ in range(2):
        await ExtractorEraser(database, ledger, needs, clock).erase(decided)
    left = await ledger.lease(limit=9, until=clock() + timedelta(minutes=1), now=clock())
    assert [one.request_id for one in left] == ["about other"]
    (need,) = await needs.waiting(limit=9)
    assert (need.session_id, need.anew, need.through) == ("s", "e", 1)

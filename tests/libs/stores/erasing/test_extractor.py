"""What a model took stays in the deployment's account when its user is erased, as nobody's."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from palimpsest.contracts.collections import MODEL_CALLS
from palimpsest.domain.erasure import Erasure
from palimpsest.domain.usage import total
from palimpsest.stores.erasing.chunks import AT_ONCE
from palimpsest.stores.erasing.extractor import ExtractorEraser
from palimpsest.stores.erasures import DecidedErasure
from palimpsest.stores.ledger_mongo import MongoLedger
from palimpsest.stores.mongo import MongoDatabase
from palimpsest.stores.usage_mongo import MongoUsage
from tests.conftest import SettableClock
from tests.libs.stores.test_usage import call

MARCH: dict[str, Any] = {"since": date(2026, 3, 1), "until": date(2026, 3, 31)}


@pytest.mark.embedded
async def test_whatever_names_the_user_goes_and_the_figures_stay(
    database: MongoDatabase, clock: SettableClock
) -> None:
    usage, eraser = MongoUsage(database), ExtractorEraser(database, MongoLedger(database), clock)
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

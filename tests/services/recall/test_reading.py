from datetime import datetime, timedelta

import pytest

from palimpsest.domain.ranking.signs import signs_of_summary
from palimpsest.domain.scope import Scope
from palimpsest.domain.summaries.summary import SessionSummary
from services.recall.reading import Sight, why_not_told
from tests.libs.domain.evolution.samples import day

SCOPE = Scope(user_id="alice")
SUMMARY = SessionSummary(
    id="summary",
    scope=SCOPE,
    session_id="s",
    text="She moved to Lyon.",
    made_by="local",
    message_count=2,
    through=2,
    started_at=day(9),
    ended_at=day(10),
    made_at=day(10),
    expires_at=day(100),
    epoch=0,
)


@pytest.mark.parametrize(
    ("as_of", "why"), [(None, None), (day(10), None), (day(10) - timedelta(hours=1), "said_later")]
)
def test_of_a_conversation_that_was_still_to_end_nothing_is_told_as_of_before(
    as_of: datetime | None, why: str | None
) -> None:
    sight = Sight(scopes=(SCOPE,), kinds=None, epoch=0, now=day(20), as_of=as_of)
    assert why_not_told(SUMMARY, sight) == why


@pytest.mark.parametrize(
    ("since", "until", "why"),
    [
        (day(9), day(11), None),
        (day(10), None, None),
        (day(11), None, "other_time"),
        (None, day(10), "other_time"),
        (None, day(10) + timedelta(seconds=1), None),
    ],
)
def test_a_conversation_is_of_the_time_at_which_it_ended(
    since: datetime | None, until: datetime | None, why: str | None
) -> None:
    sight = Sight(scopes=(SCOPE,), kinds=None, epoch=0, now=day(20), since=since, until=until)
    assert why_not_told(SUMMARY, sight) == why
    at = signs_of_summary(SUMMARY).at
    assert at == int(SUMMARY.ended_at.timestamp())

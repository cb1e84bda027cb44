"""A year after it was forgotten, and not a day before."""

from datetime import datetime, timedelta

import pytest

from palimpsest.model.memory import Status
from palimpsest_server.domain.forgetting.purge import select_purgeable
from tests.support.server.domain.consolidation.samples import day
from tests.support.server.domain.forgetting.standings import memory

A_YEAR_LATER = day(0) + timedelta(days=365)


@pytest.mark.parametrize(
    ("status", "changed", "is_over"),
    [
        (Status.FORGOTTEN, day(0), True),
        (Status.FORGOTTEN, day(0) + timedelta(seconds=1), False),
        (Status.FORGOTTEN, None, False),
        (Status.ARCHIVED, day(0), False),
        (Status.ACTIVE, day(0), False),
    ],
)
def test_only_what_is_forgotten_and_untouched_for_a_year_is_over(
    status: Status, changed: datetime | None, is_over: bool
) -> None:
    one = memory("likes rain", status=status)
    known = {} if changed is None else {one.id: changed}
    assert bool(select_purgeable([one], known, now=A_YEAR_LATER)) is is_over

"""The bar of a memory tells what share of the time it held."""

from datetime import UTC, datetime

import pytest

from services.page.memories.validity import measure_validity
from tests.support.server.domain.consolidation.samples import ALICE
from tests.support.server.stores.memories import memory

MARCH, APRIL, MAY = (datetime(2026, month, 1, tzinfo=UTC) for month in (3, 4, 5))


@pytest.mark.parametrize(
    ("begin", "end", "now", "held", "place"),
    [
        (MARCH, None, MAY, 100, 100),
        (MARCH, APRIL, MAY, 50.8, 100),
        (MARCH, MAY, APRIL, 100, 50.8),
        (MARCH, MARCH, MAY, 3, 100),
        (MAY, None, MAY, 100, 100),
        (MAY, None, MARCH, 100, 100),
    ],
)
def test_the_bar_reaches_to_the_end_or_to_now(
    begin: datetime, end: datetime | None, now: datetime, held: float, place: float
) -> None:
    shown = memory(scope=ALICE).model_copy(update={"valid_from": begin, "valid_until": end})
    bar = measure_validity(shown, now)
    assert (round(bar.held, 1), round(bar.now, 1)) == (held, place)

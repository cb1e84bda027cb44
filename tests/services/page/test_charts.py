"""Geometry of charts: nothing leaves its field, and every figure is told in a table as well."""

from datetime import date, timedelta

import pytest

from palimpsest.api.resources import QuotaState
from palimpsest.model.usage import UsageRow, UsageSum
from palimpsest.model.user import Tier
from services.page.charts import (
    MAXIMUM_POINTS,
    lay_out_bars,
    lay_out_columns,
    lay_out_growth,
)
from services.page.views.ledger import DEFAULT_PERIOD, parse_period, sum_tokens
from services.page.views.statistics import compute_share

MONDAY = date(2026, 3, 2)


def test_bars_are_as_long_as_their_share_of_the_longest() -> None:
    bars = lay_out_bars({"fact": 5, "goal": 10, "event": 0, "person": 1})
    assert [(bar.name, bar.percent) for bar in bars] == [
        ("goal", 100.0),
        ("fact", 50.0),
        ("person", 10.0),
    ]
    assert lay_out_bars({}) == ()


def test_growth_is_summed_by_day_and_told_by_month() -> None:
    growth = lay_out_growth({date(2026, 1, 31): 1, date(2026, 2, 1): 3}, date(2026, 2, 2))
    assert growth is not None
    assert growth.line == "M0 75 L50 0 L100 0"
    assert growth.area == "M0 75 L50 0 L100 0 L100 100 L0 100 Z"
    assert growth.months == (("2026-02", 3, 4), ("2026-01", 1, 1))
    assert (growth.first, growth.last, growth.total) == (date(2026, 1, 31), date(2026, 2, 2), 4)


def test_growth_of_one_day_is_a_level_line_and_of_none_nothing() -> None:
    growth = lay_out_growth({MONDAY: 7}, MONDAY)
    assert growth is not None
    assert growth.line == "M0 0 L100 0"
    assert lay_out_growth({}, MONDAY) is None


@pytest.mark.parametrize("days", [MAXIMUM_POINTS, MAXIMUM_POINTS + 1, 5_000])
def test_years_are_thinned_out_and_end_with_the_sum(days: int) -> None:
    growth = lay_out_growth({MONDAY: 1, MONDAY + timedelta(days=days - 1): 1}, MONDAY)
    assert growth is not None
    assert growth.line.count("L") <= MAXIMUM_POINTS
    assert growth.line.endswith("L100 0")


def test_columns_stand_at_their_day() -> None:
    tuesday = MONDAY + timedelta(days=1)
    columns = lay_out_columns(
        {tuesday: 10, MONDAY: 5, MONDAY - timedelta(days=9): 1}, MONDAY, tuesday
    )
    assert [(column.day, column.x, column.height, column.y) for column in columns] == [
        (MONDAY, 5.0, 50.0, 50.0),
        (tuesday, 55.0, 100.0, 0.0),
    ]
    assert lay_out_columns({}, MONDAY, tuesday) == ()
    assert lay_out_columns({MONDAY: 1}, tuesday, MONDAY) == ()


def test_tokens_of_a_day_are_those_sent_and_received() -> None:
    rows = [
        UsageRow(
            day=MONDAY,
            task=task,
            model="m",
            sum=UsageSum(calls=1, input_tokens=10, output_tokens=3),
        )
        for task in ("extraction", "summary")
    ]
    assert sum_tokens(rows) == {MONDAY: 26}


@pytest.mark.parametrize(
    ("written", "days"), [("7", 7), ("8", DEFAULT_PERIOD), (None, DEFAULT_PERIOD)]
)
def test_only_known_periods_count(written: str | None, days: int) -> None:
    assert parse_period(written) == days


@pytest.mark.parametrize(
    ("current", "limit", "share"), [(5, 10, 50.0), (20, 10, 100.0), (5, None, 0)]
)
def test_the_share_of_a_quota_is_at_most_all_of_it(
    current: int, limit: int | None, share: float
) -> None:
    quota = QuotaState(tier=Tier.SEED, current=current, limit=limit, can_add=True)
    assert compute_share(quota) == share

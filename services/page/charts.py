"""Geometry of charts. Shapes are drawn on a field of 100 by 100 that is stretched to its place.

Words stand beside the shapes as text, so that they are read, scaled and translated like all others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

MAXIMUM_POINTS = 200
"""The most points of a line; more could not be told apart."""


@dataclass(frozen=True)
class Bar:
    """One row of a bar chart."""

    name: str
    value: float
    percent: float
    """The length of the bar, 0 to 100; the longest bar has 100."""


def lay_out_bars(values: Mapping[str, float]) -> tuple[Bar, ...]:
    """Return a bar for each value that is not 0, the longest first."""
    longest = max(values.values(), default=0)
    ordered = sorted(values.items(), key=lambda item: (-item[1], item[0]))
    return tuple(
        Bar(name, value, max(1.0, round(100 * value / longest, 2)))
        for name, value in ordered
        if value
    )


@dataclass(frozen=True)
class Growth:
    """A number that grew over days, as a line and as a table by month."""

    line: str
    """The path of the line."""
    area: str
    """The path of the area below the line."""
    first: date
    last: date
    total: int
    months: tuple[tuple[str, int, int], ...]
    """Months with what came in them, and the sum at their end, the latest first."""


def lay_out_growth(by_day: Mapping[date, int], today: date) -> Growth | None:
    """Return how a sum grew from the first day until today; None if nothing came."""
    if not by_day:
        return None
    first = min(by_day)
    last = max(today, *by_day)
    sums = _sum_days(by_day, first, last)
    total = sums[-1]
    points = [
        (_scale(number, len(sums) - 1), round(100 - 100 * value / total, 2))
        for number, value in _thin_out(sums)
    ]
    if len(points) == 1:
        points = [(0.0, points[0][1]), (100.0, points[0][1])]
    line = "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
    return Growth(
        line=line,
        area=f"{line} L100 100 L0 100 Z",
        first=first,
        last=last,
        total=total,
        months=_sum_months(by_day),
    )


def _sum_days(by_day: Mapping[date, int], first: date, last: date) -> list[int]:
    sums: list[int] = []
    total = 0
    for number in range((last - first).days + 1):
        total += by_day.get(first + timedelta(days=number), 0)
        sums.append(total)
    return sums


def _thin_out(sums: Sequence[int]) -> list[tuple[int, int]]:
    """Return at most as many numbered sums as can be told apart, the last one included."""
    step = max(1, -(-len(sums) // MAXIMUM_POINTS))
    kept = list(range(0, len(sums), step))
    if kept[-1] != len(sums) - 1:
        kept.append(len(sums) - 1)
    return [(number, sums[number]) for number in kept]


def _scale(number: int, most: int) -> float:
    return round(100 * number / most, 2) if most else 0.0


def _sum_months(by_day: Mapping[date, int]) -> tuple[tuple[str, int, int], ...]:
    months: dict[str, int] = {}
    for day in sorted(by_day):
        month = f"{day:%Y-%m}"
        months[month] = months.get(month, 0) + by_day[day]
    total = 0
    rows = []
    for month, count in months.items():
        total += count
        rows.append((month, count, total))
    return tuple(reversed(rows))


@dataclass(frozen=True)
class Column:
    """One day of a column chart."""

    day: date
    value: float
    x: float
    width: float
    y: float
    height: float


def lay_out_columns(by_day: Mapping[date, float], since: date, until: date) -> tuple[Column, ...]:
    """Return a column for each day that has a value, in their place between two days."""
    days = (until - since).days + 1
    highest = max(by_day.values(), default=0)
    if days < 1 or not highest:
        return ()
    width = 100 / days
    columns = []
    for day in sorted(by_day):
        if not by_day[day] or not since <= day <= until:
            continue
        height = max(1.0, round(100 * by_day[day] / highest, 2))
        x = round((day - since).days * width + width * 0.1, 3)
        columns.append(
            Column(day, by_day[day], x, round(width * 0.8, 3), round(100 - height, 2), height)
        )
    return tuple(columns)

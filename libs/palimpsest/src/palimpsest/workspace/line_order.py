"""Places of lines in a section: which lines were moved, and the places that keep them there."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from palimpsest.workspace.file_contents import STEP


def find_moved(before: Sequence[str], after: Sequence[str]) -> frozenset[str]:
    """Return the fewest lines whose move explains the new order of the lines that stand in both."""
    places = {line_id: place for place, line_id in enumerate(before)}
    common = [line_id for line_id in after if line_id in places]
    unmoved = find_longest_rise([places[line_id] for line_id in common])
    return frozenset(line_id for place, line_id in enumerate(common) if place not in unmoved)


def find_longest_rise(numbers: Sequence[int]) -> frozenset[int]:
    """Return the positions of a longest strictly rising subsequence."""
    lowest_ends: list[int] = []
    ends_at: list[int] = []
    previous: list[int | None] = []
    for position, number in enumerate(numbers):
        length = bisect_left(lowest_ends, number)
        previous.append(ends_at[length - 1] if length else None)
        lowest_ends[length : length + 1] = [number]
        ends_at[length : length + 1] = [position]
    chosen: set[int] = set()
    position_or_none = ends_at[-1] if ends_at else None
    while position_or_none is not None:
        chosen.add(position_or_none)
        position_or_none = previous[position_or_none]
    return frozenset(chosen)


def assign_places(lines: Sequence[str], places: Mapping[str, int]) -> Mapping[str, int]:
    """Return new places, so that the lines of a section stand in this order.

    Args:
        lines: the lines in the order of the file.
        places: the places of those that were not moved; the others get one. Of these, places that
            do not rise are replaced too.

    Returns:
        The places to be changed, by line. New lines at the end need none: they are the latest.
    """
    placed = [line for line in lines if line in places]
    rising = find_longest_rise([places[line] for line in placed])
    fixed = {line: places[line] for position, line in enumerate(placed) if position in rising}
    assigned: dict[str, int] = {}
    low: int | None = None
    run: list[str] = []
    for line in lines:
        has_no_room = line in fixed and low is not None and fixed[line] - low <= len(run)
        if line not in fixed or has_no_room:
            run.append(line)
        else:
            assigned |= _fill(run, low, fixed[line])
            low, run = fixed[line], []
    return assigned | _fill(run, low, None)


def _fill(run: Sequence[str], low: int | None, high: int | None) -> dict[str, int]:
    if low is None and high is None:
        return {line: number * STEP for number, line in enumerate(run)}
    if high is None:
        start, step = low or 0, STEP
    elif low is None:
        start, step = high - (len(run) + 1) * STEP, STEP
    else:
        start, step = low, (high - low) // (len(run) + 1)
    return {line: start + number * step for number, line in enumerate(run, 1)}

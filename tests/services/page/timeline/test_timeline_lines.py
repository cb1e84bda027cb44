"""Lines of the timeline: attributes in lanes, the most changed first, then kinds."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.memory import Memory
from services.page.timeline.timeline_lines import (
    MOST_LANES,
    WHOLE,
    LabelSide,
    TimeStretch,
    build_timeline,
    find_busy_stretch,
    find_stretch,
)
from tests.support.server.domain.consolidation.samples import ALICE
from tests.support.server.stores.memories import memory

MARCH, APRIL, MAY = (datetime(2026, month, 1, tzinfo=UTC) for month in (3, 4, 5))


def held(value: str, begin: datetime, end: datetime | None = None, **fields: object) -> Memory:
    return memory(value, id=value, scope=ALICE).model_copy(
        update={"value": value, "valid_from": begin, "valid_until": end, **fields}
    )


def test_values_of_one_attribute_stand_on_one_line_one_after_another() -> None:
    memories = [
        held("Boston", MARCH, APRIL, attribute="city", subject="user"),
        held("Denver", APRIL, attribute="city", subject="user"),
        held("tea", MARCH, attribute="likes", subject="user"),
    ]
    stretch = find_stretch(memories, MAY)
    city, likes = build_timeline(memories, stretch)
    assert (city.attribute, city.subject, city.lanes) == ("city", None, 1)
    assert [interval.label for interval in city.intervals] == ["Boston", "Denver"]
    first, second = city.intervals
    assert first.begin == 0
    assert first.begin + first.length == second.begin
    assert second.begin + second.length == WHOLE
    assert likes.attribute == "likes"


def test_values_that_hold_side_by_side_stand_in_lanes() -> None:
    memories = [held(str(number), MARCH, attribute="likes") for number in range(MOST_LANES + 3)]
    (line,) = build_timeline(memories, find_stretch(memories, MAY))
    assert line.lanes == MOST_LANES
    assert line.left_out == 3


def test_memories_without_an_attribute_stand_on_the_line_of_their_kind() -> None:
    plain = held("plain", MARCH, attribute=None)
    (line,) = build_timeline([plain], find_stretch([plain], MAY))
    assert (line.kind, line.attribute) == (plain.kind, None)


@given(st.floats(0, WHOLE))
def test_a_place_and_its_moment_belong_together(place: float) -> None:
    stretch = TimeStretch(MARCH, MAY)
    assert abs(stretch.place(stretch.moment(place)) - place) < 1e-3


def test_one_far_event_does_not_squeeze_all_others() -> None:
    near = [held(str(number), MAY, attribute="likes") for number in range(9)]
    far = held("school", datetime(2009, 9, 1, tzinfo=UTC), attribute="school")
    now = datetime(2026, 5, 8, tzinfo=UTC)
    busy = find_busy_stretch([far, *near], now)
    assert busy is not None
    assert busy.begin.year == 2026
    assert busy.begin <= MAY < now <= busy.end
    assert find_busy_stretch(near, now) is None
    assert find_busy_stretch([far, near[0]], now) is None
    line = build_timeline([near[0]], TimeStretch(datetime(2025, 5, 1, tzinfo=UTC), now))[0]
    assert line.intervals[0].label_side is LabelSide.BEFORE


def test_labels_of_short_intervals_never_stand_on_each_other() -> None:
    days = [datetime(2026, 3, day, tzinfo=UTC) for day in (1, 2, 3, 20, 21)]
    stretch = TimeStretch(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 30, tzinfo=UTC))
    short = [
        held(str(number), day, day + timedelta(days=1), attribute="mood")
        for number, day in enumerate(days)
    ]
    (line,) = build_timeline(short, stretch)
    sides = [interval.label_side for interval in line.intervals]
    assert sides == [LabelSide.AFTER] * 3 + [LabelSide.BEFORE] * 2
    taken: dict[int, float] = {}
    for interval in line.intervals:
        is_before = interval.label_side is LabelSide.BEFORE
        begin = interval.begin - (interval.room if is_before else 0)
        assert begin >= taken.get(interval.lane, 0.0) - 1e-9
        assert interval.room >= 12
        end = interval.begin + interval.length
        taken[interval.lane] = end if is_before else end + interval.room

from datetime import date

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.quality_report import RecallProbe
from palimpsest_server.domain.reports.quality import build_quality_report, merge_quality_reports
from palimpsest_server.domain.reports.recall_probe import (
    PROBED,
    build_probe_question,
    select_probe_memories,
)
from tests.support.server.domain.forgetting.standings import memory

DAY = date(2026, 8, 31)

MEMORIES = [
    memory("I like tea", id="1", kind=Kind.PREFERENCE, importance=0.9),
    memory("I like  tea!", id="2", kind=Kind.PREFERENCE, importance=0.5),
    memory("I don't like tea", id="3", kind=Kind.PREFERENCE, importance=0.4),
    memory("I have a boat", id="4", kind=Kind.FACT, importance=0.2),
    memory("gone", id="5", status=Status.FORGOTTEN),
    memory("no", id="6", status=Status.REJECTED),
]


def test_a_namespace_in_figures() -> None:
    report = build_quality_report(MEMORIES, day=DAY, drift=1, probe=RecallProbe(asked=4, found=3))
    assert report.by_kind == {Kind.PREFERENCE: 3, Kind.FACT: 1}
    assert report.by_status == {Status.ACTIVE: 4, Status.FORGOTTEN: 1, Status.REJECTED: 1}
    assert (report.contradictions, report.duplicates) == (2, 1)
    assert (report.forgotten_share, report.average_importance) == (0.2, 0.5)


def test_nothing_in_figures() -> None:
    report = build_quality_report([], day=DAY, drift=None, probe=None)
    assert (report.forgotten_share, report.average_importance, report.drift) == (0, 0, None)
    assert merge_quality_reports([]) is None


def test_several_are_weighed_by_what_is_in_them() -> None:
    report = build_quality_report(MEMORIES, day=DAY, drift=1, probe=RecallProbe(asked=4, found=3))
    other = build_quality_report([MEMORIES[0]], day=date(2026, 9, 1), drift=None, probe=None)
    both = merge_quality_reports([report, other])
    assert both is not None
    assert both.average_importance == pytest.approx((0.5 * 4 + 0.9) / 5)
    assert both.forgotten_share == pytest.approx(1 / 6, abs=1e-4)
    assert (both.by_kind[Kind.PREFERENCE], both.drift, both.day) == (4, 1, date(2026, 9, 1))
    assert both.probe == RecallProbe(asked=4, found=3)


@pytest.mark.parametrize(
    ("asked_for", "question"),
    [
        (
            memory("I live in Rome", subject="Ann", attribute="home_town", value="Rome"),
            "Ann home town",
        ),
        (memory("I have a small red boat"), "I have a"),
        (memory("我养了一只猫"), "我养了"),
    ],
)
def test_a_memory_is_asked_for_without_saying_all_of_it(asked_for: Memory, question: str) -> None:
    assert build_probe_question(asked_for) == question


def test_twenty_are_asked_for_and_others_on_the_next_day() -> None:
    many = [memory(f"number {number}") for number in range(60)]
    today, tomorrow = (
        select_probe_memories(many, DAY),
        select_probe_memories(reversed(many), date(2026, 9, 1)),
    )
    assert len(today) == len(tomorrow) == PROBED
    assert today == select_probe_memories(reversed(many), DAY)
    assert {one.id for one in today} != {one.id for one in tomorrow}

"""What several memories show together, in both languages, and what they do not."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, MemorySource, RelationType, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.compression.acceptance import DistillateOutcome, accept_distillate
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.reflection.rule_reflections import find_reflections, has_lost_bases
from tests.support.server.domain.forgetting.standings import memory

FRIDAY = datetime(2026, 1, 2, 9, tzinfo=UTC)
COACH = Scope(user_id="alice", agent_id="coach")


def event(content: str, day: float, *entities: str, **fields: Any) -> Memory:
    """On so many days after a Friday."""
    at = FRIDAY + timedelta(days=day)
    return memory(
        content,
        id=f"{content} {day}",
        kind=fields.pop("kind", Kind.EVENT),
        entities=entities,
        recorded_at=at,
        **fields,
    )


def decided(content: str, day: int, *entities: str, **fields: Any) -> Memory:
    return event(content, day, *entities, kind=Kind.DECISION, **fields)


def shown(*memories: Memory, time_zone: str = "UTC") -> list[str]:
    return [made.candidate.content for made in find_reflections(memories, time_zone)]


@pytest.mark.parametrize(
    ("memories", "expected"),
    [
        (
            [event("I went climbing", day, "climbing") for day in (0, 7, 21)],
            "climbing often comes up on Fridays: I went climbing",
        ),
        (
            [event("我去上海出差", day, "上海") for day in (3, 10, 17)],
            "上海经常在周一：我去上海出差",
        ),
        (
            [decided(f"We chose Rust for part {day}", day, "Rust") for day in (0, 5, 9)],
            "Tends to choose Rust",
        ),
        (
            [decided(f"第{day}个项目决定用 PostgreSQL", day, "PostgreSQL") for day in (1, 2, 4)],
            "倾向于选择PostgreSQL",
        ),
        (
            [event(f"Tom met Ann, {day}", day, "Tom", "Ann", kind=Kind.FACT) for day in (1, 2, 4)],
            "Ann and Tom often come up together",
        ),
        (
            [
                event(f"小王和小李讨论{day}", day, "小王", "小李", kind=Kind.FACT)
                for day in (1, 2, 4)
            ],
            "小李和小王经常一起出现",
        ),
    ],
)
def test_what_repeats_is_seen(memories: list[Memory], expected: str) -> None:
    assert shown(*memories) == [expected]
    assert shown(*memories[:2]) == []


@pytest.mark.parametrize(
    "memories",
    [
        # Two weeks are none, nor are three days of one week.
        [event("I went climbing", day, "climbing") for day in (0, 0.1, 7)],
        # Not nearly all of them on one day.
        [event("I went climbing", day, "climbing") for day in (0, 7, 14, 1, 2)],
        # When somebody states a fact says nothing about the fact.
        [event("I like climbing", day, "climbing", kind=Kind.FACT) for day in (0, 7, 14)],
        # Against it, not for it.
        [decided(f"不用 Java，第{day}次", day, "Java") for day in (1, 2, 4)],
        [decided(f"We decided against Java, {day}", day, "Java") for day in (1, 2, 4)],
        # Thrice on one occasion.
        [decided(f"Rust, since {word}", 0, "Rust") for word in ("fast", "safe", "small")],
        # The user goes with everything.
        [event(f"{day}", day, "user", "tea", kind=Kind.FACT) for day in (1, 2, 4)],
        # No longer so.
        [event("met", day, "Tom", "Ann", status=Status.FORGOTTEN) for day in (1, 2, 4)],
        # Each stands alone.
        [event(f"{day}", day, "Tom", "Ann", standalone=True) for day in (1, 2, 4)],
        # Made of others already.
        [event(f"{day}", day, "Tom", "Ann", source=MemorySource.REFLECTION) for day in (1, 2, 4)],
    ],
)
def test_what_does_not_repeat_is_not_made_up(memories: list[Memory]) -> None:
    assert shown(*memories) == []


def test_the_day_is_that_of_the_user() -> None:
    late = [
        event("choir", 0, "choir").model_copy(
            update={"id": f"{week}", "occurred_at": FRIDAY.replace(hour=20) + timedelta(weeks=week)}
        )
        for week in range(3)
    ]
    assert shown(*late) == ["choir often comes up on Fridays: choir"]
    assert shown(*late, time_zone="Asia/Shanghai") == ["choir often comes up on Saturdays: choir"]


def _choices(**fields: Any) -> list[Memory]:
    return [decided(f"We chose Rust for part {day}", day, "Rust", **fields) for day in (0, 5, 9)]


def test_it_is_less_sure_than_what_it_rests_on_and_says_what_that_is() -> None:
    bases = _choices(confidence=0.9)
    (made,) = find_reflections(bases, "UTC")
    assert (made.candidate.confidence, made.candidate.source) == (0.72, MemorySource.REFLECTION)
    known = Overlay(bases)
    outcome = accept_distillate(known, made, received_at=FRIDAY, epoch=0)
    insight = known.get(made.memory_id)
    assert outcome is DistillateOutcome.REFLECTED
    assert insight is not None
    assert insight.confidence == 0.72
    assert {(relation.type, relation.memory_id) for relation in insight.relations} == {
        (RelationType.DERIVED_FROM, base.id) for base in bases
    }
    assert all(known.get(base.id) == base for base in bases)
    assert accept_distillate(known, made, received_at=FRIDAY, epoch=0) is DistillateOutcome.KNOWN
    assert find_reflections([*bases, insight], "UTC") == []


def test_choices_in_several_projects_are_a_trait_beyond_them() -> None:
    scopes = [COACH.model_copy(update={"project_id": name}) for name in "abc"]
    bases = [
        decided(f"Rust for {scope.project_id}", number, "Rust", scope=scope)
        for number, scope in enumerate(scopes)
    ]
    (made,) = find_reflections(bases, "UTC")
    assert made.candidate.scope == COACH


@pytest.mark.parametrize("elsewhere", [None, "beta"])
def test_choices_of_one_project_are_no_trait_elsewhere(elsewhere: str | None) -> None:
    places = ["alpha", "alpha", elsewhere]
    bases = [
        decided(
            f"Rust number {number}",
            number,
            "Rust",
            scope=COACH.model_copy(update={"project_id": place}),
        )
        for number, place in enumerate(places)
    ]
    assert find_reflections(bases, "UTC") == []


@pytest.mark.parametrize("status", Status)
def test_it_is_withdrawn_when_what_it_rests_on_is_gone(status: Status) -> None:
    bases = _choices()
    known = Overlay(bases)
    (made,) = find_reflections(bases, "UTC")
    accept_distillate(known, made, received_at=FRIDAY, epoch=0)
    insight = known.get(made.memory_id)
    assert insight is not None
    assert not has_lost_bases(insight, known.get)
    known.put(bases[0].model_copy(update={"status": status}))
    still_true = status in (Status.ACTIVE, Status.ARCHIVED)
    assert has_lost_bases(insight, known.get) is not still_true


def test_what_has_changed_meanwhile_is_left_alone() -> None:
    bases = _choices()
    (made,) = find_reflections(bases, "UTC")
    for fields in ({"status": Status.FORGOTTEN}, {"status": Status.SUPERSEDED}):
        known = Overlay([bases[0].model_copy(update=fields), *bases[1:]])
        assert (
            accept_distillate(known, made, received_at=FRIDAY, epoch=0)
            is DistillateOutcome.OUTDATED
        )
        assert known.take_changes() == ()
    assert (
        accept_distillate(Overlay(bases[1:]), made, received_at=FRIDAY, epoch=0)
        is DistillateOutcome.OUTDATED
    )
    replacing = made.model_copy(update={"replaces": True})
    for change in ({"version": 2}, {"pinned": True}):
        known = Overlay([bases[0].model_copy(update=change), *bases[1:]])
        assert (
            accept_distillate(known, replacing, received_at=FRIDAY, epoch=0)
            is DistillateOutcome.OUTDATED
        )

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Accesses, MemorySource, Relation, RelationType
from palimpsest.model.scope import Scope
from palimpsest.model.user import CompressionPolicy, ForgettingPolicy, UserSettings
from palimpsest_server.domain.compression.best_statement import choose_best_statement
from palimpsest_server.domain.compression.compress_memories import (
    CompressionGroup,
    choose_compression,
    compress_group,
    find_compression_groups,
)
from palimpsest_server.domain.forgetting.policies.registry import POLICIES
from palimpsest_server.domain.forgetting.retention_state import RetentionState
from tests.support.server.domain.forgetting.standings import NOW, days_ago, memory

BLENDED_POLICY = POLICIES[ForgettingPolicy.BLENDED]


def old(number: int, *, idle: float = 91, count: int = 0, **fields: Any) -> RetentionState:
    one = memory(f"I went to event number {number}", recorded_at=days_ago(idle), **fields)
    return RetentionState(
        one, Accesses(count=count, last_at=days_ago(idle) if count else None), NOW
    )


def found(
    *standings: RetentionState,
    compression: CompressionPolicy = CompressionPolicy.BLENDED,
    **options: Any,
) -> list[CompressionGroup]:
    policy = options.pop("policy", BLENDED_POLICY)
    tied = options.pop("tied", frozenset())
    return find_compression_groups(standings, compression, policy, tied_to_todo=tied.__contains__)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, CompressionPolicy.NONE),
        ({"forgetting_policy": ForgettingPolicy.BLENDED}, CompressionPolicy.BLENDED),
        ({"compression": CompressionPolicy.STAGED}, CompressionPolicy.STAGED),
        (
            {"forgetting_policy": ForgettingPolicy.BLENDED, "compression": CompressionPolicy.NONE},
            CompressionPolicy.NONE,
        ),
    ],
)
def test_compression_goes_with_the_policy_unless_it_is_chosen(
    settings: dict[str, Any], expected: CompressionPolicy
) -> None:
    assert choose_compression(UserSettings(**settings)) is expected


def test_three_that_were_hardly_used_for_90_days_become_one() -> None:
    standings = [
        old(1, importance=0.4, tags=("a",), lifetime=Lifetime.CORE, confidence=0.6),
        old(2, importance=0.8, tags=("b",), count=4, confidence=0.9),
        old(3, idle=120),
    ]
    (group,) = found(*standings)
    (made,) = compress_group(group, time_zone="UTC")
    candidate = made.candidate
    assert candidate.content == "I went to event number 2"
    assert (candidate.importance, candidate.lifetime) == (0.8, Lifetime.CORE)
    assert candidate.confidence == pytest.approx((0.6 + 0.9 + 0.8) / 3)
    assert (candidate.tags, candidate.source) == (("a", "b"), MemorySource.CONSOLIDATION)
    assert len(candidate.evidence) == 3
    assert candidate.valid_from == days_ago(120)
    assert {memory_at_version.memory_id for memory_at_version in made.rests_on} == {
        standing.memory.id for standing in standings
    }
    assert made.replaces


@pytest.mark.parametrize(
    ("contents", "kept"),
    [
        (["用户喜欢喝茶", "用户喜欢喝绿茶", "用户喜欢在下午喝绿茶"], "用户喜欢喝绿茶"),
        (["用户骑车上班", "用户坐地铁上班", "用户养了一盆绿萝"], "用户坐地铁上班"),
        (["likes tea", "likes green tea", "likes green tea at noon"], "likes green tea"),
        (["rides to work", "takes the tube to work", "owns a fern"], "takes the tube to work"),
    ],
)
def test_what_the_others_say_too_is_kept_once_and_nothing_is_joined(
    contents: list[str], kept: str
) -> None:
    said = [
        memory(content, id=f"m{9 - number}", recorded_at=days_ago(91 + number), evidence=())
        for number, content in enumerate(contents)
    ]
    standings = [RetentionState(one, Accesses(), NOW) for one in said]
    (group,) = found(*standings)
    (distilled,) = compress_group(group, time_zone="UTC")
    assert distilled.candidate.content == kept
    weighty = said[2].model_copy(update={"importance": 0.95})
    assert choose_best_statement([*said[:2], weighty]) == weighty


def test_the_statement_that_is_kept_keeps_what_it_is_about() -> None:
    standings = [
        old(1),
        old(2),
        old(3, importance=0.9, subject="Ben"),
    ]
    (group,) = found(*standings)
    (made,) = compress_group(group, time_zone="UTC")
    assert made.candidate.subject == "Ben"


@pytest.mark.parametrize(
    ("content", "day"),
    [("用户昨天去看了展览", "昨天（"), ("The user saw a show yesterday", "yesterday (")],
)
def test_days_by_distance_are_told_with_their_dates(content: str, day: str) -> None:
    standings = [
        RetentionState(
            memory(
                content,
                id=f"m{age}",
                kind=Kind.EVENT,
                recorded_at=days_ago(age),
                valid_from=days_ago(age),
                evidence=(),
            ),
            Accesses(),
            NOW,
        )
        for age in (120, 110, 100)
    ]
    (group,) = found(*standings)
    (made,) = compress_group(group, time_zone="UTC")
    assert made.candidate.content.count(day) == 1


@pytest.mark.parametrize(
    "spared",
    [
        {"idle": 90},
        {"count": 5},
        {"pinned": True},
        {"standalone": True},
        {"source": MemorySource.REFLECTION},
        {"source": MemorySource.CONSOLIDATION},
        {"attribute": "city", "value": "Paris"},
        {"valid_until": days_ago(-3)},
        {"kind": Kind.CONTEXT},
        {"scope": Scope(user_id="alice", project_id="p")},
    ],
    ids=str,
)
def test_what_is_spared_leaves_too_few(spared: dict[str, Any]) -> None:
    assert len(found(old(1), old(2), old(3))) == 1
    assert found(old(1), old(2), old(3, **spared)) == []


def test_what_another_rests_on_and_what_a_todo_hangs_on_is_spared() -> None:
    three = [old(1), old(2), old(3)]
    borne = Relation(type=RelationType.DERIVED_FROM, memory_id=three[0].memory.id)
    pattern = old(9, idle=1, kind=Kind.PATTERN, relations=(borne,))
    assert found(*three, pattern) == []
    assert found(*three, tied={three[1].memory.id}) == []


def test_under_gated_what_is_active_is_spared() -> None:
    gated = POLICIES[ForgettingPolicy.GATED]
    many = [old(number, idle=91, importance=1.0, count=4) for number in (1, 2, 3)]
    assert found(*many, policy=gated) == []
    assert len(found(*many)) == 1


@pytest.mark.parametrize(
    ("count", "expected"), [(3, 1), (5, 1), (6, 2), (10, 2), (11, 3), (40, 3), (60, 3)]
)
def test_so_many_come_of_a_group(count: int, expected: int) -> None:
    (group,) = found(*(old(number) for number in range(count)))
    made = compress_group(group, time_zone="UTC")
    assert len(made) == expected
    assert all(len(distillate.rests_on) >= 3 for distillate in made)


def test_in_stages_30_days_leave_three_and_90_days_one_pattern() -> None:
    younger = [old(number, idle=31) for number in range(20)]
    (group,) = found(*younger, compression=CompressionPolicy.STAGED)
    assert len(compress_group(group, time_zone="UTC")) == 3
    older = [old(number, idle=91, source=MemorySource.CONSOLIDATION) for number in range(3)]
    (group,) = found(*older, compression=CompressionPolicy.STAGED)
    (pattern,) = compress_group(group, time_zone="UTC")
    assert pattern.candidate.kind is Kind.PATTERN
    assert pattern.candidate.content in {
        retention_state.memory.content for retention_state in older
    }
    assert (
        len(
            found(
                *(old(number, idle=59, source=MemorySource.CONSOLIDATION) for number in range(3)),
                compression=CompressionPolicy.STAGED,
            )
        )
        == 0
    )
    soon = [old(number, idle=61, source=MemorySource.CONSOLIDATION) for number in range(3)]
    (group,) = found(*soon, compression=CompressionPolicy.STAGED)
    assert group.stage.pattern
    again = [
        old(number, idle=91, source=MemorySource.CONSOLIDATION, kind=Kind.PATTERN)
        for number in (1, 2)
    ]
    assert found(*again, compression=CompressionPolicy.STAGED) == []


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0, 200), st.integers(0, 6)), max_size=25))
def test_each_memory_goes_into_one_group_at_most_and_none_is_left_out(
    rows: list[tuple[int, float, int]],
) -> None:
    kinds = [Kind.GOAL, Kind.EVENT, Kind.CONCLUSION, Kind.CONTEXT]
    standings = [
        old(number, idle=idle, count=count, kind=kinds[kind])
        for number, (kind, idle, count) in enumerate(rows)
    ]
    made = [
        distillate
        for group in found(*standings)
        for distillate in compress_group(group, time_zone="UTC")
    ]
    rests_on = [basis.memory_id for distillate in made for basis in distillate.rests_on]
    assert len(rests_on) == len(set(rests_on))
    due = {
        kind: [row for row in rows if kinds[row[0]] is kind and row[1] > 90 and row[2] < 5]
        for kind in kinds
    }
    assert len(rests_on) == sum(len(of_kind) for of_kind in due.values() if len(of_kind) >= 3)

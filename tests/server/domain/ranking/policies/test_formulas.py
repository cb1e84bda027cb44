"""The sources' formulas against tables that were worked out by hand."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.ranking_policy import PolicyName, limit_of
from palimpsest.model.scope import Layer, Scope
from palimpsest_server.domain.ranking.policies.blended import BlendedPolicy, days_since_access
from palimpsest_server.domain.ranking.policies.companion import CompanionPolicy
from palimpsest_server.domain.ranking.policies.gated import GatedPolicy
from palimpsest_server.domain.ranking.policies.layered import LayeredPolicy
from palimpsest_server.domain.ranking.policies.memory_policy import MemoryPolicy, PolicyCandidate
from palimpsest_server.domain.ranking.policies.policy_table import MEMORY_POLICIES

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


def find(name: str, cosine: float, **known: object) -> PolicyCandidate:
    return PolicyCandidate(
        id=name,
        cosine=cosine,
        **{
            "relevance": cosine,
            "importance": 0.5,
            "confidence": 0.9,
            "layer": Layer.USER,
            "characters": 20,
            "recorded_at": NOW - timedelta(days=1),
            **known,
        },  # type: ignore[arg-type]
    )


def kept(
    policy: MemoryPolicy, finds: list[PolicyCandidate], limit: int
) -> list[tuple[str, object]]:
    """Names and scores, to be compared with about what they should be."""
    choice = policy.choose(finds, limit=limit, now=NOW)
    return [(one.id, pytest.approx(one.score)) for one in choice.kept]


def test_layered_weighs_three_across_projects_and_five_of_the_project_by_importance() -> None:
    across = [
        find("a1", 0.90, importance=0.2),  # 1 of 5
        find("a2", 0.80, importance=0.6, layer=Layer.AGENT),  # 3 of 5
        find("a3", 0.70, importance=1.0),  # 5 of 5
        find("a4", 0.69, importance=1.0),  # the fourth across projects is not looked at
    ]
    project = [
        find(f"p{number}", 0.60 - number / 100, importance=0.8, layer=Layer.PROJECT)
        for number in range(1, 7)
    ]
    assert kept(LayeredPolicy(), across + project, 6) == [
        ("a3", 0.700),
        ("a2", 0.480),
        ("p1", 0.472),
        ("p2", 0.464),
        ("p3", 0.456),
        ("p4", 0.448),
    ]
    choice = LayeredPolicy().choose(across + project, limit=6, now=NOW)
    assert {(one.id, one.why) for one in choice.excluded} == {
        ("p5", "beyond_limit"),
        ("a1", "beyond_limit"),
        ("a4", "beyond_layer_limit"),
        ("p6", "beyond_layer_limit"),
    }


def test_layered_searches_the_project_apart_from_what_is_across_projects() -> None:
    scopes = Scope(user_id="u", agent_id="a", project_id="p").visible()
    across, project = LayeredPolicy().searches(scopes, 6)
    assert {scope.layer for scope in across.scopes} == {Layer.USER, Layer.AGENT}
    assert {scope.layer for scope in project.scopes} == {Layer.PROJECT}
    assert (across.nearest, project.nearest) == (3, 5)
    (only,) = LayeredPolicy().searches(Scope(user_id="u").visible(), 6)
    assert only.nearest == 3


@pytest.mark.parametrize(
    ("days", "cosine", "importance", "score"),
    [
        # .6 cosine + .2 exp(-days / 30) + .2 importance
        (0, 0.5, 0.8, 0.30 + 0.2 + 0.16),
        (30, 0.5, 0.8, 0.30 + 0.2 * 0.36787944 + 0.16),
        (60, 1.0, 0.0, 0.60 + 0.2 * 0.13533528),
        (None, 0.5, 0.8, 0.30 + 0.2 * 5.20878e-06 + 0.16),  # never: 365 days
        (0, -0.1, 0.0, -0.06 + 0.2),
    ],
)
def test_blended_is_a_weighted_sum(
    days: int | None, cosine: float, importance: float, score: float
) -> None:
    at = None if days is None else NOW - timedelta(days=days)
    one = find("m", cosine, importance=importance, last_accessed_at=at)
    assert kept(BlendedPolicy(), [one], 10) == [("m", score)]


@pytest.mark.parametrize(
    ("since", "days"),
    [
        (timedelta(hours=23, minutes=59), 0),
        (timedelta(hours=24), 1),
        (timedelta(hours=71), 2),
        (timedelta(hours=-5), 0),
        (None, 365),
    ],
)
def test_blended_counts_whole_days(since: timedelta | None, days: int) -> None:
    at = None if since is None else NOW - since
    assert days_since_access(find("m", 0.5, last_accessed_at=at), NOW) == days


def test_blended_looks_at_twice_as_many_as_it_returns() -> None:
    lately, important = {"last_accessed_at": NOW}, {"importance": 1.0}
    finds = [find("near", 0.6), find("fresh", 0.5, **lately), find("third", 0.4, **important)]
    # At k = 1 two are looked at: the third, though it would win, is not among them.
    assert kept(BlendedPolicy(), finds, 1) == [("fresh", 0.6 * 0.5 + 0.2 + 0.1)]
    assert BlendedPolicy().searches((Scope(user_id="u"),), 10)[0].nearest == 20
    assert BlendedPolicy().needs_accesses


@pytest.mark.parametrize(
    ("relevance", "returned"), [(0.7, True), (0.6999, False), (1.0, True), (0.0, False)]
)
def test_gated_leaves_out_what_is_below_seven_tenths(relevance: float, *, returned: bool) -> None:
    assert bool(kept(GatedPolicy(), [find("m", 0.2, relevance=relevance)], 3)) is returned


def test_gated_returns_three_and_prefers_the_newer_then_the_surer_of_equals() -> None:
    old, new = NOW - timedelta(days=9), NOW - timedelta(days=2)
    finds = [
        find("old", 0.9, relevance=0.8, recorded_at=old),
        find("new and unsure", 0.9, relevance=0.8, recorded_at=new, confidence=0.6),
        find("new and sure", 0.9, relevance=0.8, recorded_at=new),
        find("best", 0.9, relevance=0.92),
    ]
    assert [name for name, _ in kept(GatedPolicy(), finds, 3)] == [
        "best",
        "new and sure",
        "new and unsure",
    ]


def test_companion_returns_five_that_have_less_than_500_characters_together() -> None:
    finds = [
        find("long", 0.9, characters=300),
        find("too long", 0.8, characters=200),  # 500 is not under 500
        find("fits", 0.7, characters=199),
        find("full", 0.6, characters=1),
        find("fifth", 0.5, characters=0),
        find("sixth", 0.4, characters=0),
    ]
    choice = CompanionPolicy().choose(finds, limit=5, now=NOW)
    assert [one.id for one in choice.kept] == ["long", "fits", "fifth"]
    assert {(one.id, one.why) for one in choice.excluded} == {
        ("too long", "over_characters"),
        ("full", "over_characters"),
        ("sixth", "beyond_limit"),
    }


@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(0, 600)), max_size=20))
def test_companion_never_goes_over(given_: list[tuple[float, int]]) -> None:
    finds = [find(str(n), cosine, characters=size) for n, (cosine, size) in enumerate(given_)]
    sizes = {one.id: one.characters for one in finds}
    choice = CompanionPolicy().choose(finds, limit=5, now=NOW)
    assert len(choice.kept) <= 5
    assert sum(sizes[one.id] for one in choice.kept) < 500


def test_each_policy_returns_as_many_as_its_source_says() -> None:
    limits = {name: limit_of(name) for name in PolicyName}
    assert limits == {
        "default": 10, "layered": 6, "blended": 10, "gated": 3, "companion": 5, "profile": 5,
    }  # fmt: skip


@given(
    st.sampled_from(sorted(MEMORY_POLICIES)),
    st.lists(st.floats(-1, 1), max_size=30),
    st.integers(1, 10),
    st.randoms(use_true_random=False),
)
def test_the_order_in_which_finds_come_changes_nothing(
    name: PolicyName, cosines: list[float], limit: int, shuffler: object
) -> None:
    finds = [find(str(n), cosine, relevance=abs(cosine)) for n, cosine in enumerate(cosines)]
    mixed = list(finds)
    shuffler.shuffle(mixed)  # type: ignore[attr-defined]
    policy = MEMORY_POLICIES[name]
    assert policy.choose(finds, limit=limit, now=NOW) == policy.choose(mixed, limit=limit, now=NOW)
    chosen = policy.choose(finds, limit=limit, now=NOW)
    named = [one.id for one in chosen.kept] + [one.id for one in chosen.excluded]
    assert sorted(named) == sorted(one.id for one in finds)
    assert len(chosen.kept) <= limit

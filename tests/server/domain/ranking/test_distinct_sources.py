"""Merging: what rests on the same messages takes one place, unless there is room."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_server.domain.ranking.ranking_features import RankingFeatures
from palimpsest_server.domain.ranking.repetitions import take_distinct
from palimpsest_server.domain.ranking.score import (
    RankedCandidate,
    RankingCandidate,
    ScoreBreakdown,
)


def ranked(*each: tuple[str, str]) -> list[RankedCandidate]:
    return [
        RankedCandidate(
            RankingCandidate(id=identity, features=RankingFeatures(quoted=tuple(sources.split()))),
            ScoreBreakdown(dense=1 - position / 100),
        )
        for position, (identity, sources) in enumerate(each)
    ]


MEMORY_AND_ITS_TURN = (("memory", "t1"), ("t1", "t1"), ("t2", "t2"), ("t3", "t3"))


@pytest.mark.parametrize(
    ("limit", "returned"),
    [
        (1, ["memory"]),
        (2, ["memory", "t2"]),
        (3, ["memory", "t2", "t3"]),
        (4, ["memory", "t1", "t2", "t3"]),
        (9, ["memory", "t1", "t2", "t3"]),
    ],
)
def test_a_memory_and_the_turn_it_quotes_share_a_place(limit: int, returned: list[str]) -> None:
    chosen = take_distinct(ranked(*MEMORY_AND_ITS_TURN), limit)
    assert [one.candidate.id for one in chosen] == returned


def test_a_memory_that_adds_a_message_keeps_its_place() -> None:
    chosen = take_distinct(ranked(("t1", "t1"), ("both", "t1 t2"), ("t3", "t3")), 2)
    assert [one.candidate.id for one in chosen] == ["t1", "both"]


def test_what_says_again_what_others_do_comes_last_where_room_is_left() -> None:
    found = ranked(("a", "t1"), ("again", "t2"), ("b", "t3"))
    of_two, of_three = (
        [one.candidate.id for one in take_distinct(found, limit, {"again"})] for limit in (2, 3)
    )
    assert (of_two, of_three) == (["a", "b"], ["a", "b", "again"])


sources = st.sets(st.sampled_from(["t1", "t2", "t3", "t4"]), min_size=1).map(" ".join)
lists = st.lists(sources, max_size=10).map(
    lambda each: ranked(*((f"m{number}", one) for number, one in enumerate(each)))
)


@given(lists, st.integers(1, 12))
def test_the_order_is_kept_and_no_room_is_wasted(found: list[RankedCandidate], limit: int) -> None:
    chosen = take_distinct(found, limit)
    assert len(chosen) == min(limit, len(found))
    assert chosen == [ranked_candidate for ranked_candidate in found if ranked_candidate in chosen]
    assert not found or chosen[0] == found[0]


@given(lists, st.integers(1, 12))
def test_a_repetition_is_returned_only_when_nothing_new_is_left(
    found: list[RankedCandidate], limit: int
) -> None:
    chosen = take_distinct(found, limit)
    covered: set[str] = set()
    repeats = []
    for one in chosen:
        repeats += [one] if one.candidate.sources <= covered else []
        covered |= one.candidate.sources
    if repeats:
        everything = {
            source for ranked_candidate in found for source in ranked_candidate.candidate.sources
        }
        assert covered == everything

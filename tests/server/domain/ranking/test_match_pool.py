"""Relevance: scaled over what was found, helped by what stands beside, the same in any order."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_server.domain.ranking.match_pool import MatchPool, SearchMatch, TurnPosition
from palimpsest_server.domain.ranking.ranking_policy import DIALOGUE, RankingPolicy

PLAIN = RankingPolicy(
    name="plain", dense=0.5, sparse=0.5, neighbours=(0.4, 0.1), speaker=0.3, length=0.1,
    full_length=200,
)  # fmt: skip

scores = st.none() | st.floats(-1, 40, allow_nan=False)
places = st.none() | st.builds(TurnPosition, st.sampled_from(["a", "b"]), st.integers(1, 6))


@st.composite
def matches(draw: st.DrawFn) -> list[SearchMatch]:
    ids = draw(st.lists(st.text("abcdef", min_size=1, max_size=3), unique=True, max_size=12))
    return [
        SearchMatch(id=one, cosine=draw(scores), lexical=draw(scores), place=draw(places))
        for one in ids
    ]


@given(matches(), st.randoms())
def test_the_order_of_the_finds_changes_nothing(found: list[SearchMatch], random: Random) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    one, other = MatchPool(found, DIALOGUE), MatchPool(shuffled, DIALOGUE)
    assert one.select_best(10) == other.select_best(10)
    assert all(
        one.relevance(match.id, match.place) == other.relevance(match.id, match.place)
        for match in found
    )


@given(matches())
def test_the_own_relevance_stays_within_its_weights(found: list[SearchMatch]) -> None:
    pool = MatchPool(found, DIALOGUE)
    for match in found:
        relevance = pool.relevance(match.id, None)
        assert 0 <= relevance.dense <= DIALOGUE.dense + 1e-9
        assert 0 <= relevance.sparse <= DIALOGUE.sparse + 1e-9
        assert relevance.neighbours == 0


@given(matches())
def test_what_is_nearer_in_both_ways_is_never_less_relevant(found: list[SearchMatch]) -> None:
    pool = MatchPool(found, DIALOGUE)
    for search_match in found:
        for other in found:
            if _nearer(search_match.cosine, other.cosine) and _nearer(
                search_match.lexical, other.lexical
            ):
                assert (
                    pool.relevance(search_match.id, None).own
                    >= pool.relevance(other.id, None).own - 1e-9
                )


def _nearer(one: float | None, other: float | None) -> bool:
    return other is None or (one is not None and one >= other)


def test_each_arm_is_scaled_by_its_own_least_and_greatest() -> None:
    pool = MatchPool(
        [
            SearchMatch(id="far", cosine=0.2, lexical=9.0),
            SearchMatch(id="between", cosine=0.4),
            SearchMatch(id="near", cosine=0.6, lexical=3.0),
        ],
        PLAIN,
    )
    assert pool.relevance("far", None).own == 0.5
    assert round(pool.relevance("between", None).own, 9) == 0.25
    assert pool.relevance("near", None).own == 0.5


def test_a_single_find_is_wholly_relevant() -> None:
    pool = MatchPool([SearchMatch(id="only", cosine=0.3)], PLAIN)
    assert pool.relevance("only", None).dense == 0.5


def test_a_turn_shares_in_what_its_neighbours_reach_less_with_distance() -> None:
    pool = MatchPool(
        [
            SearchMatch(id="asked", cosine=0.9, place=TurnPosition("s", 4)),
            SearchMatch(id="far away", cosine=0.1, place=TurnPosition("s", 40)),
        ],
        PLAIN,
    )
    assert pool.relevance("answer", TurnPosition("s", 5)).neighbours == 0.4 * 0.5
    assert pool.relevance("after that", TurnPosition("s", 6)).neighbours == 0.1 * 0.5
    assert pool.relevance("much later", TurnPosition("s", 7)).neighbours == 0
    assert pool.relevance("elsewhere", TurnPosition("t", 5)).neighbours == 0


def test_the_places_beside_the_best_at_which_nothing_was_found() -> None:
    found = [
        SearchMatch(id="first", cosine=0.9, place=TurnPosition("s", 1)),
        SearchMatch(id="second", cosine=0.8, place=TurnPosition("s", 2)),
        SearchMatch(id="memory", cosine=0.95),
        SearchMatch(id="last", cosine=0.2, place=TurnPosition("s", 9)),
    ]
    pool = MatchPool(found, PLAIN)
    best = pool.select_best(3)
    assert [match.id for match in best] == ["first", "second", "memory"]
    assert pool.find_unseen_neighbours(best) == [TurnPosition("s", 3)]


def test_of_equals_the_longer_is_best_then_the_later_then_the_first_by_id() -> None:
    equals = [
        SearchMatch("c", cosine=0.5),
        SearchMatch("a", cosine=0.5),
        SearchMatch("x", cosine=0.5, stated_length=9),
        SearchMatch("b", cosine=0.5, at=1),
    ]
    assert [match.id for match in MatchPool(equals, PLAIN).select_best(4)] == ["x", "b", "a", "c"]


def test_nothing_found_is_an_empty_pool() -> None:
    pool = MatchPool([], PLAIN)
    assert pool.select_best(5) == []
    assert pool.find_unseen_neighbours([]) == []
    assert pool.relevance("x", None).total == 0


def test_what_takes_no_place_comes_along_where_it_stands() -> None:
    pool = MatchPool(
        [SearchMatch(one, cosine=1 - number / 10) for number, one in enumerate("abcde")], DIALOGUE
    )
    assert [one.id for one in pool.select_best(2)] == ["a", "b"]
    assert [one.id for one in pool.select_best(2, besides={"a", "e"})] == ["a", "b", "c"]
    assert [one.id for one in pool.select_best(9, besides={"a"})] == list("abcde")


@pytest.mark.parametrize(
    ("lexicals", "scaled"),
    [
        # Among a few, one common word is the most there is, and yet not much.
        ([2.0], [0.2]),
        ([4.0, 1.0], [0.4, 0.1]),
        ([12.0, 8.0], [1.0, 0.6]),
        # Where they lie far apart, the least stands at 0 and the greatest at 1.
        ([24.0, 14.0, 4.0], [1.0, 0.5, 0.0]),
    ],
)
def test_words_in_common_count_by_how_many_they_are_where_they_are_few(
    lexicals: list[float], scaled: list[float]
) -> None:
    policy = PLAIN.model_copy(update={"words_in_common": 10.0})
    pool = MatchPool(
        [SearchMatch(f"m{n}", lexical=lexical) for n, lexical in enumerate(lexicals)], policy
    )
    found = [pool.relevance(f"m{n}", None).sparse / policy.sparse for n in range(len(lexicals))]
    assert found == pytest.approx(scaled)

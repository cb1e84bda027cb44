"""Scores: a sum of parts, the same in any order, higher for whoever is asked about."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_language.question_intents.question_times import lies_in_spans
from palimpsest_server.domain.ranking.extract_features import measure_stated_length
from palimpsest_server.domain.ranking.match_pool import MatchPool, SearchMatch, TurnPosition
from palimpsest_server.domain.ranking.ranking_features import NOTHING_STATED, RankingFeatures
from palimpsest_server.domain.ranking.ranking_policy import DIALOGUE
from palimpsest_server.domain.ranking.score import RankingCandidate, rank_candidates

names = st.lists(st.sampled_from(["Ada", "小明", "Bo"]), max_size=2).map(tuple)


@st.composite
def candidates(draw: st.DrawFn) -> list[RankingCandidate]:
    ids = draw(st.lists(st.text("abcdef", min_size=1, max_size=3), unique=True, max_size=10))
    return [
        RankingCandidate(
            id=one,
            features=RankingFeatures(
                about=draw(names),
                stated_length=draw(st.integers(0, 300)),
                quoted=tuple(draw(st.lists(st.sampled_from(ids), max_size=2))),
            ),
            place=draw(st.none() | st.builds(TurnPosition, st.just("s"), st.integers(1, 9))),
        )
        for one in ids
    ]


def pool_of(found: list[RankingCandidate]) -> MatchPool:
    return MatchPool(
        [
            SearchMatch(
                id=ranking_candidate.id,
                cosine=ranking_candidate.features.stated_length / 300,
                lexical=float(number),
                place=ranking_candidate.place,
            )
            for number, ranking_candidate in enumerate(found)
        ],
        DIALOGUE,
    )


@given(candidates(), st.randoms())
def test_the_order_they_come_in_changes_nothing(
    found: list[RankingCandidate], random: Random
) -> None:
    pool = pool_of(found)
    shuffled = list(found)
    random.shuffle(shuffled)
    question = "does Ada 喜欢 tea"
    assert rank_candidates(question, found, pool, DIALOGUE) == rank_candidates(
        question, shuffled, pool, DIALOGUE
    )


@given(candidates())
def test_a_score_is_the_sum_of_its_parts_and_falls_along_the_list(
    found: list[RankingCandidate],
) -> None:
    ranked = rank_candidates("does Ada 喜欢 tea", found, pool_of(found), DIALOGUE)
    assert len(ranked) == len(found)
    for one in ranked:
        parts = one.parts
        assert one.score == pytest.approx(
            parts.dense + parts.sparse + parts.neighbours + parts.speaker + parts.length
        )
        assert 0 <= parts.speaker <= DIALOGUE.speaker
        assert 0 <= parts.length <= DIALOGUE.length
    assert all(one.score >= other.score for one, other in pairwise(ranked))


@given(candidates())
def test_being_named_never_lowers_a_score(found: list[RankingCandidate]) -> None:
    pool = pool_of(found)
    unnamed = {
        rank_candidate.candidate.id: rank_candidate.score
        for rank_candidate in rank_candidates("tea?", found, pool, DIALOGUE)
    }
    named = {
        rank_candidate.candidate.id: rank_candidate.score
        for rank_candidate in rank_candidates("Ada's tea?", found, pool, DIALOGUE)
    }
    assert all(named[identity] >= score for identity, score in unnamed.items())


def turn(identity: str, sequence: int, *about: str, text: str = "tea") -> RankingCandidate:
    features = RankingFeatures(about=about, stated_length=measure_stated_length(text))
    return RankingCandidate(id=identity, features=features, place=TurnPosition("s", sequence))


def memory(identity: str, *quoted: str, text: str = "tea") -> RankingCandidate:
    return RankingCandidate(
        id=identity,
        features=RankingFeatures(stated_length=measure_stated_length(text), quoted=tuple(quoted)),
    )


def test_who_is_named_comes_before_who_is_not() -> None:
    found = [turn("a", 1, "Bo"), turn("b", 9, "Ada")]
    pool = MatchPool(
        [
            SearchMatch(id=ranking_candidate.id, cosine=0.5, place=ranking_candidate.place)
            for ranking_candidate in found
        ],
        DIALOGUE,
    )
    ranked = rank_candidates("What does Ada drink?", found, pool, DIALOGUE)
    assert [one.candidate.id for one in ranked] == ["b", "a"]
    assert ranked[0].parts.speaker == DIALOGUE.speaker


def test_who_says_more_comes_first_up_to_a_length() -> None:
    found = [turn("short", 1, text="ok"), turn("long", 5, text="x" * 200), turn("longer", 9, text="x" * 900)]  # fmt: skip
    pool = MatchPool(
        [
            SearchMatch(id=ranking_candidate.id, cosine=0.5, place=ranking_candidate.place)
            for ranking_candidate in found
        ],
        DIALOGUE,
    )
    ranked = rank_candidates("tea", found, pool, DIALOGUE)
    assert [one.candidate.id for one in ranked] == ["long", "longer", "short"]
    assert ranked[0].parts.length == ranked[1].parts.length == DIALOGUE.length


def test_a_memory_stands_where_the_turn_it_quotes_stands() -> None:
    found = [turn("said", 5, "Ada"), memory("remembered", "said"), memory("by itself")]
    pool = MatchPool(
        [
            SearchMatch(id="said", cosine=0.2, place=TurnPosition("s", 5)),
            SearchMatch(id="asked", cosine=0.8, place=TurnPosition("s", 4)),
            SearchMatch(id="remembered", cosine=0.6),
            SearchMatch(id="by itself", cosine=0.6),
        ],
        DIALOGUE,
    )
    parts = {
        rank_candidate.candidate.id: rank_candidate.parts
        for rank_candidate in rank_candidates("Ada?", found, pool, DIALOGUE)
    }
    assert parts["remembered"].neighbours == parts["said"].neighbours > 0
    assert parts["remembered"].speaker == parts["said"].speaker > 0
    assert parts["by itself"].neighbours == parts["by itself"].speaker == 0


def test_a_memory_comes_before_a_turn_of_the_same_score() -> None:
    found = [turn("a", 1), memory("b")]
    pool = MatchPool([SearchMatch(id="a", cosine=0.5, place=TurnPosition("s", 1)), SearchMatch(id="b", cosine=0.5)], DIALOGUE)  # fmt: skip
    assert [
        rank_candidate.candidate.id
        for rank_candidate in rank_candidates("tea", found, pool, DIALOGUE)
    ] == ["b", "a"]


@pytest.mark.parametrize(
    ("text", "length"), [("", 0), ("tea", 3), ("喜欢", 6), ("喝 tea", 7), ("カフェ", 9)]
)
def test_a_chinese_character_says_as_much_as_three_latin_ones(text: str, length: int) -> None:
    assert measure_stated_length(text) == length


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("When?", 0),
        ("什么时候的事？", 0),
        ("Nice! When was that?", 5),
        ("真好。他叫什么名字？我记下", 6 + 1 + 9),
        ("Really?! I had tea.\na cup of tea", len("I had tea.\na cup of tea")),
        ("?", 0),
        ("x" * 60_000, 60_000),
    ],
)
def test_what_only_asks_states_nothing(text: str, length: int) -> None:
    assert measure_stated_length(text) == length


def test_what_says_nothing_is_left_out_and_leads_to_what_it_stands_beside() -> None:
    ok = RankingCandidate(
        id="ok",
        features=RankingFeatures(about=("Nora",), stated_length=NOTHING_STATED),
        place=TurnPosition("s", 2),
    )
    beside, apart = turn("beside", 3), turn("apart", 9)
    pool = MatchPool(
        [SearchMatch("ok", cosine=0.9, place=ok.place), SearchMatch("x", cosine=0.1)], DIALOGUE
    )
    ranked = rank_candidates("Nora", [ok, beside, apart], pool, DIALOGUE)
    assert [one.candidate.id for one in ranked] == ["beside", "apart"]
    assert ranked[0].parts.neighbours > 0


def test_a_memory_stands_where_the_filler_stands_that_it_quotes() -> None:
    ok = RankingCandidate(
        id="ok",
        features=RankingFeatures(about=("Nora",), stated_length=NOTHING_STATED),
        place=TurnPosition("s", 2),
    )
    memory = RankingCandidate(
        id="memory", features=RankingFeatures(quoted=("ok",), stated_length=30)
    )
    (one,) = rank_candidates("Nora?", [ok, memory], MatchPool([], DIALOGUE), DIALOGUE)
    assert one.candidate.id == "memory"
    assert one.parts.speaker == DIALOGUE.speaker


def test_a_moment_lies_in_a_time_from_its_start_until_before_its_end() -> None:
    assert lies_in_spans(10, [(10, 20)])
    assert not lies_in_spans(20, [(10, 20)])
    assert lies_in_spans(20, [(10, 20), (20, None)])
    assert lies_in_spans(5, [(None, 10)])
    assert not lies_in_spans(None, [(None, None)])


@pytest.mark.parametrize(
    ("held", "asked", "counts"),
    [
        ((10, 20), [(15, 16)], True),
        ((10, 20), [(5, 11)], True),
        ((10, 20), [(20, 30)], False),
        ((10, 20), [(None, 10)], False),
        ((10, 20), [(19, None)], True),
        (None, [(4, 6)], True),
        (None, [(15, 16)], False),
    ],
)
def test_a_period_counts_for_each_time_within_it(
    held: tuple[int, int] | None, asked: list[tuple[int | None, int | None]], counts: bool
) -> None:
    told = RankingCandidate(id="a", features=RankingFeatures(stated_length=9, at=5, held=held))
    (ranked,) = rank_candidates("?", [told], pool_of([told]), DIALOGUE, times=asked)
    assert (ranked.parts.time > 0) is counts

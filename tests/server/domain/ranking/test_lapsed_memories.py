"""What no longer holds leads to what does, and what was said of it steps back."""

from palimpsest_server.domain.ranking.lapsed_memories import (
    put_superseded_first,
    put_then_valid_first,
    settle_lapsed,
)
from palimpsest_server.domain.ranking.match_pool import TurnPosition
from palimpsest_server.domain.ranking.ranking_features import RankingFeatures
from palimpsest_server.domain.ranking.score import (
    RankedCandidate,
    RankingCandidate,
    ScoreBreakdown,
)


def memory(name: str, score: float, *quoted: str) -> RankedCandidate:
    return RankedCandidate(
        RankingCandidate(name, RankingFeatures(quoted=quoted)), ScoreBreakdown(dense=score)
    )


def turn(name: str, score: float, sequence: int = 1) -> RankedCandidate:
    return RankedCandidate(
        RankingCandidate(name, place=TurnPosition("s", sequence)), ScoreBreakdown(dense=score)
    )


def order(ranked: list[RankedCandidate]) -> list[str]:
    return [ranked_candidate.candidate.id for ranked_candidate in ranked]


VUE, REACT = memory("likes Vue", 0.9, "said Vue"), memory("likes React", 0.4, "said React")


def test_what_holds_now_stands_where_the_old_one_would_and_its_turn_right_behind() -> None:
    ranked = [turn("said Vue", 0.95), memory("tea", 0.5), REACT, turn("said React", 0.3)]
    answer = settle_lapsed(ranked, [VUE], {"likes Vue": "likes React"})
    assert order(answer) == ["likes React", "said React", "said Vue", "tea"]
    assert answer[0].score == VUE.score
    assert answer[0].parts.succession == VUE.score - REACT.score
    assert answer[1].parts.succession > 0 > answer[2].parts.succession


def test_it_leads_over_several_steps_and_around_no_circle() -> None:
    ranked = [turn("said Vue", 0.95), memory("likes Svelte", 0.1)]
    steps = {"likes Vue": "likes React", "likes React": "likes Svelte"}
    assert order(settle_lapsed(ranked, [VUE], steps)) == ["likes Svelte", "said Vue"]
    circle = {"likes Vue": "likes React", "likes React": "likes Vue"}
    assert order(settle_lapsed(ranked, [VUE], circle)) == ["likes Svelte", "said Vue"]


def test_a_turn_that_states_what_was_forgotten_comes_last() -> None:
    ranked = [turn("said Vue", 0.95), memory("tea", 0.5), turn("hello", 0.01)]
    assert order(settle_lapsed(ranked, [VUE], {})) == ["tea", "hello", "said Vue"]


def test_a_turn_that_also_states_what_holds_keeps_its_place_where_that_is_asked_for() -> None:
    holds = memory("likes coffee", 0.92, "said Vue")
    ranked = [turn("said Vue", 0.95), holds]
    assert order(settle_lapsed(ranked, [VUE], {})) == ["said Vue", "likes coffee"]
    far = memory("likes coffee", 0.2, "said Vue")
    assert order(settle_lapsed([turn("said Vue", 0.95), far], [VUE], {})) == [
        "likes coffee",
        "said Vue",
    ]


def test_what_was_answered_to_it_goes_with_it_unless_a_memory_rests_on_that() -> None:
    ranked = [turn("said Vue", 0.95, 3), turn("fine, Vue", 0.99, 4), turn("later", 0.93, 9), REACT]
    leads = {"likes Vue": "likes React"}
    assert order(settle_lapsed(ranked, [VUE], leads)) == [
        "later",
        "likes React",
        "said Vue",
        "fine, Vue",
    ]
    decided = memory("decided", 0.2, "fine, Vue")
    assert order(settle_lapsed([*ranked, decided], [VUE], leads))[0] == "fine, Vue"


def test_who_stands_higher_already_is_not_moved() -> None:
    high = memory("likes React", 0.99)
    assert settle_lapsed([high], [VUE], {"likes Vue": "likes React"}) == [high]


def test_without_anything_lapsed_nothing_changes() -> None:
    ranked = [REACT, turn("said Vue", 0.1)]
    assert settle_lapsed(ranked, [], {}) == ranked


def was(name: str, successor: str, score: float, *quoted: str) -> RankedCandidate:
    return RankedCandidate(
        RankingCandidate(name, RankingFeatures(quoted=quoted, successor=successor)),
        ScoreBreakdown(dense=score),
    )


def test_asked_about_the_past_what_was_comes_before_what_is_and_before_what_was_said_of_both() -> (
    None
):
    ranked = [
        turn("said Oslo", 0.95, 9),
        memory("Oslo", 0.9, "said Oslo"),
        memory("tea", 0.85),
        turn("said Rome", 0.8),
        was("Rome", "Oslo", 0.4, "said Rome"),
    ]
    answer = put_superseded_first(ranked)
    assert order(answer) == ["Rome", "said Oslo", "Oslo", "tea", "said Rome"]
    assert answer[0].parts.succession > 0


def test_of_several_that_were_each_keeps_its_place_before_the_last() -> None:
    ranked = [memory("Oslo", 0.9), was("Rome", "Oslo", 0.5), was("Paris", "Rome", 0.3)]
    assert order(put_superseded_first(ranked)) == ["Rome", "Paris", "Oslo"]
    assert order(put_superseded_first([was("Rome", "Oslo", 0.5), memory("tea", 0.9)])) == [
        "tea",
        "Rome",
    ]


def test_what_held_at_the_time_asked_about_stands_first_among_its_own() -> None:
    ranked = [
        was("Paris", "Rome", 0.9),
        memory("tea", 0.8),
        memory("Oslo", 0.7),
        was("Rome", "Oslo", 0.5),
    ]
    assert order(put_then_valid_first(ranked, {"Rome"})) == ["Rome", "tea", "Paris", "Oslo"]
    assert order(put_then_valid_first(ranked, {"Rome", "Oslo"})) == ["Oslo", "tea", "Rome", "Paris"]
    assert put_then_valid_first(ranked, set()) == ranked

"""The gate: nonsense finds nothing, what is near or shares rare words comes through."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.ranking.gate import (
    OPENINGS,
    Calibration,
    Gate,
    Signals,
    calibrated,
    says_something,
)
from palimpsest.domain.ranking.pool import Match
from palimpsest.domain.user import Language

CALIBRATION = Calibration(average=0.06, spread=0.06)
GATE = Gate(calibration=CALIBRATION)

cosines = st.none() | st.floats(-1, 1)
finds = st.lists(
    st.builds(Match, id=st.uuids().map(str), cosine=cosines, lexical=st.none() | st.floats(0, 30)),
    max_size=20,
)


def crowd(*best: Match, size: int = 80, cosine: float = 0.12) -> list[Match]:
    """These among strangers that lie close together."""
    rest = [Match(f"stranger {n}", cosine=cosine - n / 10_000) for n in range(size - len(best))]
    return [*best, *rest]


def test_what_stands_out_by_meaning_and_by_rare_words_opens_it() -> None:
    answer = Match("answer", cosine=0.41, lexical=9.0)
    assert answer in GATE.admit(crowd(answer), words=3)


def test_what_stands_out_in_nothing_does_not() -> None:
    assert GATE.admit(crowd(), words=3) == []
    common_word = [Match(f"m{n}", cosine=0.12, lexical=0.6) for n in range(6)]
    assert GATE.admit(crowd(*common_word), words=6) == []


def test_so_near_a_meaning_needs_no_word_in_common() -> None:
    near = Match("paraphrase", cosine=0.06 + 6.1 * 0.06)
    assert GATE.admit(crowd(near, cosine=0.35), words=9) != []


def test_one_rare_word_of_one_counts_for_more_than_one_of_six() -> None:
    find = crowd(Match("m", cosine=0.25, lexical=4.0))
    assert GATE.admit(find, words=1)
    assert not GATE.admit(find, words=6)


def test_a_single_memory_is_found_by_its_words() -> None:
    # Among one text the rarest word weighs .29: it is counted in such words.
    assert GATE.admit([Match("only", cosine=0.3, lexical=0.8)], words=3)
    assert not GATE.admit([Match("only", cosine=0.1)], words=3)


def test_once_open_it_keeps_what_is_moderately_near_and_drops_strangers() -> None:
    matches = [
        Match("answer", cosine=0.6, lexical=6.0),
        Match("related", cosine=0.13),
        Match("stranger", cosine=0.11),
        Match("same word", cosine=0.05, lexical=0.2),
    ]
    admitted = GATE.admit(matches, words=2)
    assert [match.id for match in admitted] == ["answer", "related", "same word"]


@given(finds, st.integers(0, 20), st.sampled_from(list(Language)))
def test_only_finds_are_admitted_and_their_order_changes_nothing(
    found: list[Match], words: int, language: Language
) -> None:
    admitted = GATE.admit(found, words=words, language=language)
    assert all(one in found for one in admitted)
    backwards = GATE.admit(found[::-1], words=words, language=language)
    assert {one.id for one in admitted} == {one.id for one in backwards}


@given(finds, st.integers(1, 20))
def test_a_nearer_find_never_speaks_against_an_answer_to_an_english_question(
    found: list[Match], words: int
) -> None:
    seen = GATE.signals(found, words=words)
    if seen is not None:
        opening = OPENINGS[Language.ENGLISH]
        wordier = seen._replace(coverage=seen.coverage + 0.1)
        assert opening.evidence(wordier) >= opening.evidence(seen)
        assert opening.evidence(seen._replace(nearest=seen.nearest + 1)) > opening.evidence(seen)


def test_the_signals_are_counted_as_they_say() -> None:
    matches = [
        Match("a", cosine=0.36, lexical=2.0),
        Match("b", cosine=0.30),
        Match("c", cosine=0.24, lexical=8.0),
        Match("d", cosine=0.18),
        Match("e", cosine=0.12, lexical=1.0),
        Match("f", cosine=0.06),
    ]
    seen = GATE.signals(matches, words=4)
    rarest = 1.5404450409471488  # ln((6 - .5) / 1.5 + 1)
    assert seen == pytest.approx(
        Signals(
            nearest=5.0,
            above_all=2.5,
            above_fifth=4.0,
            shared=8.0 / rarest,
            coverage=2.0 / rarest,
            lexical_gap=7.0 / rarest,
            agreement=3.0,
            words=4,
            finds=6,
        )
    )
    assert GATE.signals([], words=4) is None


@pytest.mark.parametrize(
    ("cosine", "relevance"),
    [(-1.0, 0.0), (0.06, 0.0), (0.21, 0.35), (0.36, 0.7), (0.68, 0.85), (1.0, 1.0)],
)
def test_relevance_runs_from_strangers_over_what_no_stranger_reaches_to_the_same_text(
    cosine: float, relevance: float
) -> None:
    assert CALIBRATION.relevance(cosine) == pytest.approx(relevance)


@given(st.floats(-0.2, 0.9), st.floats(0.005, 0.2), st.floats(-1, 1), st.floats(0, 0.5))
def test_relevance_rises_with_the_cosine_and_stays_between_0_and_1(
    average: float, spread: float, cosine: float, more: float
) -> None:
    calibration = Calibration(average=average, spread=spread)
    nearer = min(1.0, cosine + more)
    assert 0 <= calibration.relevance(cosine) <= calibration.relevance(nearer) + 1e-12 <= 1 + 1e-9


def test_a_model_is_calibrated_by_its_strangers() -> None:
    calibration = calibrated([0.0, 0.1, 0.2])
    assert calibration.average == pytest.approx(0.1)
    assert calibration.spread == pytest.approx(0.0816497)
    with pytest.raises(ValueError, match="needs similarities"):
        calibrated([])
    with pytest.raises(ValueError, match="needs similarities"):
        calibrated([0.2, 0.2])


@pytest.mark.parametrize(("question", "says"), [("?!…", False), ("🎉", False), ("茶", True)])
def test_punctuation_says_nothing(question: str, *, says: bool) -> None:
    assert says_something(question) is says

"""The gate: nonsense finds nothing, what is near or shares rare words comes through."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_server.domain.ranking.gate_weights import (
    ChineseGateWeights,
    CrossScriptWeights,
    FittedGate,
    GateSignals,
    weigh_overlap,
)
from palimpsest_server.domain.ranking.match_pool import SearchMatch, TurnPosition
from palimpsest_server.domain.ranking.plausibility import PlausibilityPlane
from palimpsest_server.domain.ranking.relevance_gate import Gate, select_compared_finds
from palimpsest_server.domain.ranking.similarity_calibration import Calibration, calibrate
from palimpsest_server.domain.ranking.term_overlap import SharedTerms, TermOverlap
from tests.support.openings import ENGLISH

CALIBRATION = Calibration(average=0.06, spread=0.06)
CHINESE = ChineseGateWeights(
    constant=-2.188,
    nearest=0.525,
    agreement=0.765,
    seen=4.010,
    finds=-1.421,
    says=0.5,
    fewest=8,
    opens_from=-2.72,
    opens_among_memories=-2.72,
    opens_from_deviations=7.0,
    opens_among_few=7.0,
    relevant_deviations=5.0,
)
SENSE = PlausibilityPlane(constant=1.0, direction=(2.0, -4.0))
GATE = Gate(
    calibration=CALIBRATION, openings=FittedGate(sense=SENSE, english=ENGLISH, chinese=CHINESE)
)

cosines = st.none() | st.floats(-1, 1)
finds = st.lists(
    st.builds(
        SearchMatch, id=st.uuids().map(str), cosine=cosines, lexical=st.none() | st.floats(0, 30)
    ),
    max_size=20,
)


def admitted(
    matches: list[SearchMatch], *, words: int, overlap: TermOverlap | None = None
) -> list[SearchMatch]:
    return GATE.admit(matches, GATE.margin(matches, words=words, overlap=overlap))


def crowd(*best: SearchMatch, size: int = 80, cosine: float = 0.12) -> list[SearchMatch]:
    """These among strangers that lie close together."""
    rest = [
        SearchMatch(f"stranger {n}", cosine=cosine - n / 10_000) for n in range(size - len(best))
    ]
    return [*best, *rest]


def test_what_stands_out_by_meaning_and_by_rare_words_opens_it() -> None:
    answer = SearchMatch("answer", cosine=0.41, lexical=9.0)
    assert answer in admitted(crowd(answer), words=3)


def test_what_stands_out_in_nothing_does_not() -> None:
    assert admitted(crowd(), words=3) == []
    common_word = [SearchMatch(f"m{n}", cosine=0.12, lexical=0.6) for n in range(6)]
    assert admitted(crowd(*common_word), words=6) == []


def test_of_a_model_that_nothing_was_fitted_on_it_is_open_to_all_but_strangers() -> None:
    gate = Gate(calibration=CALIBRATION, openings=None)
    near = SearchMatch("near", cosine=0.06 + 1.2 * 0.06)
    far = [SearchMatch(f"stranger {n}", cosine=0.05) for n in range(9)]
    assert admitted([near, *far], words=6) == []
    assert gate.admit([near, *far], gate.margin([near, *far], words=6)) == [near]
    assert gate.margin([], words=6) is None


def test_so_near_a_meaning_needs_no_word_in_common() -> None:
    near = SearchMatch("paraphrase", cosine=0.06 + 6.1 * 0.06)
    assert admitted(crowd(near, cosine=0.35), words=9) != []


def test_one_rare_word_of_one_counts_for_more_than_one_of_six() -> None:
    find = crowd(SearchMatch("m", cosine=0.25, lexical=4.0))
    assert admitted(find, words=1)
    assert not admitted(find, words=6)


def test_a_single_memory_is_found_by_its_words() -> None:
    # Among one text the rarest word weighs .29: it is counted in such words.
    assert admitted([SearchMatch("only", cosine=0.3, lexical=0.8)], words=3)
    assert not admitted([SearchMatch("only", cosine=0.1)], words=3)


def test_once_open_it_keeps_what_is_moderately_near_and_drops_strangers() -> None:
    matches = [
        SearchMatch("answer", cosine=0.6, lexical=6.0),
        SearchMatch("related", cosine=0.13),
        SearchMatch("stranger", cosine=0.11),
        SearchMatch("same word", cosine=0.05, lexical=0.2),
    ]
    kept = admitted(matches, words=2)
    assert [match.id for match in kept] == ["answer", "related", "same word"]


@given(found=finds, words=st.integers(0, 20), chinese=st.booleans())
def test_only_finds_are_admitted_and_their_order_changes_nothing(
    found: list[SearchMatch], words: int, *, chinese: bool
) -> None:
    shared = (
        TermOverlap(
            {
                compared_find: SharedTerms(0.4, 0.5)
                for compared_find in select_compared_finds(found)
            },
            0.5,
        )
        if chinese
        else None
    )
    kept = admitted(found, words=words, overlap=shared)
    assert all(one in found for one in kept)
    backwards = admitted(found[::-1], words=words, overlap=shared)
    assert {one.id for one in kept} == {backward.id for backward in backwards}


@given(finds, st.integers(1, 20))
def test_a_nearer_find_never_speaks_against_an_answer_to_an_english_question(
    found: list[SearchMatch], words: int
) -> None:
    seen = GATE.signals(found, words=words)
    if seen is not None:
        wordier = seen._replace(coverage=seen.coverage + 0.1)
        assert ENGLISH.evidence(wordier) >= ENGLISH.evidence(seen)
        assert ENGLISH.evidence(seen._replace(nearest=seen.nearest + 1)) > ENGLISH.evidence(seen)


def chinese(
    near: float, shared: SharedTerms, seen: float, question: tuple[float, ...] = ()
) -> float | None:
    """The margin of a Chinese question whose best find is so near and shares so much."""
    found = crowd(SearchMatch("best", cosine=CALIBRATION.average + near * CALIBRATION.spread))
    overlap = TermOverlap({"best": shared}, seen)
    return GATE.margin(found, words=4, overlap=overlap, question=question)


def test_a_chinese_question_is_judged_by_what_it_shares_with_the_finds() -> None:
    # -2.188 + .525 * (5 + 4 * .3 + 6 * .5) + .765 * 5 * .5 + 4.01 * .8 - 1.421 * ln 80 + 2.72
    assert chinese(5.0, SharedTerms(0.3, 0.5), 0.8) == pytest.approx(4.25564, abs=1e-4)
    stranger = chinese(4.5, SharedTerms(0.05, 0.1), 0.3)
    assert stranger is not None
    assert stranger < 0


def test_what_a_question_says_of_a_life_speaks_for_an_answer_within_bounds() -> None:
    shared = SharedTerms(0.3, 0.5)
    plain = chinese(5.0, shared, 0.8)
    assert plain is not None
    # 1 + 2 * .5 - 4 * .375 = .5, which weighs half; beyond 2 and -3 it says no more.
    assert chinese(5.0, shared, 0.8, (0.5, 0.375)) == pytest.approx(plain + 0.25)
    assert chinese(5.0, shared, 0.8, (1.0, 0.0)) == pytest.approx(plain + 1.0)
    assert chinese(5.0, shared, 0.8, (0.0, 1.0)) == pytest.approx(plain - 1.5)
    assert chinese(5.0, shared, 0.8, (0.0, 9.0)) == pytest.approx(plain - 1.5)


def test_the_sense_of_an_embedding_of_another_model_is_an_error() -> None:
    with pytest.raises(ValueError, match="dimensions"):
        chinese(5.0, SharedTerms(0.3, 0.5), 0.8, (0.5, 0.3, 0.1))


def test_so_near_a_meaning_opens_for_a_chinese_question_without_a_character_in_common() -> None:
    assert chinese(7.1, SharedTerms(0.0, 0.0), 0.0) == pytest.approx(0.1, abs=1e-6)
    assert chinese(6.9, SharedTerms(0.0, 0.0), 0.0) == pytest.approx(-0.1, abs=1e-6)


@given(st.floats(0, 9), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_sharing_more_never_closes_the_gate_of_a_chinese_question(
    near: float, words: float, characters: float, seen: float, more: float
) -> None:
    least = chinese(near, SharedTerms(words, characters), seen)
    most = chinese(near, SharedTerms(words + more, characters + more), seen + more)
    assert least is not None
    assert most is not None
    assert most >= least - 1e-9


def test_a_find_by_words_alone_counts_as_far_as_the_farthest_by_meaning() -> None:
    found = [
        SearchMatch("a", cosine=0.30),
        SearchMatch("b", cosine=0.18),
        SearchMatch("c", lexical=4.0),
    ]
    by_words = TermOverlap({"c": SharedTerms(1.0, 1.0)}, 1.0)
    seen = GATE.signals(found, words=2)
    assert seen is not None
    expected = CHINESE.margin(seen, weigh_overlap([(2.0, SharedTerms(1.0, 1.0))], 1.0))
    assert GATE.margin(found, words=2, overlap=by_words) == pytest.approx(expected)


def test_the_best_of_each_arm_are_held_against_a_chinese_question() -> None:
    near = [SearchMatch(f"near {n:02}", cosine=0.9 - n / 100) for n in range(30)]
    alike = [SearchMatch(f"alike {n:02}", lexical=9.0 - n / 10) for n in range(30)]
    held = select_compared_finds([*near, *alike, SearchMatch("neither")])
    assert held == [f"near {n:02}" for n in range(20)] + [f"alike {n:02}" for n in range(20)]


def test_where_nothing_but_memories_is_found_less_opens_it() -> None:
    held_to_less = ENGLISH.model_copy(update={"opens_among_memories": ENGLISH.opens_from - 0.5})
    openings = FittedGate(sense=SENSE, english=held_to_less, chinese=CHINESE)
    gate = Gate(calibration=CALIBRATION, openings=openings)
    memories = crowd(SearchMatch("nearest", cosine=0.35, lexical=9.0))
    with_a_turn = [*memories[:-1], memories[-1]._replace(place=TurnPosition("session", 1))]
    alone, beside = gate.margin(memories, words=3), gate.margin(with_a_turn, words=3)
    assert alone == pytest.approx((beside or 0.0) + 0.5)
    assert beside == GATE.margin(memories, words=3)


def test_the_signals_are_counted_as_they_say() -> None:
    matches = [
        SearchMatch("a", cosine=0.36, lexical=2.0),
        SearchMatch("b", cosine=0.30),
        SearchMatch("c", cosine=0.24, lexical=8.0),
        SearchMatch("d", cosine=0.18),
        SearchMatch("e", cosine=0.12, lexical=1.0),
        SearchMatch("f", cosine=0.06),
    ]
    seen = GATE.signals(matches, words=4)
    rarest = 1.5404450409471488  # ln((6 - .5) / 1.5 + 1)
    assert seen == pytest.approx(
        GateSignals(
            nearest=5.0,
            above_all=2.5,
            above_fifth=4.0,
            coverage=2.0 / rarest,
            lexical_gap=7.0 / rarest,
            agreement=3.0,
            finds=6,
            memory=True,
            memories_alone=True,
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


@pytest.mark.parametrize(("deviations", "relevance"), [(2.0, 0.7), (1.0, 0.35), (0.0, 0.0)])
def test_what_is_relevant_is_fitted_for_each_language_of_a_model(
    deviations: float, relevance: float
) -> None:
    chinese = CHINESE.model_copy(update={"relevant_deviations": 2.0})
    openings = FittedGate(sense=SENSE, english=ENGLISH, chinese=chinese)
    gate = Gate(calibration=CALIBRATION, openings=openings)
    cosine = CALIBRATION.average + deviations * CALIBRATION.spread
    assert gate.relevance(cosine, chinese=True) == pytest.approx(relevance)
    assert gate.relevance(cosine, chinese=False) == CALIBRATION.relevance(cosine)
    unfitted = Gate(calibration=CALIBRATION, openings=None)
    assert unfitted.relevance(cosine, chinese=True) == CALIBRATION.relevance(cosine)


@given(st.floats(-0.2, 0.9), st.floats(0.005, 0.2), st.floats(-1, 1), st.floats(0, 0.5))
def test_relevance_rises_with_the_cosine_and_stays_between_0_and_1(
    average: float, spread: float, cosine: float, more: float
) -> None:
    calibration = Calibration(average=average, spread=spread)
    nearer = min(1.0, cosine + more)
    assert 0 <= calibration.relevance(cosine) <= calibration.relevance(nearer) + 1e-12 <= 1 + 1e-9


def test_a_model_is_calibrated_by_its_strangers() -> None:
    calibration = calibrate([0.0, 0.1, 0.2])
    assert calibration.average == pytest.approx(0.1)
    assert calibration.spread == pytest.approx(0.0816497)
    with pytest.raises(ValueError, match="needs similarities"):
        calibrate([])
    with pytest.raises(ValueError, match="needs similarities"):
        calibrate([0.2, 0.2])


ACROSS = CrossScriptWeights(opens_from_deviations=4.0, finds=0.4, fewest=8, says_from=1.0)
ACROSS_SCRIPTS = Gate(
    calibration=CALIBRATION,
    openings=FittedGate(sense=SENSE, english=ENGLISH, chinese=CHINESE, across=ACROSS),
)
SENSIBLE, SENSELESS = (0.5, 0.0), (0.0, 0.5)
"""On the plane of CHINESE: 2 and -1."""


@pytest.mark.parametrize(
    ("cosine", "question", "size", "opens"),
    [
        (0.31, SENSIBLE, 8, True),
        (0.29, SENSIBLE, 8, False),
        (0.35, SENSIBLE, 80, False),
        (0.36, SENSIBLE, 80, True),
        (0.41, SENSELESS, 8, False),
        (0.41, (), 8, False),
    ],
)
def test_in_another_script_meaning_alone_opens_it_to_what_somebody_would_ask(
    cosine: float, question: tuple[float, ...], size: int, opens: bool
) -> None:
    finds = crowd(SearchMatch("peanuts", cosine=cosine), size=size, cosine=0.1)
    unlike = TermOverlap(of={"peanuts": SharedTerms(0.0, 0.0)}, seen=0.0)
    for overlap in (None, unlike):
        asked = {"words": 3, "overlap": overlap, "question": question}
        across = ACROSS_SCRIPTS.margin(finds, **asked, other_script=True)  # type: ignore[arg-type]
        alone = GATE.margin(finds, **asked, other_script=True)  # type: ignore[arg-type]
        assert across is not None
        assert alone is not None
        assert (across >= 0) is (opens or alone >= 0)
        assert across >= alone
    assert ACROSS_SCRIPTS.margin(finds, **asked) == alone  # type: ignore[arg-type]


@pytest.mark.parametrize(("size", "opens"), [(4, True), (7, True), (80, False)])
def test_of_a_few_that_are_all_alike_none_stands_out_and_nearness_is_enough(
    size: int, opens: bool
) -> None:
    among_few = ENGLISH.model_copy(update={"opens_among_few": 4.0})
    gate = Gate(
        calibration=CALIBRATION,
        openings=FittedGate(sense=SENSE, english=among_few, chinese=CHINESE),
    )
    alike = [SearchMatch(f"m{n}", cosine=0.06 + 5.0 * 0.06) for n in range(size)]
    opened = gate.margin(alike, words=3)
    assert opened is not None
    assert (opened >= 0) is opens

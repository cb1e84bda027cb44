"""The gate: nonsense finds nothing, what is near or shares a word comes through."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.domain.ranking.gate import Gate, calibrated, says_something
from palimpsest.domain.ranking.pool import Match

GATE = Gate(opens_at=0.36, keeps_from=0.12)

cosines = st.none() | st.floats(-1, 1)
finds = st.lists(
    st.builds(Match, id=st.uuids().map(str), cosine=cosines, lexical=st.none() | st.floats(0, 30)),
    max_size=20,
)


@pytest.mark.parametrize(
    ("cosine", "lexical", "opens"),
    [
        (0.40, None, True),
        (0.36, None, True),
        (0.35, None, False),
        (0.05, 0.7, True),
        (None, 2.5, True),
        (None, 0.0, False),
        (None, None, False),
        (-0.2, None, False),
    ],
)
def test_what_opens_the_gate(cosine: float | None, lexical: float | None, opens: bool) -> None:
    assert bool(GATE.admit([Match(id="one", cosine=cosine, lexical=lexical)])) is opens


def test_once_open_it_keeps_what_is_moderately_near_and_drops_strangers() -> None:
    admitted = GATE.admit(
        [
            Match(id="answer", cosine=0.5),
            Match(id="related", cosine=0.2),
            Match(id="stranger", cosine=0.1),
            Match(id="same word", cosine=0.1, lexical=0.2),
        ]
    )
    assert [match.id for match in admitted] == ["answer", "related", "same word"]


@given(finds)
def test_nothing_passes_unless_something_opens(found: list[Match]) -> None:
    admitted = GATE.admit(found)
    opened = any((one.lexical or 0) > 0 or (one.cosine or 0) >= GATE.opens_at for one in found)
    assert opened or admitted == []
    assert all(one in found for one in admitted)


@given(finds, finds)
def test_more_finds_never_shut_out_what_was_admitted(found: list[Match], more: list[Match]) -> None:
    admitted = GATE.admit(found)
    assert all(one in GATE.admit([*found, *more]) for one in admitted)


def test_it_is_calibrated_on_what_strangers_reach() -> None:
    gate = calibrated([0.0, 0.1, 0.2])
    spread = (0.02 / 3) ** 0.5
    assert gate.opens_at == pytest.approx(0.1 + 5 * spread)
    assert gate.keeps_from == pytest.approx(0.1 + spread)


def test_a_model_with_compressed_cosines_gets_a_higher_gate() -> None:
    wide = [0.0, 0.1, 0.2]
    compressed = [0.76 + cosine / 50 for cosine in wide]
    assert calibrated(compressed).opens_at > 0.76
    assert calibrated(compressed).opens_at < 0.79


def test_nothing_to_calibrate_on_is_an_error() -> None:
    with pytest.raises(ValueError, match="calibrated"):
        calibrated([])


@pytest.mark.parametrize(
    ("question", "says"),
    [("coffee", True), ("咖啡", True), ("7", True), ("?!", False), ("…… 🎉", False), ("  ", False)],
)
def test_mere_punctuation_says_nothing(question: str, says: bool) -> None:
    assert says_something(question) is says

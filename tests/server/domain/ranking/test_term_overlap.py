"""What a Chinese question shares with finds: by rarity, counted as it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_server.domain.ranking.term_overlap import (
    Overlap,
    Rarities,
    Shared,
    overlap,
    together,
)

ASKED = Rarities(words={1: 6.0, 2: 2.0}, characters={1: 3.0, 10: 4.0, 11: 1.0})

terms = st.frozensets(st.integers(0, 12), max_size=12)


def test_what_is_shared_weighs_by_how_rare_it_is() -> None:
    found = overlap(ASKED, {"both": [1, 2, 10], "one": [11], "none": [99]})
    assert found == Overlap(
        of={
            "both": Shared(words=1.0, characters=7 / 8),
            "one": Shared(words=0.0, characters=1 / 8),
            "none": Shared(words=0.0, characters=0.0),
        },
        seen=1.0,
    )


def test_a_question_of_no_words_shares_nothing() -> None:
    assert overlap(Rarities({}, {}), {"a": [1]}) == Overlap({"a": Shared(0.0, 0.0)}, 0.0)
    assert overlap(ASKED, {}) == Overlap({}, 0.0)


@given(terms, terms, terms)
def test_shares_are_shares_and_more_finds_hide_nothing(
    first: frozenset[int], second: frozenset[int], more: frozenset[int]
) -> None:
    found = overlap(ASKED, {"a": first, "b": second})
    assert all(0 <= share <= 1 for one in found.of.values() for share in one)
    assert found.seen >= max(one.characters for one in found.of.values())
    assert overlap(ASKED, {"a": first | more}).of["a"].words >= found.of["a"].words


def test_of_several_texts_each_term_counts_by_the_most_it_weighs() -> None:
    before = Rarities(words={2: 8.0, 3: 4.0}, characters={11: 1.0})
    merged = together([ASKED, before], [1.0, 0.5])
    assert merged.words == {1: 6.0, 2: 4.0, 3: 2.0}
    assert merged.characters == {1: 3.0, 10: 4.0, 11: 1.0}
    assert merged.words[1] == pytest.approx(6.0)

"""What a Chinese question shares with finds: by rarity, counted as it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_server.domain.ranking.term_overlap import (
    SharedTerms,
    TermOverlap,
    TermRarities,
    measure_overlap,
    merge_rarities,
)

ASKED = TermRarities(words={1: 6.0, 2: 2.0}, characters={1: 3.0, 10: 4.0, 11: 1.0})

terms = st.frozensets(st.integers(0, 12), max_size=12)


def test_what_is_shared_weighs_by_how_rare_it_is() -> None:
    found = measure_overlap(ASKED, {"both": [1, 2, 10], "one": [11], "none": [99]})
    assert found == TermOverlap(
        of={
            "both": SharedTerms(words=1.0, characters=7 / 8),
            "one": SharedTerms(words=0.0, characters=1 / 8),
            "none": SharedTerms(words=0.0, characters=0.0),
        },
        seen=1.0,
    )


def test_a_question_of_no_words_shares_nothing() -> None:
    assert measure_overlap(TermRarities({}, {}), {"a": [1]}) == TermOverlap(
        {"a": SharedTerms(0.0, 0.0)}, 0.0
    )
    assert measure_overlap(ASKED, {}) == TermOverlap({}, 0.0)


@given(terms, terms, terms)
def test_shares_are_shares_and_more_finds_hide_nothing(
    first: frozenset[int], second: frozenset[int], more: frozenset[int]
) -> None:
    found = measure_overlap(ASKED, {"a": first, "b": second})
    assert all(0 <= share <= 1 for one in found.of.values() for share in one)
    assert found.seen >= max(one.characters for one in found.of.values())
    assert measure_overlap(ASKED, {"a": first | more}).of["a"].words >= found.of["a"].words


def test_of_several_texts_each_term_counts_by_the_most_it_weighs() -> None:
    before = TermRarities(words={2: 8.0, 3: 4.0}, characters={11: 1.0})
    merged = merge_rarities([ASKED, before], [1.0, 0.5])
    assert merged.words == {1: 6.0, 2: 4.0, 3: 2.0}
    assert merged.characters == {1: 3.0, 10: 4.0, 11: 1.0}
    assert merged.words[1] == pytest.approx(6.0)

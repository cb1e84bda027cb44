import pytest

from palimpsest_server.delivery.backoff import Backoff


@pytest.mark.parametrize(
    ("failures", "asked", "expected"),
    [
        (1, None, 0.1),
        (2, None, 0.2),
        (5, None, 1.6),
        (8, None, 12.8),
        (9, None, 15.0),
        (10_000, None, 15.0),
        (1, 2.0, 2.0),
        (6, 2.0, 3.2),
        (1, 3_600.0, 15.0),
    ],
)
def test_delays_double_up_to_a_bound_and_are_at_least_what_was_asked(
    failures: int, asked: float | None, expected: float
) -> None:
    assert Backoff().delay(failures, asked) == pytest.approx(expected)

"""A consumer that stands still before unread records is told from one that gets on, rests or works."""

import pytest

from palimpsest_server.delivery.reading_progress import ReadingProgress

STALLED_SECONDS = 20.0
Measured = tuple[float, int, int, bool]
"""Seconds, lag, position, whether a batch is in hand."""


class Seconds:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("measured", "unread_seconds"),
    [
        ([], 0),
        ([(0, 0, 7, False), (25, 0, 7, False)], 0),
        ([(0, 3, 7, False), (5, 3, 7, False), (25, 3, 7, False)], 25),
        ([(0, 3, 7, False), (24, 3, 8, False), (25, 3, 8, False)], 1),
        ([(0, 3, 7, False), (24, 0, 10, False), (25, 1, 10, False)], 0),
        ([(0, 3, 7, True), (25, 3, 7, True)], 0),
        ([(0, 3, 7, True), (10, 3, 7, False), (25, 3, 7, False)], 15),
        # The log of a broker that was started anew begins again.
        ([(0, 3, 7, False), (20, 3, 0, False), (25, 3, 0, False)], 5),
    ],
    ids=["unmeasured", "idle", "still", "moved", "caught up", "busy", "done", "new log"],
)
def test_unread_time_counts_from_the_last_move(
    measured: list[Measured], unread_seconds: float
) -> None:
    clock = Seconds()
    progress = ReadingProgress(stalled_seconds=STALLED_SECONDS, now=clock)
    for clock.now, lag, position, is_busy in measured:
        progress.note(lag=lag, position=position, is_busy=is_busy)
    assert progress.unread_seconds == unread_seconds
    assert progress.is_stalled == (unread_seconds > STALLED_SECONDS)


def test_another_consumer_begins_afresh() -> None:
    clock = Seconds()
    progress = ReadingProgress(stalled_seconds=STALLED_SECONDS, now=clock)
    progress.note(lag=1, position=0, is_busy=False)
    clock.now = 30.0
    assert progress.is_stalled
    progress.restart()
    assert not progress.is_stalled

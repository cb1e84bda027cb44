"""A limit on processor time: what would never end fails, and a machine that does other things does not."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """End what takes more processor time than this with a TimeoutError."""

    def end(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)

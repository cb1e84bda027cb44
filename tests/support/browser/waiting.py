"""Waiting for what happens elsewhere than on the page."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], *, within_seconds: float = 30.0) -> None:
    """Return when the condition holds; it is asked every 50 ms.

    Raises:
        TimeoutError: it did not come to hold.
    """
    ends = time.monotonic() + within_seconds
    while not condition():
        if time.monotonic() > ends:
            raise TimeoutError
        time.sleep(0.05)

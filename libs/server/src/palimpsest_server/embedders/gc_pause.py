"""Pause garbage collection while code and models are loaded."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Hardly any of what is loaded is garbage, and to look for some takes a sixth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()

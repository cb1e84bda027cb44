"""Pause garbage collection while code and models are loaded."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Pause collection: hardly any loaded object is garbage, and looking for it takes a sixth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()

"""Growth of work in proportion to its input, told by a ratio and not by a clock's time."""

import gc
from collections.abc import Callable
from time import process_time

_EIGHTH_AT_LEAST = 0.002
"""Seconds: shorter times are of the clock's own size."""

_TIMES_AT_MOST = 28
"""In proportion it is 8, squared 64."""


def grows_in_proportion(work: Callable[[str], object], piece: str, length: int) -> bool:
    """Tell whether `length` characters of a repeated piece take about 8 times what an eighth takes."""
    text = (piece * (length // len(piece) + 1))[:length]
    an_eighth = min(_seconds(work, text[: length // 8]) for _ in range(2))
    at_most = _TIMES_AT_MOST * max(an_eighth, _EIGHTH_AT_LEAST)
    # Once more where it took too long: what else ran only ever adds.
    return any(_seconds(work, text) <= at_most for _ in range(2))


def _seconds(work: Callable[[str], object], text: str) -> float:
    """Measure the work alone: looking for waste costs what all tests before it have left."""
    gc.disable()
    began = process_time()
    try:
        work(text)
        return process_time() - began
    finally:
        gc.enable()

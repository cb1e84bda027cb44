"""The setup of an answering process: neither a thread nor garbage collection stops it for long."""

import gc
import sys

_SWITCH_SECONDS = 0.0005
"""The driver of the database works in threads. With the interpreter's 5 ms each of its answers
waits that long for a busy event loop to let go of the lock; so a recall takes a tenth less."""

_OLD_ROUNDS = 50
"""All that came since the start is looked through a fifth as often as of itself: mostly caches."""


def shorten_thread_switches() -> None:
    """Before anything else runs."""
    sys.setswitchinterval(_SWITCH_SECONDS)


def freeze_loaded_objects() -> None:
    """Once everything is loaded: none of it is garbage, nor looked through for garbage again.

    There are so many that looking through them stops everything for 150 ms, again
    and again while new ones are kept: one recall of a hundred met it. What was left
    standing before is looked through this once, for an instance may have begun anew.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _OLD_ROUNDS)

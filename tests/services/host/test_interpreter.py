"""In a process of its own: what is set up there would hold for all tests that follow."""

import subprocess
import sys

_AN_INSTANCE_BEGINS_ANEW = """
import gc, sys, weakref
from services.host.interpreter import shorten_thread_switches, freeze_loaded_objects

class Loaded:
    def __init__(self):
        self.itself = self

shorten_thread_switches()
usual, collected = sys.getswitchinterval(), gc.get_threshold()
first = Loaded()
known = weakref.ref(first)
freeze_loaded_objects()
left = gc.get_freeze_count()

del first
gc.collect()
print("looked through again:", known() is None)
freeze_loaded_objects()
print("kept for ever:", known() is not None)
print("something stands:", min(left, gc.get_freeze_count()) > 1_000)
print("threads wait for at most a millisecond:", usual <= 0.001)
print("the old are looked through more seldom:", gc.get_threshold()[2] > collected[2])
"""


def test_what_is_loaded_stands_until_an_instance_begins_anew() -> None:
    told = subprocess.run(
        [sys.executable, "-c", _AN_INSTANCE_BEGINS_ANEW], capture_output=True, text=True, check=True
    ).stdout

    assert told.splitlines() == [
        "looked through again: False",
        "kept for ever: False",
        "something stands: True",
        "threads wait for at most a millisecond: True",
        "the old are looked through more seldom: True",
    ]

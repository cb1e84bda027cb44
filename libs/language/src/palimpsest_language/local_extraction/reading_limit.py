"""Limits the processor time for reading one message."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class ReadingLimit:
    seconds: float
    """Seconds of processor time for each message."""
    processor_time: Callable[[], float] = time.process_time

    def begin(self) -> Callable[[], bool]:
        """Begin a message; return a function that tells whether its time is over."""
        end = self.processor_time() + self.seconds
        return lambda: self.processor_time() > end

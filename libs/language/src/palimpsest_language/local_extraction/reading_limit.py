"""The limit of the processor time that reading one message may take."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class ReadingLimit:
    seconds: float
    """Seconds for each message."""
    processor_time: Callable[[], float] = time.process_time

    def begin(self) -> Callable[[], bool]:
        """Begin a message; returns what tells whether its time is over."""
        end = self.processor_time() + self.seconds
        return lambda: self.processor_time() > end

"""Back-off: the wait before the same work is tried again. No I/O, no clock."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Backoff:
    """Delays that double from `first_seconds` up to `maximum_seconds`."""

    first_seconds: float = 0.1
    maximum_seconds: float = 15.0

    def delay(self, failures: int, asked_seconds: float | None = None) -> float:
        """Return the seconds to wait after this many failures in a row, at least `asked_seconds`."""
        doubled = self.first_seconds * 2.0 ** min(failures - 1, 32)
        return min(max(doubled, asked_seconds or 0.0), self.maximum_seconds)

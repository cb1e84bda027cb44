"""Settings of the page: the address of the API, and whether visitors show a key."""

from dataclasses import dataclass

from palimpsest.model.clock import Clock, system_clock


@dataclass(frozen=True)
class PageSettings:
    """Settings of one page."""

    api_url: str
    """The address of the public API, such as http://127.0.0.1:8000."""
    asks_for_keys: bool = True
    """False where the API answers this machine without a key; visitors then only name a user."""
    timeout_seconds: float = 10.0
    """Seconds after which a visitor is told that the API does not answer."""
    clock: Clock = system_clock

"""Settings of the page: the address of the API, and whether visitors show a key."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from palimpsest.client import PalimpsestClient
from palimpsest.model.clock import Clock, system_clock

PlayExample = Callable[[PalimpsestClient, str], Awaitable[None]]
"""Plays a conversation through a client, as what a user said."""


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
    play_example: PlayExample | None = None
    """Tells the example conversation for a user; None where there is none."""

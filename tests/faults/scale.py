"""How large a run is, and what is done to it how often."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Scale:
    name: str
    users: int
    events: int
    """Of all users together, poison and what is sent twice not counted; about."""
    events_per_second: float
    """Of the disturbed run, so that there is something in hand whenever something happens."""
    rounds_of_faults: int
    """So often everything is done that is done more than once."""
    broker_gone_seconds: float
    disk_full_seconds: float
    longest_stop_seconds: float
    clock_skew_seconds: float
    """At most so far are the clocks of two processes apart."""
    statements: int
    """Made while one process of `palimpsest run` is killed."""


FULL = Scale(
    name="full",
    users=50,
    events=10_000,
    events_per_second=80.0,
    rounds_of_faults=2,
    broker_gone_seconds=60.0,
    disk_full_seconds=8.0,
    longest_stop_seconds=10.0,
    clock_skew_seconds=20.0,
    statements=600,
)
SHORT = Scale(
    name="short",
    users=12,
    events=900,
    events_per_second=40.0,
    rounds_of_faults=1,
    broker_gone_seconds=8.0,
    disk_full_seconds=3.0,
    longest_stop_seconds=5.0,
    clock_skew_seconds=10.0,
    statements=300,
)

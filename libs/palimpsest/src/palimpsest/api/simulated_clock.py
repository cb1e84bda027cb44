"""The clock of a simulation. Its route exists only in an instance started for a simulation."""

from palimpsest.model.value_types import Instant, Value

CLOCK_PATH = "/v1/simulation/clock"


class SimulatedMoment(Value):
    """`GET` and `PUT` of the clock: it stands still until it is moved, and only moves forward."""

    now: Instant

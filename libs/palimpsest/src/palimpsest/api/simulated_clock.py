"""What time it is, as a simulation sets it. The route exists only in an instance started for one."""

from palimpsest.model.value_types import Instant, Value

CLOCK_PATH = "/v1/simulation/clock"


class SimulatedMoment(Value):
    """`PUT` and `GET` of the clock: it stands still until it is moved, and only moves on."""

    now: Instant

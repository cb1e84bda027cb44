"""The published rules of retirement, restated here so that the product does not judge itself.

Only what was told, of kinds that are no core memories, may go under the default
policy `gated`: nothing in a simulated year is recalled in a way that counts, so
that what decides is importance and the days since it was told first.
"""

import math
from datetime import datetime

from palimpsest.model.kinds import Kind
from palimpsest_lab.simulation.user_actions import UserAction

IMPORTANCE_BY_KIND = {Kind.EVENT: 0.6, Kind.GOAL: 0.7, Kind.CONTEXT: 0.4, Kind.FACT: 0.8}
WORKING_KINDS = frozenset({Kind.EVENT, Kind.GOAL})
TEMPORARY_KINDS = frozenset({Kind.CONTEXT})

TEMPORARY_DAYS = 7
WORKING_DAYS = 30
DECAY_PER_DAY = 0.01
FORGOTTEN_BELOW = 0.1
FADES_BELOW = 0.3
FADES_TO = 0.9


def is_retirable(told: UserAction, at: datetime) -> bool:
    """Return whether a policy may have retired the item by then."""
    days = find_retirement_days(told)
    return days is not None and (at - told.occurred_at).total_seconds() > days * 24 * 60 * 60


def find_retirement_days(told: UserAction) -> float | None:
    """Return the days of disuse from which on the item may go; None is never.

    `exp(-0.01 x days) x importance` falls below .1, where the importance has
    once fallen to nine tenths when that was below .3; and not before the 30th day.
    """
    if told.kind in TEMPORARY_KINDS:
        return TEMPORARY_DAYS
    importance = IMPORTANCE_BY_KIND[told.kind] if told.importance is None else told.importance
    # A core memory of little importance counts as working.
    if told.kind not in WORKING_KINDS and importance >= 0.5:
        return None
    days = math.log(importance * FADES_TO / FORGOTTEN_BELOW) / DECAY_PER_DAY
    return max(WORKING_DAYS, days)
